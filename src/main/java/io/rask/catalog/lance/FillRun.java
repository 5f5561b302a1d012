package io.rask.catalog.lance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.fragment.DataFile;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;
import org.lance.operation.DataReplacement.DataReplacementGroup;
import org.lance.operation.Delete;
import org.lance.operation.Update;
import org.lance.operation.Update.UpdateMode;

/** A column being filled, as one version of its table has it. Not to be shared between threads. */
public final class FillRun implements AutoCloseable {
    private static final int MOST_AT_ONCE = 1_000;

    private final Place place;
    private final DatasetLease lease;
    private final FillPlan plan;
    private final long stepRows;
    private final Map<Integer, FilledFragment> filled = new HashMap<>();
    private final Deque<FragmentMetadata> waiting = new ArrayDeque<>();
    private long rowsWaiting;

    /**
     * Where the table is, and what works on it.
     *
     * @param identity tells the branch from another that gets its name
     */
    record Place(
            NativeCalls calls,
            DatasetHandles handles,
            ShapeCommits commits,
            ColumnFiles files,
            ManifestFiles manifests,
            TableLocation location,
            TableVersion branch,
            String identity) {}

    /**
     * What a run comes to.
     *
     * @param assigned rows that got a value
     * @param remaining rows of the table that were not looked at
     * @param version the version that has the values; null when no row was to get one
     */
    public record Outcome(
            long assigned, long remaining, @Nullable Long version) {}

    /** @param lease the latest version of the branch; closed with the run */
    FillRun(Place place, DatasetLease lease, Filling wanted, List<FilledFragment> kept) throws Exception {
        this.place = place;
        this.lease = lease;
        this.plan = FillPlan.of(lease.dataset(), wanted.column(), wanted.where());
        plan.require(lease.dataset(), place.files());
        this.stepRows = wanted.stepRows();
        Map<Integer, FilledFragment> known = new HashMap<>();
        kept.forEach(fragment -> known.put(fragment.id(), fragment));
        Map<Integer, String> eligible = eligible(wanted.readVersion());
        List<FragmentMetadata> missing = new ArrayList<>();
        for (FragmentMetadata fragment : ColumnFiles.unchanged(lease.dataset())) {
            String basis = basis(fragment);
            FilledFragment before = known.get(fragment.getId());
            if (before != null && before.basis().equals(basis)) {
                filled.put(fragment.getId(), before);
            } else if (wanted.readVersion() == null || basis.equals(eligible.get(fragment.getId()))) {
                missing.add(fragment);
            }
        }
        int most = wanted.mostFragments() == null ? Integer.MAX_VALUE : wanted.mostFragments();
        missing.stream().limit(Math.max(0, most - filled.size())).forEach(this::await);
    }

    /** The files of a branch go with it, so what was computed for it is of no use to another of its name. */
    private String basis(FragmentMetadata fragment) {
        return place.identity() + "\n" + plan.basis(fragment);
    }

    private void await(FragmentMetadata fragment) {
        waiting.add(fragment);
        rowsWaiting += fragment.getNumRows();
    }

    private Map<Integer, String> eligible(@Nullable Long version) {
        if (version == null) {
            return Map.of();
        }
        TableVersion wanted = new TableVersion(place.branch().branch(), version);
        try (DatasetLease then = place.handles().open(place.location(), wanted)) {
            return ColumnFiles.unchanged(then.dataset()).stream()
                    .collect(Collectors.toMap(FragmentMetadata::getId, this::basis));
        }
    }

    /** Whether there is nothing left to compute. */
    public boolean isDone() {
        return waiting.isEmpty();
    }

    /** How many rows are still to be looked at. */
    public long rowsWaiting() {
        return rowsWaiting;
    }

    /** The version whose rows the values are computed from. */
    public long version() {
        return lease.dataset().version();
    }

    /**
     * Computes the next fragments; nobody sees the result yet.
     *
     * @return what was computed, to be kept
     * @throws io.rask.catalog.problem.CatalogException code 13 when the expression fails on the data
     */
    public List<FilledFragment> step() {
        List<FragmentMetadata> next = new ArrayList<>();
        long rows = 0;
        while (!waiting.isEmpty() && rows < stepRows && next.size() < MOST_AT_ONCE) {
            FragmentMetadata fragment = waiting.remove();
            rows += fragment.getNumRows();
            next.add(fragment);
        }
        rowsWaiting -= rows;
        return place.calls().stream(() -> {
            try {
                List<FilledFragment> made = computed(next);
                made.forEach(fragment -> filled.put(fragment.id(), fragment));
                return made;
            } catch (Exception e) {
                throw SqlErrors.translate(e, "The backfill");
            }
        });
    }

    private List<FilledFragment> computed(List<FragmentMetadata> fragments) throws Exception {
        Map<Integer, Long> matching = new HashMap<>();
        for (FragmentMetadata fragment : fragments) {
            matching.put(fragment.getId(), matching(fragment));
        }
        Set<Integer> wanted = fragments.stream()
                .map(FragmentMetadata::getId)
                .filter(id -> matching.getOrDefault(id, 0L) > 0)
                .collect(Collectors.toSet());
        Map<Integer, DataFile> written = written(wanted);
        List<FilledFragment> made = new ArrayList<>();
        for (FragmentMetadata fragment : fragments) {
            DataFile file = written.get(fragment.getId());
            long rows = matching.getOrDefault(fragment.getId(), 0L);
            made.add(new FilledFragment(fragment.getId(), basis(fragment), rows, FillPlan.kept(file)));
        }
        return made;
    }

    private long matching(FragmentMetadata fragment) throws Exception {
        if (plan.condition() == null) {
            return fragment.getNumRows();
        }
        ScanOptions options = new ScanOptions.Builder()
                .fragmentIds(List.of(fragment.getId()))
                .filter(plan.condition().filter())
                .build();
        try (LanceScanner rows = lease.dataset().newScan(options)) {
            return rows.countRows();
        }
    }

    /** Computes the values of some fragments. The engine reads whole tables, so it gets one that has no others. */
    private Map<Integer, DataFile> written(Set<Integer> wanted) throws Exception {
        Dataset table = lease.dataset();
        List<Long> others = table.getFragments().stream()
                .filter(fragment -> !wanted.contains(fragment.getId()))
                .map(fragment -> (long) fragment.getId())
                .toList();
        if (wanted.isEmpty()) {
            return Map.of();
        }
        if (others.isEmpty()) {
            return files(table);
        }
        Transaction without = DetachedVersions.transaction(
                table,
                Delete.builder()
                        .updatedFragments(List.of())
                        .deletedFragmentIds(others)
                        .predicate("true")
                        .build());
        TableLocation files = place.branch().place(place.location());
        try (DetachedVersions aside = new DetachedVersions(place.manifests(), files);
                Dataset some = aside.make(table, without)) {
            return files(some);
        }
    }

    private Map<Integer, DataFile> files(Dataset table) throws Exception {
        return place.files().files(place.location(), table, List.of(plan.values()), plan.ids()::get);
    }

    /** What a commit would come to now. */
    public long assigned() {
        return filled.values().stream().mapToLong(FilledFragment::rows).sum();
    }

    /** Whether there is something to commit. */
    public boolean changesRows() {
        return filled.values().stream().anyMatch(fragment -> fragment.file() != null);
    }

    /** The outcome without a commit. */
    public Outcome unchanged() {
        return new Outcome(assigned(), place.calls().metadata(() -> remaining(lease.dataset())), null);
    }

    /**
     * Makes the values the table's.
     *
     * @param transaction the id of the commit, by which {@link ColumnBackfill#landed} tells it
     * @throws io.rask.catalog.problem.CatalogException code 14 when another writer changed the same fragments or the columns; 22 when
     *     the branch is gone, or is another of that name; 17 when it is not known whether it happened
     */
    public Outcome commit(String transaction) {
        return place.calls().stream(() -> {
            try {
                Dataset table = lease.dataset();
                requireSameBranch();
                long version = place.commits()
                        .replace(table, place.location(), place.branch(), change(table), replacements(), transaction);
                TableVersion made = new TableVersion(place.branch().branch(), version);
                try (DatasetLease after = place.handles().open(place.location(), made)) {
                    return new Outcome(assigned(), remaining(after.dataset()), version);
                }
            } catch (Exception e) {
                throw SqlErrors.translate(e, "The backfill");
            }
        });
    }

    private void requireSameBranch() {
        String branch = place.branch().branch();
        if (!place.handles().identity(place.location(), branch).equals(place.identity())) {
            throw DatasetHandles.noBranch(branch);
        }
    }

    private Update change(Dataset table) {
        List<FragmentMetadata> changed = new ArrayList<>();
        for (FragmentMetadata fragment : ColumnFiles.unchanged(table)) {
            Optional.ofNullable(filled.get(fragment.getId()))
                    .map(FilledFragment::file)
                    .ifPresent(file -> changed.add(plan.filled(fragment, file.placeholder())));
        }
        return Update.builder()
                .updatedFragments(changed)
                .removedFragmentIds(List.of())
                .newFragments(List.of())
                .fieldsModified(
                        plan.ids().stream().mapToLong(Integer::longValue).toArray())
                .updateMode(Optional.of(UpdateMode.RewriteColumns))
                .build();
    }

    private List<DataReplacementGroup> replacements() {
        return ColumnFiles.unchanged(lease.dataset()).stream()
                .flatMap(fragment -> replacement(fragment).stream())
                .toList();
    }

    private Optional<DataReplacementGroup> replacement(FragmentMetadata fragment) {
        return Optional.ofNullable(filled.get(fragment.getId()))
                .map(FilledFragment::file)
                .map(file -> new DataReplacementGroup(fragment.getId(), FillPlan.stored(file)));
    }

    /** The rows of a version in fragments that were not looked at. */
    private long remaining(Dataset table) {
        return ColumnFiles.unchanged(table).stream()
                .filter(fragment -> !filled.containsKey(fragment.getId()))
                .mapToLong(FragmentMetadata::getNumRows)
                .sum();
    }

    @Override
    public void close() {
        lease.close();
    }
}
