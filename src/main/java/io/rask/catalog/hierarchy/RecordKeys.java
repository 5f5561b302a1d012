package io.rask.catalog.hierarchy;

import io.rask.catalog.record.RecordKey;

/** Where the records of the hierarchy live. Names that may hold any character are hashed. */
final class RecordKeys {
    static final String PROJECTS = "_projects";
    static final String WAREHOUSES = "_warehouses";
    static final String BINDINGS = "_warehouses/bindings";
    private static final String ROLES = "_roles";
    private static final String CLAIMS = "_claims";

    private RecordKeys() {}

    static RecordKey project(String id) {
        return RecordKey.of(PROJECTS, id);
    }

    static RecordKey warehouse(String id) {
        return RecordKey.of(WAREHOUSES, id);
    }

    static RecordKey binding(String topLevel) {
        return RecordKey.of(BINDINGS, RecordKey.hashed("namespace", topLevel));
    }

    /** Where the records of a project's roles are. */
    static String roles(String project) {
        return ROLES + "/" + project;
    }

    static RecordKey role(RoleName role) {
        return RecordKey.of(roles(role.project()), role.name());
    }

    /** The one record that lists who has claimed which place; places can contain each other, so one record must arbitrate. */
    static RecordKey claims() {
        return RecordKey.of(CLAIMS, "places");
    }
}
