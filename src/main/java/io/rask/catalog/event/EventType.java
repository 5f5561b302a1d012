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
    TABLE_PURGED,
    MATERIALIZED_VIEW_CREATED,
    MATERIALIZED_VIEW_UPDATED,
    MATERIALIZED_VIEW_RENAMED,
    MATERIALIZED_VIEW_DROPPED,
    MATERIALIZED_VIEW_DEREGISTERED,
    MATERIALIZED_VIEW_UNDROPPED,
    MATERIALIZED_VIEW_PURGED;

    private static final String PREFIX = "io.rask.catalog.";
    private static final String OF_TABLE = "TABLE_";
    private static final String OF_VIEW = "MATERIALIZED_VIEW_";

    /** The type as CloudEvents spell it, such as {@code io.rask.catalog.table.created}. */
    public String wireName() {
        int last = name().lastIndexOf('_');
        return PREFIX + kind() + "." + name().substring(last + 1).toLowerCase(Locale.ROOT);
    }

    /** The kind of the object, such as {@code table}. */
    public String kind() {
        return name().substring(0, name().lastIndexOf('_')).toLowerCase(Locale.ROOT);
    }

    /** Whether the object is gone by it, for good or for a while. */
    public boolean isDeparture() {
        return name().endsWith("_DROPPED") || name().endsWith("_DEREGISTERED") || name().endsWith("_PURGED");
    }

    /** What is told where the table that this happened to may be that of a materialized view. */
    public EventType ofView(boolean isView) {
        return isView ? valueOf(name().replaceFirst("^" + OF_TABLE, OF_VIEW)) : this;
    }
}
