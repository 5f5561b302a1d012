package io.rask.catalog.access;

import java.util.Locale;

/** What a caller must be allowed to do; each is an action of the permission model. */
public enum Relation {
    CAN_ADMINISTER,
    CAN_CREATE_PROJECT,
    CAN_CREATE_WAREHOUSE,
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
    CAN_REVOKE_GRANT,
    CAN_OBSERVE_EVENTS,
    CAN_READ,
    CAN_REFRESH,
    CAN_DESCRIBE,
    CAN_SET_PROPERTY,
    CAN_SET_STATUS;

    /** The action as the permission model spells it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
