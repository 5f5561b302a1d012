package io.rask.catalog.access;

import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.platform.Fanout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Keeps the engine's facts in step with the catalog. All that one object needs is one change of the engine. */
final class EngineOwnership implements Ownership {
    private static final String PARENT = "parent";
    private static final int WIDTH = 4;
    private final PermissionEngine engine;
    private final Ancestry ancestry;
    private final Navigation navigation;
    private final OwnerFacts facts;

    EngineOwnership(PermissionEngine engine, Ancestry ancestry, Navigation navigation, OwnerFacts facts) {
        this.engine = engine;
        this.ancestry = ancestry;
        this.navigation = navigation;
        this.facts = facts;
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
        List<Tuple> said = stale(object, List.of());
        if (!said.isEmpty() && isFree.getAsBoolean()) {
            engine.write(List.of(), said);
        }
    }

    @Override
    public void owned(Principal maker, AccessObject object, AccessObject parent) {
        List<Tuple> said = engine.of(ObjectNames.of(object));
        boolean hasOwner = said.stream().anyMatch(fact -> fact.relation().equals(OwnerFacts.relation(object)));
        List<Tuple> missing =
                new ArrayList<>(hasOwner ? List.of(Edges.of(object, parent)) : facts(maker, object, parent));
        missing.removeAll(said);
        engine.write(missing, List.of());
    }

    private List<Tuple> facts(Principal maker, AccessObject object, AccessObject parent) {
        List<Tuple> all = new ArrayList<>(facts.owned(maker.subject(), object, parent));
        all.addAll(facts.placed(object, parent));
        return all;
    }

    /** What was said of an object of the same name that is long gone must not hold for this one. */
    private List<Tuple> stale(AccessObject object, List<Tuple> facts) {
        String name = ObjectNames.of(object);
        List<Tuple> said = engine.of(name);
        return Stream.concat(said.stream(), Edges.given(engine, object.kind(), name).stream())
                .filter(fact -> !facts.contains(fact))
                .toList();
    }

    @Override
    public void tied(Map<AccessObject, AccessObject> parents) {
        engine.write(parents.entrySet().stream().map(EngineOwnership::edge).toList(), List.of());
    }

    @Override
    public boolean isTied(AccessObject object, AccessObject parent) {
        Tuple edge = Edges.of(object, parent);
        return !engine.read(edge.user(), edge.relation(), edge.object(), null)
                .tuples()
                .isEmpty();
    }

    private static Tuple edge(Map.Entry<AccessObject, AccessObject> tie) {
        return Edges.of(tie.getKey(), tie.getValue());
    }

    @Override
    public int ended(Collection<AccessObject> gone) {
        return Fanout.map(Set.copyOf(gone), WIDTH, this::ended).stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    private int ended(AccessObject object) {
        String name = ObjectNames.of(object);
        List<Tuple> own = said(object);
        List<Tuple> facts = new ArrayList<>(own);
        facts.addAll(Edges.given(engine, object.kind(), name));
        facts.addAll(Edges.below(engine, object.kind(), name));
        engine.write(List.of(), facts);
        navigation.left(object, own);
        return facts.size();
    }

    @Override
    public Runnable moving(AccessObject from, AccessObject to, AccessObject newParent) {
        List<Tuple> before = said(from);
        List<Tuple> facts = moved(before, to, newParent);
        engine.write(
                List.of(),
                said(to).stream().filter(fact -> !facts.contains(fact)).toList());
        engine.write(facts, List.of());
        return () -> followUp(before, said(from), to, newParent);
    }

    /** What was given and taken back while the object was moved is given and taken back where it is now. */
    private void followUp(List<Tuple> before, List<Tuple> now, AccessObject to, AccessObject newParent) {
        List<Tuple> taken = new ArrayList<>(before);
        taken.removeAll(now);
        List<Tuple> given = new ArrayList<>(now);
        given.removeAll(before);
        engine.write(
                List.of(),
                taken.stream().map(fact -> fact.on(renamed(fact, to))).toList());
        engine.write(moved(given, to, newParent), List.of());
    }

    /** All that is said of an object. A table may be that of a view, which moves and goes with it. */
    private List<Tuple> said(AccessObject object) {
        List<Tuple> facts = new ArrayList<>(engine.of(ObjectNames.of(object)));
        if (object.kind() == Kind.TABLE) {
            facts.addAll(engine.of(ObjectNames.of(view(object))));
        }
        return facts;
    }

    /** What is said of an object, of its new name. */
    private List<Tuple> moved(List<Tuple> said, AccessObject to, AccessObject newParent) {
        List<AccessObject> above = ancestry.above(to, newParent);
        List<Tuple> copies = new ArrayList<>();
        for (Tuple fact : said) {
            boolean onView = isOnView(fact);
            if (fact.relation().equals(PARENT)) {
                copies.add(onView ? Edges.of(view(to), to) : Edges.of(to, newParent));
            } else {
                copies.add(fact.on(renamed(fact, to)));
                if (!onView) {
                    copies.addAll(navigation.towards(fact.user(), above));
                }
            }
        }
        return copies;
    }

    private static String renamed(Tuple fact, AccessObject to) {
        return ObjectNames.of(isOnView(fact) ? view(to) : to);
    }

    private static boolean isOnView(Tuple fact) {
        return fact.object().startsWith(Kind.MATERIALIZED_VIEW.type() + ":");
    }

    private static AccessObject view(AccessObject table) {
        return new AccessObject(Kind.MATERIALIZED_VIEW, table.id());
    }
}
