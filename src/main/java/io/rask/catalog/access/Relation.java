package io.rask.catalog.access;

import java.util.Locale;

/** What a caller must be allowed to do; each is an action of the permission model. */
public enum Relation {
    CAN_ADMINISTER,
    CAN_CREATE_PROJECT,
    CAN_CREATE_WAREHOUSE,
    CAN_CREATE_ROLE,
    CAN_CREATE_NAMESPACE,
    CAN_CREATE_TABLE,
    CAN_CREATE_MATERIALIZED_VIEW,
    CAN_CREATE_BRANCH,
    CAN_CREATE_TAG,
    CAN_UPDATE_TAG,
    CAN_GET_METADATA,
    CAN_READ_DATA,
    CAN_WRITE_DATA,
    CAN_UPDATE_PROPERTIES,
    CAN_DELETE,
    CAN_DROP,
    CAN_DEREGISTER,
    CAN_RESTORE,
    CAN_MAINTAIN,
    CAN_CLASSIFY,
    CAN_PROMOTE,
    CAN_SET_PROTECTION,
    CAN_SET_MANAGED_ACCESS,
    CAN_READ_ASSIGNMENTS,
    CAN_GRANT,
    CAN_GRANT_OWNER,
    CAN_GRANT_WRITER,
    CAN_GRANT_READER,
    CAN_GRANT_VALIDATOR,
    CAN_GRANT_MAINTAINER,
    CAN_GRANT_CLASSIFIER,
    CAN_GRANT_PUBLISHER,
    CAN_GRANT_MANAGE_GRANTS,
    CAN_GRANT_PASS_GRANTS,
    CAN_GRANT_ADMIN,
    CAN_GRANT_MEMBER,
    CAN_GRANT_SECURITY_ADMIN,
    CAN_GRANT_DATA_ADMIN,
    CAN_GRANT_ROLE_CREATOR,
    CAN_GRANT_ASSIGNEE,
    CAN_GRANT_REFRESHER,
    CAN_REVOKE_GRANT,
    CAN_OBSERVE_EVENTS,
    CAN_READ,
    CAN_REFRESH,
    CAN_DESCRIBE,
    CAN_SET_PROPERTY,
    CAN_SET_STATUS,
    /** Whether an object was given to the caller itself, or something below it; no action, but what lists ask instead of one. */
    IS_GIVEN;

    /** Whether it is something to do, and not only how a list asks. */
    public boolean isAction() {
        return this != IS_GIVEN;
    }

    /** The action as the permission model spells it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
