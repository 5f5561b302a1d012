package io.rask.catalog.access;

import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What can be given to somebody on an object. */
public enum Rung {
    OWNER(Relation.CAN_GRANT_OWNER, false),
    WRITER(Relation.CAN_GRANT_WRITER, true),
    READER(Relation.CAN_GRANT_READER, true),
    VALIDATOR(Relation.CAN_GRANT_VALIDATOR, true),
    MAINTAINER(Relation.CAN_GRANT_MAINTAINER, true),
    CLASSIFIER(Relation.CAN_GRANT_CLASSIFIER, true),
    PUBLISHER(Relation.CAN_GRANT_PUBLISHER, true),
    MANAGE_GRANTS(Relation.CAN_GRANT_MANAGE_GRANTS, false),
    PASS_GRANTS(Relation.CAN_GRANT_PASS_GRANTS, false),
    ADMIN(Relation.CAN_GRANT_ADMIN, false),
    MEMBER(Relation.CAN_GRANT_MEMBER, false),
    SECURITY_ADMIN(Relation.CAN_GRANT_SECURITY_ADMIN, false),
    DATA_ADMIN(Relation.CAN_GRANT_DATA_ADMIN, false),
    ROLE_CREATOR(Relation.CAN_GRANT_ROLE_CREATOR, false),
    /** Of roles: whoever is in one has all it was given. */
    ASSIGNEE(Relation.CAN_GRANT_ASSIGNEE, false),
    /** Of views. */
    REFRESHER(Relation.CAN_GRANT_REFRESHER, true);

    private static final Set<Rung> OF_PROJECTS = EnumSet.of(ADMIN, MEMBER, SECURITY_ADMIN, DATA_ADMIN, ROLE_CREATOR);
    private static final Set<Rung> OF_ROLES = EnumSet.of(ASSIGNEE);
    private static final Set<Rung> OF_VIEWS = EnumSet.of(OWNER, REFRESHER, READER);
    private static final Set<Rung> OF_OTHERS = EnumSet.range(OWNER, PASS_GRANTS);

    private final Relation givenBy;
    private final boolean mayEnd;

    Rung(Relation givenBy, boolean mayEnd) {
        this.givenBy = givenBy;
        this.mayEnd = mayEnd;
    }

    /** What one must be allowed to give it. */
    public Relation givenBy() {
        return givenBy;
    }

    /** Whether it may be given for a time. */
    boolean mayEnd() {
        return mayEnd;
    }

    /** The rung as the permission model spells it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The relation of whoever has the rung on an object of a kind, be it given on the object or come down from above. */
    String heldAs(Kind kind) {
        if (kind == Kind.MATERIALIZED_VIEW) {
            return wireName();
        }
        return switch (this) {
            case OWNER -> "owns";
            case WRITER -> "writes";
            case READER -> "reads";
            case VALIDATOR -> "validates";
            case MAINTAINER -> "maintains";
            case CLASSIFIER -> "classifies";
            case PUBLISHER -> "publishes";
            case ASSIGNEE -> "holds";
            case MANAGE_GRANTS, PASS_GRANTS, ADMIN, MEMBER, SECURITY_ADMIN, DATA_ADMIN, ROLE_CREATOR, REFRESHER ->
                wireName();
        };
    }

    /** The rungs that objects of a kind have. */
    public static Set<Rung> of(Kind kind) {
        return switch (kind) {
            case PROJECT -> OF_PROJECTS;
            case ROLE -> OF_ROLES;
            case MATERIALIZED_VIEW -> OF_VIEWS;
            case ESTATE, WAREHOUSE, NAMESPACE, TABLE, TRANSACTION -> OF_OTHERS;
        };
    }

    /**
     * The rung of a name.
     *
     * @throws CatalogException code 13 for one that objects of the kind do not have
     */
    public static Rung of(Kind kind, String name) {
        return of(kind).stream()
                .filter(rung -> rung.wireName().equals(name))
                .findFirst()
                .orElseThrow(() -> CatalogException.invalid(
                        "There is no such rung on a " + kind.type().replace('_', ' ') + ".",
                        List.of(new FieldViolation(
                                "rung",
                                "must be one of "
                                        + of(kind).stream().map(Rung::wireName).collect(Collectors.joining(", "))))));
    }
}
