package io.rask.catalog.access;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * How deep roles lie in roles. A check goes down from role to role, and the engine bounds how far; what is nested deeper than that would
 * be an error at every door.
 */
final class RoleNesting {
    /** How many roles lie in one another, the outermost and the innermost among them. */
    static final int DEEPEST = 5;

    private static final int MOST_LOOKED = 100;
    private static final String ASSIGNEE = "assignee";

    private final PermissionEngine engine;

    RoleNesting(PermissionEngine engine) {
        this.engine = engine;
    }

    /**
     * Refuses to put a role into another where it would hold itself, or lie too deep; before it is put there, and after it once more,
     * since others are put at the same time.
     *
     * @throws CatalogException code 13
     */
    void require(AccessObject outer, Grantee inner) {
        String role = ObjectNames.of(outer);
        String put = ObjectNames.of(AccessObject.role(inner.role()));
        List<Set<String>> below = levels(put, this::within);
        if (below.stream().anyMatch(level -> level.contains(role))) {
            throw CatalogException.invalid("The role would hold itself.");
        }
        if (below.size() + levels(role, this::around).size() > DEEPEST) {
            throw CatalogException.invalid("Roles lie in one another at most " + DEEPEST + " deep.");
        }
    }

    /** The role, what lies next to it, and so on; as far as it matters. */
    private static List<Set<String>> levels(String from, Function<String, List<String>> next) {
        List<Set<String>> levels = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        Set<String> level = Set.of(from);
        while (!level.isEmpty() && levels.size() < DEEPEST) {
            levels.add(level);
            seen.addAll(level);
            if (seen.size() > MOST_LOOKED) {
                throw CatalogException.invalid("The role is put together of more than " + MOST_LOOKED + " roles.");
            }
            Set<String> further = new LinkedHashSet<>();
            level.forEach(role -> further.addAll(next.apply(role)));
            further.removeAll(seen);
            level = further;
        }
        return levels;
    }

    private List<String> within(String role) {
        return engine.all(null, ASSIGNEE, role).stream()
                .map(Tuple::user)
                .filter(user -> user.startsWith("role:"))
                .map(Grantee::told)
                .toList();
    }

    private List<String> around(String role) {
        return engine.all(role + "#" + ASSIGNEE, ASSIGNEE, "role:").stream()
                .map(Tuple::object)
                .toList();
    }
}
