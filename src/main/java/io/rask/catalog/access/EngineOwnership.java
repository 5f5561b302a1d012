package io.rask.catalog.access;

import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.hierarchy.RoleName;
import io.rask.catalog.platform.Fanout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Keeps the engine's facts in step with the catalog. All that one object needs is one change of the engine. */
final class EngineOwnership implements Ownership {
    private static final String OWNER = "owner";
    private static final String ADMIN = "admin";
    private static final String WRITER = "writer";
    private static final String PARENT = "parent";
    private static final String PROJECT = "project";
    private static final String ESTATE = "estate";
    private static final int WIDTH = 4;
    private static final List<Kind> GIVEN_TO_ROLES = List.of(
            Kind.PROJECT,
            Kind.ROLE,
            Kind.WAREHOUSE,
            Kind.NAMESPACE,
            Kind.TABLE,
            Kind.MATERIALIZED_VIEW,
            Kind.TRANSACTION);

    private final PermissionEngine engine;
    private final Ancestry ancestry;
    private final Navigation navigation;
    private final List<String> cascadeWriters;

    EngineOwnership(PermissionEngine engine, Ancestry ancestry, Navigation navigation, List<String> cascadeWriters) {
        this.engine = engine;
        this.ancestry = ancestry;
        this.navigation = navigation;
        this.cascadeWriters = List.copyOf(cascadeWriters);
    }

    @Override
    public void made(Principal maker, AccessObject object, AccessObject parent) {
        List<Tuple> facts = facts(maker, object, parent);
        List<Tuple> stale = stale(object, facts);
        engine.write(facts, stale);
        navigation.left(object, stale);
    }

    @Override
    public void cleared(AccessObject object, BooleanSupplier isFree) {
        if (!isFree.getAsBoolean()) {
            return;
        }
        List<Tuple> said = engine.of(ObjectNames.of(object));
        if (!said.isEmpty() && isFree.getAsBoolean()) {
            engine.write(List.of(), said);
        }
    }

    @Override
    public void owned(Principal maker, AccessObject object, AccessObject parent) {
        List<Tuple> said = engine.of(ObjectNames.of(object));
        boolean hasOwner = said.stream().anyMatch(fact -> fact.relation().equals(owner(object)));
        List<Tuple> missing = new ArrayList<>(hasOwner ? List.of(edge(object, parent)) : facts(maker, object, parent));
        missing.removeAll(said);
        engine.write(missing, List.of());
    }

    private static String owner(AccessObject object) {
        return object.kind() == Kind.PROJECT ? ADMIN : OWNER;
    }

    private List<Tuple> facts(Principal maker, AccessObject object, AccessObject parent) {
        String name = ObjectNames.of(object);
        String user = ObjectNames.user(maker.subject());
        List<Tuple> facts = new ArrayList<>();
        if (object.kind() != Kind.ROLE) {
            facts.add(new Tuple(user, owner(object), name));
        }
        facts.add(edge(object, parent));
        if (object.kind() == Kind.WAREHOUSE) {
            cascadeWriters.forEach(writer -> facts.add(new Tuple(ObjectNames.user(writer), WRITER, name)));
        }
        facts.addAll(navigation.towards(user, ancestry.above(object, parent)));
        return facts;
    }

    /** What was said of an object of the same name that is long gone must not hold for this one. */
    private List<Tuple> stale(AccessObject object, List<Tuple> facts) {
        List<Tuple> said = engine.of(ObjectNames.of(object));
        return Stream.concat(said.stream(), given(object).stream())
                .filter(fact -> !facts.contains(fact))
                .toList();
    }

    /** What a role was given, and the ways to it. */
    private List<Tuple> given(AccessObject object) {
        if (object.kind() != Kind.ROLE) {
            return List.of();
        }
        String assignees = Grantee.role(RoleName.of(object.id())).fact();
        return Fanout.map(GIVEN_TO_ROLES, WIDTH, kind -> engine.all(assignees, null, kind.type() + ":")).stream()
                .flatMap(List::stream)
                .toList();
    }

    private static Tuple edge(AccessObject object, AccessObject parent) {
        String relation = switch (object.kind()) {
            case PROJECT -> ESTATE;
            case ROLE, WAREHOUSE -> PROJECT;
            case ESTATE, NAMESPACE, TABLE, MATERIALIZED_VIEW, TRANSACTION -> PARENT;
        };
        return new Tuple(ObjectNames.of(parent), relation, ObjectNames.of(object));
    }

    @Override
    public int ended(Collection<AccessObject> gone) {
        return Fanout.map(Set.copyOf(gone), WIDTH, this::ended).stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    private int ended(AccessObject object) {
        String name = ObjectNames.of(object);
        List<Tuple> facts = new ArrayList<>(engine.of(name));
        if (object.kind() == Kind.TABLE) {
            // It may be that of a view, which goes with it.
            facts.addAll(engine.of(ObjectNames.of(view(object))));
        }
        int own = facts.size();
        facts.addAll(given(object));
        for (Kind below : below(object.kind())) {
            facts.addAll(engine.all(name, null, below.type() + ":"));
        }
        engine.write(List.of(), facts);
        navigation.left(object, facts.subList(0, own));
        return facts.size();
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

    @Override
    public void moving(AccessObject from, AccessObject to, AccessObject newParent) {
        engine.write(moved(from, to, newParent), List.of());
    }

    @Override
    public void stayed(AccessObject from, AccessObject to) {
        String name = ObjectNames.of(to);
        List<Tuple> copies = engine.of(ObjectNames.of(from)).stream()
                .filter(fact -> !fact.relation().equals(PARENT))
                .map(fact -> fact.on(name))
                .toList();
        engine.write(List.of(), copies);
    }

    /** What is said of the object, of its new name. A view is on its table, and moves with it. */
    private List<Tuple> moved(AccessObject from, AccessObject to, AccessObject newParent) {
        String name = ObjectNames.of(to);
        List<AccessObject> above = ancestry.above(to, newParent);
        List<Tuple> copies = new ArrayList<>();
        for (Tuple fact : engine.of(ObjectNames.of(from))) {
            if (fact.relation().equals(PARENT)) {
                copies.add(edge(to, newParent));
            } else {
                copies.add(fact.on(name));
                copies.addAll(navigation.towards(fact.user(), above));
            }
        }
        if (from.kind() == Kind.TABLE) {
            copies.addAll(moved(view(from), view(to), to));
        }
        return copies;
    }

    private static AccessObject view(AccessObject table) {
        return new AccessObject(Kind.MATERIALIZED_VIEW, table.id());
    }
}
