package io.rask.catalog.estate;

import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.access.Edges;
import io.rask.catalog.access.PermissionEngine;
import io.rask.catalog.access.Tuple;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Holds all facts of the engine, page by page, against what is there. */
final class FactScan {
    /** How much of each kind one look keeps; a repeat finds the rest. */
    private static final int MOST = 100_000;

    private static final int TOLD_EVERY = 10_000;
    /** What gives a project somebody who administers it. */
    static final Set<String> ADMINISTERS = Set.of("admin", "team");
    /** What is compared, from the top. */
    static final List<Kind> KINDS =
            List.of(Kind.PROJECT, Kind.ROLE, Kind.WAREHOUSE, Kind.NAMESPACE, Kind.TABLE, Kind.MATERIALIZED_VIEW);

    private static final String ASSIGNEES = "#assignee";

    private final Inventory inventory;
    private final Set<String> ghosts = new LinkedHashSet<>();
    private final Set<String> tied = new LinkedHashSet<>();
    private final Set<String> administered = new LinkedHashSet<>();
    private final Map<String, Set<String>> wrong = new HashMap<>();
    private long facts;
    private boolean isCut;

    private FactScan(Inventory inventory) {
        this.inventory = inventory;
    }

    /**
     * What differs.
     *
     * @param progress told now and then how far it is
     * @throws io.rask.catalog.problem.CatalogException code 17 when the engine does not answer
     */
    static Difference of(PermissionEngine engine, Inventory inventory, Consumer<String> progress) {
        FactScan scan = new FactScan(inventory);
        String token = null;
        do {
            PermissionEngine.Page page = engine.read(null, null, null, token);
            page.tuples().forEach(scan::look);
            if (scan.facts / TOLD_EVERY > (scan.facts - page.tuples().size()) / TOLD_EVERY) {
                progress.accept(scan.facts + " facts looked at");
            }
            token = page.next();
        } while (token != null);
        return scan.difference();
    }

    /** The kind of an engine's name; null for what is no object of the registries and manifests. */
    static @Nullable Kind kind(String name) {
        return KINDS.stream()
                .filter(kind -> name.startsWith(kind.type() + ":"))
                .findFirst()
                .orElse(null);
    }

    private void look(Tuple fact) {
        facts++;
        expect(fact.user());
        Kind kind = expect(fact.object());
        if (kind == null) {
            return;
        }
        if (kind == Kind.PROJECT && ADMINISTERS.contains(fact.relation())) {
            administered.add(fact.object());
        }
        if (Edges.relation(kind).filter(fact.relation()::equals).isPresent()) {
            inventory.find(fact.object()).flatMap(Inventory.Entry::edge).ifPresent(edge -> compare(fact, edge));
        }
    }

    private void compare(Tuple fact, Tuple edge) {
        if (edge.user().equals(fact.user())) {
            tied.add(fact.object());
        } else if (wrong.size() < MOST) {
            wrong.computeIfAbsent(fact.object(), any -> new LinkedHashSet<>()).add(fact.user());
        } else {
            isCut = true;
        }
    }

    private @Nullable Kind expect(String said) {
        // Who has a role has nothing of it when the role is gone.
        String name = said.endsWith(ASSIGNEES) ? said.substring(0, said.length() - ASSIGNEES.length()) : said;
        Kind kind = kind(name);
        if (kind == null
                || inventory.find(name).isPresent()
                || inventory.unread(kind).isPresent()) {
            return kind;
        }
        if (ghosts.size() < MOST) {
            ghosts.add(name);
        } else {
            isCut = true;
        }
        return kind;
    }

    private Difference difference() {
        Set<String> untied = new LinkedHashSet<>();
        Set<String> headless = new LinkedHashSet<>();
        inventory.entries().forEach((name, entry) -> {
            if (entry.parent() == null) {
                return;
            }
            if (!tied.contains(name) && !wrong.containsKey(name)) {
                untied.add(name);
            }
            if (entry.object().kind() == Kind.PROJECT && !administered.contains(name)) {
                headless.add(name);
            }
        });
        return new Difference(ghosts, untied, wrong, headless, facts, isCut);
    }
}
