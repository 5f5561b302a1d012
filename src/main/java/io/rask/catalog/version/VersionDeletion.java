package io.rask.catalog.version;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.DatasetHandles;
import io.rask.catalog.lance.DeletedVersions;
import io.rask.catalog.lance.NumberRange;
import io.rask.catalog.lance.NumberRanges;
import io.rask.catalog.lance.RefChanges;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.lance.TableVersions;
import io.rask.catalog.lifecycle.DeletionCheck;
import io.rask.catalog.lifecycle.DryRuns;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.storage.StoreFiles.Found;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.DeleteVersionsRequest;
import io.rask.catalog.wire.DryRunResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Deletes versions by number. Their manifest files go; the files of their rows stay, because other versions may need them, and are
 * for maintenance to clean. The deletion has happened as soon as it is noted, before the first file goes.
 */
@Component
public final class VersionDeletion {
    private static final int WIDTH = 8;
    private static final int BATCH = 200;

    private final Tables tables;
    private final TableVersions versions;
    private final RefChanges changes;
    private final DeletedVersions deleted;
    private final DatasetHandles handles;
    private final DeletionCheck check;
    private final StoreFiles files;

    VersionDeletion(
            Tables tables,
            TableVersions versions,
            RefChanges changes,
            DeletedVersions deleted,
            DatasetHandles handles,
            DeletionCheck check,
            StoreFiles files) {
        this.tables = tables;
        this.versions = versions;
        this.changes = changes;
        this.deleted = deleted;
        this.handles = handles;
        this.check = check;
        this.files = files;
    }

    /**
     * Deletes the versions of the ranges that are there.
     *
     * @param force lifts the protection of the table and nothing else
     * @return how many went
     * @throws CatalogException code 13 for a range that is none, 22 for an unknown branch, 19 when the latest version would go, or
     *     one that a tag, a branch or a shallow clone needs, or when the table is protected
     */
    long delete(ObjectId id, @Nullable String named, List<DeleteVersionsRequest.Range> asked, boolean force) {
        List<NumberRange> ranges = ranges(asked);
        PlacedTable table = tables.require(id);
        TableVersion branch = TableVersion.ofBranch(named);
        requireReadable(table, branch, force);
        return changes.alone(table.location(), turn -> {
            DeletionStep step = prepare(table, branch, ranges, force);
            turn.require();
            delete(table.home(), step, turn);
            return step.count();
        });
    }

    /** What {@link #delete(ObjectId, String, List, boolean)} would do: each version that is there and would go. */
    DryRunResponse planDelete(
            ObjectId id, @Nullable String named, List<DeleteVersionsRequest.Range> asked, boolean force) {
        List<NumberRange> ranges = ranges(asked);
        PlacedTable table = tables.require(id);
        TableVersion branch = TableVersion.ofBranch(named);
        versions.describe(table.location(), branch);
        NumberRanges wanted = NumberRanges.NONE.with(ranges);
        List<DryRunResponse.Planned> doomed = VersionFiles.of(table, branch.branch()).all(files).keySet().stream()
                .filter(wanted::contains)
                .map(number -> new DryRunResponse.Planned("version", String.valueOf(number), null))
                .toList();
        return DryRuns.of(doomed, null, List.of(() -> {
            check.protection(List.of(table.entry()), force).require();
            prepare(table, branch, ranges, force);
        }));
    }

    /** What a branch is deleted of must be there, and not be protected; both are known before others are kept waiting. */
    private void requireReadable(PlacedTable table, TableVersion branch, boolean force) {
        check.protection(List.of(table.entry()), force).require();
        versions.describe(table.location(), branch);
    }

    /**
     * Checks a deletion that is to happen together with other changes; while {@link RefChanges} gives the right to.
     *
     * @throws CatalogException as {@link #delete(ObjectId, String, List, boolean)} does
     */
    public DeletionStep prepare(
            PlacedTable table, @Nullable String named, List<DeleteVersionsRequest.Range> asked, boolean force) {
        List<NumberRange> ranges = ranges(asked);
        TableVersion branch = TableVersion.ofBranch(named);
        requireReadable(table, branch, force);
        return prepare(table, branch, ranges, force);
    }

    private DeletionStep prepare(PlacedTable table, TableVersion branch, List<NumberRange> ranges, boolean force) {
        NavigableMap<Long, Found> present =
                VersionFiles.of(table, branch.branch()).all(files);
        NumberRanges wanted = NumberRanges.NONE.with(ranges);
        long latest = present.lastKey();
        if (wanted.contains(latest)) {
            throw CatalogException.of(
                    ErrorCode.INVALID_TABLE_STATE,
                    "Version " + latest + " is the latest and stays; end the range before it.");
        }
        long count = present.keySet().stream().filter(wanted::contains).count();
        if (count > 0) {
            check.versions(table.home(), table.entry(), branch.branch(), wanted::contains, force)
                    .require();
        }
        return new DeletionStep(
                table.home().place().external(),
                table.id().stored(),
                table.relativeLocation(),
                branch.branch(),
                count == 0 ? List.of() : below(latest, ranges),
                count);
    }

    /** Deletes the versions; a repeat deletes what is left. */
    public void delete(StorageProfile home, DeletionStep step, RefChanges.Turn turn) {
        if (step.numbers().isEmpty()) {
            return;
        }
        TableLocation location = new TableLocation(home.root().resolve(step.location()), home.serverOptions());
        deleted.add(location, step.branch(), step.numbers());
        handles.invalidate(location.uri());
        VersionFiles place = VersionFiles.of(home, step.location(), step.branch());
        NavigableMap<Long, Found> doomed = place.all(files);
        NumberRanges numbers = NumberRanges.NONE.with(step.numbers());
        doomed.keySet().removeIf(number -> !numbers.contains(number));
        remove(place, List.copyOf(doomed.values()), turn);
    }

    private void remove(VersionFiles place, List<Found> doomed, RefChanges.Turn turn) {
        for (int from = 0; from < doomed.size(); from += BATCH) {
            turn.require();
            Fanout.map(doomed.subList(from, Math.min(doomed.size(), from + BATCH)), WIDTH, file -> {
                files.delete(place.home(), place.location(file.name()));
                return true;
            });
        }
    }

    /** Numbers that are not taken yet stay free. */
    private static List<NumberRange> below(long latest, List<NumberRange> ranges) {
        return ranges.stream()
                .filter(range -> range.first() < latest)
                .map(range -> new NumberRange(range.first(), Math.min(range.last(), latest - 1)))
                .toList();
    }

    /** Ranges without a number are left out: {@code [0, 1)} names none, and neither does {@code [3, 3)}. */
    private static List<NumberRange> ranges(List<DeleteVersionsRequest.Range> asked) {
        List<NumberRange> ranges = new ArrayList<>();
        for (DeleteVersionsRequest.Range range : asked) {
            long first = range.startVersion();
            long end = range.endVersion() == -1 ? Long.MAX_VALUE : range.endVersion();
            if (first < 0 || end < first) {
                throw CatalogException.invalid(
                        "A range begins at version 0 or later and ends behind it, or with -1 at the latest version.",
                        List.of(new FieldViolation("ranges", "must go up")));
            }
            if (end - 1 >= Math.max(first, 1)) {
                ranges.add(new NumberRange(Math.max(first, 1), end - 1));
            }
        }
        return ranges;
    }
}
