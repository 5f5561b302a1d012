package io.rask.catalog.event;

import java.util.Locale;

/** What can happen to an object. */
public enum EventType {
    PROJECT_CREATED,
    PROJECT_UPDATED,
    PROJECT_DELETED,
    WAREHOUSE_CREATED,
    WAREHOUSE_UPDATED,
    WAREHOUSE_DELETED,
    NAMESPACE_CREATED,
    NAMESPACE_UPDATED,
    NAMESPACE_DROPPED,
    NAMESPACE_UNDROPPED,
    NAMESPACE_PURGED,
    TABLE_CREATED,
    TABLE_REGISTERED,
    TABLE_UPDATED,
    TABLE_RENAMED,
    TABLE_DROPPED,
    TABLE_DEREGISTERED,
    TABLE_UNDROPPED,
    TABLE_PURGED;

    private static final String PREFIX = "io.rask.catalog.";

    /** The type as CloudEvents spell it, such as {@code io.rask.catalog.table.created}. */
    public String wireName() {
        return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /** The kind of the object, such as {@code table}. */
    public String kind() {
        return name().substring(0, name().indexOf('_')).toLowerCase(Locale.ROOT);
    }
}
