package io.rask.catalog.access;

import io.rask.catalog.hierarchy.RoleName;
import io.rask.catalog.id.ObjectId;
import java.util.Locale;

/**
 * Something that rights are held on.
 *
 * @param id the id of a project or warehouse, an object id as it is stored, or a role with its project; the estate has the one id {@code catalog}
 */
public record AccessObject(Kind kind, String id) {
    /** The whole installation. */
    public static final AccessObject ESTATE = new AccessObject(Kind.ESTATE, "catalog");

    /** The types of the permission model that objects of the catalog have. */
    public enum Kind {
        ESTATE,
        PROJECT,
        ROLE,
        WAREHOUSE,
        NAMESPACE,
        TABLE,
        MATERIALIZED_VIEW,
        TRANSACTION;

        /** The type as the permission model spells it. */
        public String type() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static AccessObject project(String id) {
        return new AccessObject(Kind.PROJECT, id);
    }

    public static AccessObject role(RoleName name) {
        return new AccessObject(Kind.ROLE, name.toString());
    }

    public static AccessObject warehouse(String id) {
        return new AccessObject(Kind.WAREHOUSE, id);
    }

    public static AccessObject namespace(ObjectId id) {
        return new AccessObject(Kind.NAMESPACE, id.stored());
    }

    public static AccessObject table(ObjectId id) {
        return new AccessObject(Kind.TABLE, id.stored());
    }

    public static AccessObject view(ObjectId id) {
        return new AccessObject(Kind.MATERIALIZED_VIEW, id.stored());
    }

    /** A transaction of the catalog's own; one of a table is asked for on the table. */
    public static AccessObject transaction(String id) {
        return new AccessObject(Kind.TRANSACTION, id);
    }
}
