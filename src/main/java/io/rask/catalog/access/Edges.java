package io.rask.catalog.access;

import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.platform.Fanout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The facts that tie objects to what they lie in: each object has one, and rights flow down along it. */
public final class Edges {
    private static final String PARENT = "parent";
    private static final String PROJECT = "project";
    private static final String ESTATE = "estate";
    private static final String ASSIGNEES = "#assignee";
    private static final int WIDTH = 4;
    private static final List<Kind> GIVEN_TO_ROLES = List.of(
            Kind.PROJECT,
            Kind.ROLE,
            Kind.WAREHOUSE,
            Kind.NAMESPACE,
            Kind.TABLE,
            Kind.MATERIALIZED_VIEW,
            Kind.TRANSACTION);

    private Edges() {}

    /** What an object's edge is called; empty for the estate, which lies in nothing. */
    public static Optional<String> relation(Kind kind) {
        return switch (kind) {
            case ESTATE -> Optional.empty();
            case PROJECT -> Optional.of(ESTATE);
            case ROLE, WAREHOUSE -> Optional.of(PROJECT);
            case NAMESPACE, TABLE, MATERIALIZED_VIEW, TRANSACTION -> Optional.of(PARENT);
        };
    }

    /** The edge of an object that lies in another. */
    public static Tuple of(AccessObject object, AccessObject parent) {
        String relation = relation(object.kind()).orElseThrow(() -> new IllegalArgumentException("the estate"));
        return new Tuple(ObjectNames.of(parent), relation, ObjectNames.of(object));
    }

    /** What may name an object of the kind as what it lies in. */
    private static List<Kind> below(Kind kind) {
        return switch (kind) {
            case PROJECT -> List.of(Kind.ROLE, Kind.WAREHOUSE);
            case WAREHOUSE -> List.of(Kind.NAMESPACE, Kind.TRANSACTION);
            case NAMESPACE -> List.of(Kind.NAMESPACE, Kind.TABLE, Kind.TRANSACTION);
            case ESTATE, ROLE, TABLE, MATERIALIZED_VIEW, TRANSACTION -> List.of();
        };
    }

    /** What a role was given, and the ways to it; nothing for any other kind. */
    static List<Tuple> given(PermissionEngine engine, Kind kind, String name) {
        if (kind != Kind.ROLE) {
            return List.of();
        }
        return Fanout.map(GIVEN_TO_ROLES, WIDTH, each -> engine.all(name + ASSIGNEES, null, each.type() + ":")).stream()
                .flatMap(List::stream)
                .toList();
    }

    /** All that is said of an object: the facts on it, the edges of what is said to lie in it, and what its assignees were given. */
    public static List<Tuple> around(PermissionEngine engine, Kind kind, String name) {
        List<Tuple> facts = new ArrayList<>(engine.of(name));
        facts.addAll(below(engine, kind, name));
        facts.addAll(given(engine, kind, name));
        return facts;
    }

    /** The edges of what is said to lie in an object. */
    static List<Tuple> below(PermissionEngine engine, Kind kind, String name) {
        return below(kind).stream()
                .flatMap(each -> engine.all(name, null, each.type() + ":").stream())
                .toList();
    }
}
