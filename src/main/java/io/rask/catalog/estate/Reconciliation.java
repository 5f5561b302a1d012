package io.rask.catalog.estate;

import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.access.OwnerFacts;
import io.rask.catalog.access.PermissionEngine;
import io.rask.catalog.lifecycle.NamelessRights;
import io.rask.catalog.problem.CatalogException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * Compares the facts of the permission engine with what is there, in two looks with some time between them, and mends what both have
 * found. With an empty engine it ties everything anew, so that whoever administers a project has all in it.
 */
@Component
@ConditionalOnProperty(name = "lance.fga.enabled", havingValue = "true")
public final class Reconciliation {
    private static final Map<Kind, String> KINDS = Map.of(
            Kind.PROJECT, "projects",
            Kind.ROLE, "roles",
            Kind.WAREHOUSE, "warehouses",
            Kind.NAMESPACE, "namespaces",
            Kind.TABLE, "tables",
            Kind.MATERIALIZED_VIEW, "views");

    private final InventoryReader reader;
    private final PermissionEngine engine;
    private final OwnerFacts facts;
    private final NamelessRights nameless;

    Reconciliation(InventoryReader reader, PermissionEngine engine, OwnerFacts facts, NamelessRights nameless) {
        this.reader = reader;
        this.engine = engine;
        this.facts = facts;
        this.nameless = nameless;
    }

    /**
     * What is to be done.
     *
     * @param repair whether what is found is mended
     * @param owner the subject that owns what nobody is tied to, and administers projects that nobody does; null for nobody
     * @param grace the time between the two looks, at least as long as a request may take
     */
    public record Wish(boolean repair, @Nullable String owner, Duration grace) {}

    /**
     * Looks, and mends if that is wished.
     *
     * @param progress told now and then how far it is
     * @throws CatalogException code 17 when the engine does not answer, or a write to the store is not confirmed; a repeat goes on
     */
    public Report run(Wish wish, Consumer<String> progress) {
        Inventory inventory = reader.read();
        progress.accept(inventory.entries().size() + " objects are there");
        Difference found = FactScan.of(engine, inventory, progress);
        Inventory latest = inventory;
        if (!found.isNone()) {
            progress.accept("Something differs; the second look follows after " + wish.grace());
            pause(wish.grace());
            latest = reader.read();
            found = found.and(FactScan.of(engine, latest, progress));
        }
        Set<String> mended = wish.repair() && !found.isNone()
                ? new Repair(engine, facts, nameless, reader, progress).mend(found, wish.owner())
                : Set.of();
        return report(wish, List.of(inventory, latest), found, mended);
    }

    private static void pause(Duration grace) {
        try {
            TimeUnit.NANOSECONDS.sleep(grace.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CatalogException.unavailable("The reconciliation was stopped.", e);
        }
    }

    private static Report report(Wish wish, List<Inventory> looks, Difference found, Set<String> mended) {
        List<Report.Category> categories = new ArrayList<>();
        Optional<String> cut = found.isCut()
                ? Optional.of("there are more differences than one run looks at; run it again")
                : Optional.empty();
        for (Kind kind : FactScan.KINDS) {
            Optional<String> unknown = cut.or(() -> unread(looks, List.of(kind)));
            categories.add(category("ghost_" + KINDS.get(kind), of(kind, found.ghosts()), unknown, mended));
            categories.add(category("ungoverned_" + KINDS.get(kind), of(kind, found.untied()), unknown, mended));
        }
        categories.add(
                category("wrong_edges", found.wrong().keySet(), cut.or(() -> unread(looks, KINDS.keySet())), mended));
        categories.add(category(
                "unowned_projects",
                found.headless(),
                cut.or(() -> unread(looks, List.of(Kind.PROJECT))),
                wish.repair() && wish.owner() != null ? found.headless() : Set.of()));
        return new Report(found.facts(), looks.getLast().entries().size(), wish.repair(), categories);
    }

    private static Optional<String> unread(List<Inventory> looks, Collection<Kind> kinds) {
        return looks.stream()
                .flatMap(look -> kinds.stream().flatMap(kind -> look.unread(kind).stream()))
                .findFirst();
    }

    private static List<String> of(Kind kind, Set<String> names) {
        String type = kind.name().toLowerCase(Locale.ROOT) + ":";
        return names.stream().filter(name -> name.startsWith(type)).toList();
    }

    private static Report.Category category(
            String name, Collection<String> found, Optional<String> unknown, Set<String> mended) {
        int repaired = (int) found.stream().filter(mended::contains).count();
        return new Report.Category(
                name,
                unknown.isPresent() ? null : found.size(),
                unknown.orElse(null),
                found.stream().sorted().limit(Report.Category.NAMED).toList(),
                repaired,
                found.size() - repaired);
    }
}
