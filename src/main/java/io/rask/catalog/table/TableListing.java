package io.rask.catalog.table;

import io.rask.catalog.door.DatabaseScope;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;

/** Lists the tables of all namespaces, at any depth, over all warehouses that serve requests. */
@Component
final class TableListing {
    /** How many warehouses are asked at a time. */
    private static final int WIDTH = 8;

    private final Locator locator;
    private final Manifests manifests;

    TableListing(Locator locator, Manifests manifests) {
        this.locator = locator;
        this.manifests = manifests;
    }

    private record Source(StorageProfile home, Predicate<ManifestEntry> wanted) {}

    private record Row(StorageProfile home, ManifestEntry entry) {}

    /**
     * A page in the order of the stored ids; a token is the stored id of the last table of the page before, or any other text that
     * sorts among them. In a database the ids, and with them the tokens, are those inside it.
     *
     * @throws CatalogException code 1 without the database; code 17 when a warehouse or its manifest cannot be read: it is never left out
     */
    PageRequest.Page<PlacedTable> page(PageRequest page, DatabaseScope scope) {
        if (scope.isWhole()) {
            return page(page, sources());
        }
        StorageProfile home = locator.locate(scope.namespace()).orElseThrow(() -> Absence.namespace(scope.namespace()));
        if (manifests.view(home.root()).namespace(scope.namespace().stored()).isEmpty()) {
            throw Absence.namespace(scope.namespace());
        }
        String inside = scope.namespace().stored() + Delimiter.STORED;
        Source source = new Source(home, entry -> entry.id().startsWith(inside));
        String after = page.after() == null ? inside : inside + page.after();
        PageRequest.Page<PlacedTable> found = page(new PageRequest(after, page.limit()), List.of(source));
        String next = found.next();
        return new PageRequest.Page<>(found.items(), next == null ? null : next.substring(inside.length()));
    }

    private PageRequest.Page<PlacedTable> page(PageRequest page, List<Source> sources) {
        List<Row> rows = Fanout.map(sources, WIDTH, source -> rows(source, page)).stream()
                .flatMap(Collection::stream)
                .sorted(Comparator.comparing(row -> row.entry().id()))
                .limit(page.limit() + 1L)
                .toList();
        PageRequest.Page<Row> cut = page.page(rows, row -> row.entry().id());
        return new PageRequest.Page<>(
                cut.items().stream().flatMap(row -> placed(row).stream()).toList(), cut.next());
    }

    private List<Source> sources() {
        if (!locator.hasWarehouses()) {
            return List.of(new Source(locator.single(), any -> true));
        }
        // What lies in a root under a name that is bound elsewhere, or not at all, no id leads to.
        return locator.served().entrySet().stream()
                .map(served ->
                        new Source(served.getKey(), entry -> served.getValue().contains(entry.topLevel())))
                .toList();
    }

    private List<Row> rows(Source source, PageRequest page) {
        return manifests
                .view(source.home().root())
                .tablesAnywhere(page.after(), page.limit() + 1, source.wanted())
                .stream()
                .map(entry -> new Row(source.home(), entry))
                .toList();
    }

    /** Another tool may have written an id that no request can name. */
    private static Optional<PlacedTable> placed(Row row) {
        try {
            ObjectId id = Delimiter.STORED.split(row.entry().id());
            return Optional.of(PlacedTable.of(id, row.home(), row.entry()));
        } catch (CatalogException e) {
            return Optional.empty();
        }
    }
}
