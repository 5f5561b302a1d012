package io.rask.catalog.lifecycle;

import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.lance.ManifestChange.Plan;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lifecycle.DeleteBytes.Dropped;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Takes objects out of the catalog for good: first a record of what is to be done, then the rows in one commit, then the rights on them
 * are taken back ({@link Endings}), then the bytes of the tables go, then the record. Whatever is interrupted after the record, a
 * worker finishes.
 */
@Component
public final class Drops {
    private static final Logger log = LoggerFactory.getLogger(Drops.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** How many tables one record names; more make more records. */
    private static final int MOST_IN_RECORD = 10_000;

    private final SelectedRows rows;
    private final DeletionCheck check;
    private final Protections protections;
    private final KeptBytes kept;
    private final ByteDeletions deletions;
    private final JobRegistry jobs;
    private final Endings endings;
    private final TrashRecords trash;
    private final CatalogProperties.Jobs settings;
    private final boolean keepsTrash;

    Drops(
            SelectedRows rows,
            DeletionCheck check,
            Protections protections,
            KeptBytes kept,
            ByteDeletions deletions,
            JobRegistry jobs,
            Endings endings,
            TrashRecords trash,
            CatalogProperties properties) {
        this.endings = endings;
        this.trash = trash;
        this.keepsTrash = properties.trashGraceDays() > 0;
        this.rows = rows;
        this.check = check;
        this.protections = protections;
        this.kept = kept;
        this.deletions = deletions;
        this.jobs = jobs;
        this.settings = properties.jobs();
    }

    /**
     * Drops what a function selects.
     *
     * @param selection finds the rows that go, on a fresh view each time; what it throws ends the drop
     * @param force lifts the protection and nothing else
     * @param afterRows runs when the rows are gone, before the bytes go
     * @return the rows that are gone
     * @throws CatalogException what the selection throws; what stands against the deletion; code 14 when others
     *     keep changing what is dropped; code 17 when the store does not answer
     */
    public List<ManifestEntry> drop(
            StorageProfile home,
            Function<ManifestView, List<ManifestEntry>> selection,
            boolean force,
            Runnable afterRows) {
        return leave(home, selection, force, true, afterRows).gone();
    }

    /**
     * Takes objects out of the catalog and leaves the bytes of the tables among them where they are. Whoever calls has marked them as
     * {@link KeptBytes}.
     *
     * @param selection as for {@link #drop}
     * @param force lifts the protection and nothing else
     * @throws CatalogException as {@link #drop} does
     */
    public Released release(StorageProfile home, Function<ManifestView, List<ManifestEntry>> selection, boolean force) {
        return leave(home, selection, force, false, () -> {});
    }

    /**
     * What left the catalog.
     *
     * @param gone the rows that are gone
     * @param revoked how many rights on them were taken back; where the engine did not take that, a worker goes on
     */
    public record Released(List<ManifestEntry> gone, int revoked) {}

    private Released leave(
            StorageProfile home,
            Function<ManifestView, List<ManifestEntry>> selection,
            boolean force,
            boolean bytesToo,
            Runnable afterRows) {
        Leaving leaving = new Leaving(home, bytesToo);
        SelectedRows.Done done = rows.change(home, view -> free(selection.apply(view)), force, leaving);
        List<ManifestEntry> gone = done.gone();
        // Of what a drop before has taken, that one has told.
        Departed.announce(gone.stream().filter(row -> !row.isEnding()).toList(), bytesToo);
        leaving.unmark(gone);
        OptionalInt revoked = end(home, gone, leaving.taken(), leaving.records);
        if (revoked.isPresent()) {
            afterRows.run();
            protections.forget(done.protection());
            trash.forgetFound(leaving.trashed(gone));
            finish(home, bytesToo ? gone : List.of(), leaving.records);
        }
        return new Released(gone, revoked.orElse(0));
    }

    /** A name between which and another rights are moving is freed by who moves them: they would be taken from a table that lives on. */
    private static List<ManifestEntry> free(List<ManifestEntry> selected) {
        return selected.stream().filter(row -> !row.isHeld()).toList();
    }

    /** The rows leave the catalog for good. What their names and places are known by goes with them, as it was when they were looked at. */
    private final class Leaving implements SelectedRows.Change {
        private final StorageProfile home;
        private final boolean bytesToo;
        private List<String> records = List.of();
        private List<TrashRecords.Found> trashed = List.of();
        private Map<String, KeptBytes.Mark> marks = Map.of();
        private long begun;

        Leaving(StorageProfile home, boolean bytesToo) {
            this.home = home;
            this.bytesToo = bytesToo;
        }

        /** What came to stay while its row went is no longer what was looked at. */
        void unmark(List<ManifestEntry> gone) {
            locations(gone)
                    .forEach(location -> Optional.ofNullable(marks.get(location))
                            .ifPresent(mark -> kept.forget(home, location, mark)));
        }

        List<TrashRecords.Found> trashed(List<ManifestEntry> gone) {
            return trashed.stream()
                    .filter(found -> gone.stream().anyMatch(found::isOf))
                    .toList();
        }

        Duration taken() {
            return Duration.ofNanos(System.nanoTime() - begun);
        }

        @Override
        public void ask(List<ManifestEntry> selected) {
            if (bytesToo) {
                check.clones(home, selected).require();
            }
        }

        @Override
        public void prepare(List<ManifestEntry> doomed) {
            begun = System.nanoTime();
            trashed =
                    trash.find(doomed.stream().filter(Drops.this::mayHaveRecord).toList());
            marks = bytesToo ? kept.find(home, locations(doomed)) : Map.of();
            records = bytesToo || endings.areStaged() ? record(home, doomed, bytesToo) : List.of();
        }

        @Override
        public Plan plan(List<ManifestEntry> gone) {
            return endings.plan(gone);
        }

        @Override
        public void withdraw() {
            Drops.this.withdraw(records);
        }
    }

    private static List<String> locations(List<ManifestEntry> entries) {
        return tables(entries).stream().map(Dropped::location).toList();
    }

    /** The record of a live object is one that a recoverable drop has left which did not come to its commit. */
    private boolean mayHaveRecord(ManifestEntry gone) {
        return keepsTrash
                || gone.isTrashed()
                || gone.isNamespace() && gone.parent().isEmpty();
    }

    /**
     * Takes the rights back and frees the names.
     *
     * @return how many rights; nothing when a worker will do that: the objects are gone all the same
     */
    private OptionalInt end(StorageProfile home, List<ManifestEntry> gone, Duration taken, List<String> records) {
        if (!endings.areStaged()) {
            return OptionalInt.of(0);
        }
        // A worker may be at it by now, and somebody else may have the name already.
        if (taken.compareTo(settings.dropGrace().dividedBy(2)) > 0) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(endings.finish(home, gone));
        } catch (RuntimeException e) {
            log.warn("The rights on what was dropped in {} are taken back later.", home, e);
            hasten(records);
            return OptionalInt.empty();
        }
    }

    private static List<Dropped> tables(List<ManifestEntry> entries) {
        List<Dropped> tables = new ArrayList<>();
        for (ManifestEntry entry : entries) {
            String location = entry.location();
            if (entry.restored().isTable() && location != null) {
                tables.add(new Dropped(entry.id(), location));
            }
        }
        return tables;
    }

    private List<String> record(StorageProfile home, List<ManifestEntry> doomed, boolean bytesToo) {
        // Of a table whose bytes stay only the name is told: no worker can take them for bytes that are to go.
        List<String> names = endings.areStaged()
                ? doomed.stream()
                        .filter(entry -> !bytesToo || entry.restored().isNamespace())
                        .map(ManifestEntry::id)
                        .toList()
                : List.of();
        // The names of the namespaces are in the last record, so that they end after what was in them.
        List<String> records = new ArrayList<>(bytesToo ? recordTables(home, tables(doomed)) : List.of());
        if (!names.isEmpty()) {
            records.add(submit(home, List.of(), names));
        }
        return records;
    }

    private List<String> recordTables(StorageProfile home, List<Dropped> doomed) {
        List<String> records = new ArrayList<>();
        for (int from = 0; from < doomed.size(); from += MOST_IN_RECORD) {
            List<Dropped> part = List.copyOf(doomed.subList(from, Math.min(doomed.size(), from + MOST_IN_RECORD)));
            records.add(submit(home, part, List.of()));
        }
        return records;
    }

    private String submit(StorageProfile home, List<Dropped> tables, List<String> namespaces) {
        JobSpec spec = new JobSpec(
                DeleteBytes.NAME,
                tables.size() == 1 ? tables.getFirst().id() : null,
                null,
                new DeleteBytes.Spec(home.place().external(), tables, namespaces),
                settings.dropGrace(),
                true);
        return jobs.submit(spec).id();
    }

    private void finish(StorageProfile home, List<ManifestEntry> gone, List<String> records) {
        List<ManifestEntry> tables =
                gone.stream().filter(entry -> entry.restored().isTable()).toList();
        if (tables.isEmpty()) {
            withdraw(records);
            return;
        }
        CompletableFuture<Void> settled = deletions.delete(home, tables).thenAccept(done -> {
            if (done) {
                withdraw(records);
            } else {
                hasten(records);
            }
        });
        await(settled);
    }

    /** Most clients expect the files to be gone when the answer comes; a large catalog does not keep them waiting for it. */
    private static void await(CompletableFuture<Void> settled) {
        try {
            settled.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.debug("The bytes of a drop go after its answer.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A record that stays is no harm: the worker that takes it finds nothing to do. */
    private void withdraw(List<String> records) {
        for (String record : records) {
            try {
                jobs.withdraw(record);
            } catch (RuntimeException e) {
                log.warn("The record {} of a drop stays; a worker will find it done.", record, e);
            }
        }
    }

    private void hasten(List<String> records) {
        for (String record : records) {
            try {
                jobs.hasten(record);
            } catch (RuntimeException e) {
                log.warn("The deletion {} is tried again after its grace.", record, e);
            }
        }
    }
}
