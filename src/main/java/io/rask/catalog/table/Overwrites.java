package io.rask.catalog.table;

import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.TableInspector;
import io.rask.catalog.lance.TableWriter;
import io.rask.catalog.lance.WriteResult;
import io.rask.catalog.problem.CatalogException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Overwrites that replace a table's rows and its properties, which are kept in two places that no store changes at once. The row of the
 * table is told first which transaction is to bring which properties; then the rows are committed as that transaction; then the
 * row gets the properties. Whoever meets a row in between asks the table which of the transactions was the last
 * ({@code docs/decisions/0016}).
 */
@Component
final class Overwrites {
    private static final Logger LOG = LoggerFactory.getLogger(Overwrites.class);
    /** No commit is under way for so long. */
    private static final Duration STALE = Duration.ofHours(1);

    private static final int MOST_MARKS = 64;
    private static final int LOOKS = 20;

    private final Manifests manifests;
    private final TableWriter writer;
    private final TableInspector inspector;
    private final Clock clock;

    Overwrites(Manifests manifests, TableWriter writer, TableInspector inspector, Clock clock) {
        this.manifests = manifests;
        this.writer = writer;
        this.inspector = inspector;
        this.clock = clock;
    }

    /**
     * What an overwrite did.
     *
     * @param mark what the row of the table keeps until {@link #finish}
     */
    record Written(WriteResult result, OverwriteMark mark) {}

    /**
     * Replaces the rows of a table, and with them its properties.
     *
     * @throws CatalogException code 13 or 20 for a bad stream, code 14 when another writer changed the table meanwhile; code 17 when
     *     the outcome is not known: either rows and properties are those of before, or both are new
     */
    Written write(PlacedTable table, Map<String, String> properties, Supplier<InputStream> body) {
        MarkedProperties.requireFree(properties);
        AtomicReference<@Nullable OverwriteMark> noted = new AtomicReference<>();
        try {
            WriteResult result = writer.overwrite(
                    table.location(),
                    transaction -> {
                        OverwriteMark mark = new OverwriteMark(transaction, clock.millis(), properties);
                        noted.set(mark);
                        note(table, mark);
                    },
                    body.get());
            return new Written(result, Objects.requireNonNull(noted.get()));
        } catch (CatalogException e) {
            OverwriteMark mark = noted.get();
            if (mark != null && !e.mayHaveHappened()) {
                quietly(table, () -> change(table, marked -> marked.without(mark)));
            }
            throw e;
        }
    }

    private void note(PlacedTable table, OverwriteMark mark) {
        manifests.commit(table.home().root(), view -> {
            ManifestEntry row = Tables.unmoved(view, table).orElseThrow(() -> TableErrors.changed(table.id()));
            MarkedProperties now = MarkedProperties.read(row.metadata());
            if (now.marks().size() >= MOST_MARKS) {
                throw TableErrors.changed(table.id());
            }
            return ManifestChange.Plan.put(row.withMetadata(now.with(mark).write()));
        });
    }

    /** Brings the properties of an overwrite that has happened into the row. Where that fails, whoever looks next does it. */
    void finish(PlacedTable table, OverwriteMark mark) {
        quietly(table, () -> settle(table, mark));
    }

    private void settle(PlacedTable table, OverwriteMark mark) {
        for (int look = 1; look <= LOOKS; look++) {
            Optional<PlacedTable> row = row(table);
            if (row.isEmpty() || !row.get().marked().marks().contains(mark)) {
                return;
            }
            MarkedProperties seen = row.get().marked();
            // What has happened and is not the last was replaced by another since.
            if (replace(table, seen, now(table, seen).without(mark))) {
                return;
            }
        }
    }

    /** The table with the properties that hold now; the row is brought up to that where it was left behind. */
    PlacedTable settled(PlacedTable table) {
        PlacedTable row = table;
        for (int look = 1; !row.marked().marks().isEmpty(); look++) {
            MarkedProperties seen = row.marked();
            MarkedProperties now = now(table, seen);
            Optional<PlacedTable> again = row(table);
            // Only what a row says before and after the look goes with what the table says.
            if (again.isEmpty() || again.get().marked().equals(seen)) {
                if (!now.equals(seen)) {
                    quietly(table, () -> replace(table, seen, now));
                }
                return row.with(now);
            }
            if (look == LOOKS) {
                throw TableErrors.changed(table.id());
            }
            row = again.get();
        }
        return row;
    }

    /**
     * As {@link #settled}, or as the row has it where the table cannot be asked: a table that nobody can read must still be able to
     * leave the catalog.
     */
    PlacedTable known(PlacedTable table) {
        try {
            return settled(table);
        } catch (CatalogException e) {
            LOG.info("What overwrites have done to {} cannot be told; its row is taken as it is.", table.id(), e);
            return table;
        }
    }

    private MarkedProperties now(PlacedTable table, MarkedProperties seen) {
        return seen.after(
                inspector.overwrittenBy(table.location()), clock.instant().minus(STALE));
    }

    private Optional<PlacedTable> row(PlacedTable table) {
        return Tables.unmoved(manifests.view(table.home().root()), table)
                .map(row -> PlacedTable.of(table.id(), table.home(), row));
    }

    /** Writes the row anew if it still is as it was seen. */
    private boolean replace(PlacedTable table, MarkedProperties seen, MarkedProperties then) {
        AtomicBoolean replaced = new AtomicBoolean();
        change(table, marked -> {
            replaced.set(marked.equals(seen));
            return replaced.get() ? then : marked;
        });
        return replaced.get();
    }

    private void change(PlacedTable table, UnaryOperator<MarkedProperties> change) {
        manifests.commit(table.home().root(), view -> {
            Optional<ManifestEntry> row = Tables.unmoved(view, table);
            if (row.isEmpty()) {
                return ManifestChange.Plan.nothing();
            }
            MarkedProperties now = MarkedProperties.read(row.get().metadata());
            MarkedProperties then = change.apply(now);
            return then.equals(now)
                    ? ManifestChange.Plan.nothing()
                    : ManifestChange.Plan.put(row.get().withMetadata(then.write()));
        });
    }

    /** Tidies a row; what it says holds without that. */
    private static void quietly(PlacedTable table, Runnable tidying) {
        try {
            tidying.run();
        } catch (CatalogException e) {
            LOG.debug("The row of {} keeps its marks for now.", table.id(), e);
        }
    }
}
