package io.rask.catalog.access;

import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who sees the way to what was given to them: navigators of the namespaces and the warehouse above it. They are written down with the
 * grant, for a check that looked for rights below an object would cost more the more lies below it.
 */
public final class Navigation {
    private static final String NAVIGATOR = "navigator";
    private static final Set<String> STRUCTURE = Set.of("parent", "project", "estate", "managed_access", NAVIGATOR);
    private static final List<Kind> BELOW = List.of(Kind.TABLE, Kind.NAMESPACE, Kind.MATERIALIZED_VIEW);
    /** How far the rights of somebody are looked through before the way is left as it is. */
    private static final int MOST_PAGES = 20;

    private final PermissionEngine engine;
    private final Ancestry ancestry;

    Navigation(PermissionEngine engine, Ancestry ancestry) {
        this.engine = engine;
        this.ancestry = ancestry;
    }

    /** What a grant on an object has beside it. */
    public List<Tuple> towards(String user, AccessObject object) {
        return towards(user, ancestry.above(object));
    }

    List<Tuple> towards(String user, Collection<AccessObject> above) {
        return above.stream()
                .map(each -> new Tuple(user, NAVIGATOR, ObjectNames.of(each)))
                .toList();
    }

    /**
     * Takes away the ways that nobody needs any more, after facts of an object are gone. A way that may still be needed stays.
     *
     * @param gone the facts that were taken away
     */
    public void left(AccessObject object, Collection<Tuple> gone) {
        List<AccessObject> above = ancestry.above(object);
        if (above.isEmpty()) {
            return;
        }
        Set<String> users = new HashSet<>();
        gone.stream().filter(fact -> !STRUCTURE.contains(fact.relation())).forEach(fact -> users.add(fact.user()));
        for (String user : users) {
            List<AccessObject> unneeded = unneeded(user, above);
            engine.write(List.of(), towards(user, unneeded));
        }
    }

    /** The nearest of what lies above that nothing the user still holds lies below; what lies above such is needed. */
    private List<AccessObject> unneeded(String user, List<AccessObject> above) {
        String nearest = ObjectNames.of(above.getFirst());
        if (engine.read(user, NAVIGATOR, nearest, null).tuples().isEmpty()) {
            return List.of();
        }
        Way way = new Way(above);
        int needed = above.size();
        for (Kind kind : BELOW) {
            String token = null;
            int pages = 0;
            do {
                PermissionEngine.Page page = engine.read(user, null, kind.type() + ":", token);
                for (Tuple held : page.tuples()) {
                    needed = Math.min(needed, way.leadsTo(held));
                }
                token = page.next();
                pages++;
                if (needed == 0 || (token != null && pages == MOST_PAGES)) {
                    return List.of();
                }
            } while (token != null);
        }
        return above.subList(0, needed);
    }

    /** The containers above an object, the nearest first. */
    private final class Way {
        private final List<AccessObject> above;
        private final Map<String, Optional<AccessObject>> warehouses = new HashMap<>();

        Way(List<AccessObject> above) {
            this.above = above;
        }

        /** Which of the containers is the first on the way to something held; the number of all where none is. */
        int leadsTo(Tuple held) {
            if (STRUCTURE.contains(held.relation())) {
                return above.size();
            }
            Optional<AccessObject> object = ObjectNames.object(held.object());
            if (object.isEmpty()) {
                // A long name does not say where it lies.
                return 0;
            }
            ObjectId id = Delimiter.STORED.split(object.get().id());
            for (int at = 0; at < above.size(); at++) {
                if (holds(above.get(at), id)) {
                    return at;
                }
            }
            return above.size();
        }

        private boolean holds(AccessObject container, ObjectId id) {
            if (container.kind() == Kind.NAMESPACE) {
                ObjectId namespace = Delimiter.STORED.split(container.id());
                return namespace.equals(id) || namespace.contains(id);
            }
            String top = id.segments().getFirst();
            return warehouses
                    .computeIfAbsent(top, ancestry::warehouse)
                    .filter(container::equals)
                    .isPresent();
        }
    }
}
