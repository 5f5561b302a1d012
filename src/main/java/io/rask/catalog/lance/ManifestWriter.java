package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.Dataset;
import org.lance.merge.MergeInsertParams;
import org.lance.merge.MergeInsertResult;
import org.lance.merge.MergeInsertStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes one change to a manifest, in the cheapest form that conflicts with every change it depends on. */
final class ManifestWriter {
    private static final Logger log = LoggerFactory.getLogger(ManifestWriter.class);

    private final Manifest manifest;
    private final NativeRuntime runtime;

    ManifestWriter(Manifest manifest, NativeRuntime runtime) {
        this.manifest = manifest;
        this.runtime = runtime;
    }

    /** Whether the change was committed; false when another writer was first. */
    boolean write(ManifestSnapshot now, ManifestOverlay.Difference difference) throws Exception {
        Dataset dataset = manifest.dataset();
        if (!ManifestFragments.isPlainlyNumbered(dataset)) {
            return merge(difference);
        }
        if (difference.onlyInserts()) {
            return update(() -> ManifestUpdate.inserting(
                            runtime, manifest.root(), dataset, manifest.fragments(), difference.inserted()))
                    && crowdMerged(now);
        }
        return difference.inserted().isEmpty()
                ? update(() -> replacing(now, difference.rows(), difference.removed()))
                : merge(difference);
    }

    private ManifestUpdate replacing(ManifestSnapshot now, List<ManifestEntry> rows, List<String> removed)
            throws Exception {
        List<ManifestRow> gone = Stream.concat(rows.stream().map(ManifestEntry::id), removed.stream())
                .flatMap(id -> now.row(id).stream())
                .toList();
        return ManifestUpdate.replacing(
                runtime, manifest.root(), manifest.dataset(), manifest.fragments(), rows, gone, removed);
    }

    /**
     * Writes the rows of small fragments together when there are many. If another writer is first, the next commit tries again.
     *
     * @return true: what came before it stands
     */
    private boolean crowdMerged(ManifestSnapshot now) {
        try {
            List<ManifestEntry> rows = now.in(manifest.fragments().toMerge()).stream()
                    .map(ManifestRow::entry)
                    .toList();
            if (!rows.isEmpty()) {
                update(() -> replacing(now, rows, List.of()));
            }
        } catch (Exception e) {
            log.debug("The fragments of the manifest of {} stay as they are for now.", manifest.root(), e);
        }
        return true;
    }

    private boolean update(Callable<ManifestUpdate> prepared) throws Exception {
        ManifestUpdate update;
        Dataset next;
        try {
            update = prepared.call();
            next = update.commit(manifest.dataset());
        } catch (Exception e) {
            return lostRace(e);
        }
        try {
            manifest.committed(next, update);
        } catch (Exception e) {
            // The commit stands; the next reader loads what could not be loaded now.
            log.debug("The manifest of {} could not be read after a commit.", manifest.root(), e);
        }
        return true;
    }

    /** The library's own merge, for changes that both take new ids and change rows: one commit, but a join of all rows. */
    private boolean merge(ManifestOverlay.Difference difference) throws Exception {
        MergeInsertResult result;
        try (ArrowReader rows = ManifestRows.reader(
                        runtime.allocator(), manifest.dataset().getSchema(), difference.rows());
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(runtime.allocator())) {
            Data.exportArrayStream(runtime.allocator(), rows, stream);
            result = manifest.dataset().mergeInsert(merge(difference.removed()), stream);
        } catch (Exception e) {
            return lostRace(e);
        }
        MergeInsertStats stats = result.stats();
        boolean meant = stats.numInsertedRows() == difference.inserted().size()
                && stats.numUpdatedRows()
                        == difference.rewritten().size() + difference.reliedOn().size()
                && stats.numDeletedRows() == difference.removed().size();
        try {
            manifest.load(result.dataset());
        } catch (Exception e) {
            log.debug("The manifest of {} could not be read after a commit.", manifest.root(), e);
        }
        if (!meant) {
            throw CatalogException.unavailable(
                    "The outcome of the change is not known; look at the object before you try again.",
                    new IllegalStateException("a merge of the manifest meant " + difference + " and did " + stats));
        }
        return true;
    }

    private static MergeInsertParams merge(List<String> removed) {
        // Without a condition on rows that the source lacks, the library takes an indexed path that overwrites what it
        // should not.
        String gone = removed.isEmpty() ? "object_id = '__none__'" : "object_id IN (" + quoted(removed) + ")";
        return new MergeInsertParams(List.of("object_id"))
                .withMatchedUpdateAll()
                .withNotMatched(MergeInsertParams.WhenNotMatched.InsertAll)
                .withNotMatchedBySourceDeleteIf(gone)
                .withConflictRetries(0);
    }

    private static String quoted(List<String> ids) {
        return ids.stream().map(id -> "'" + id.replace("'", "''") + "'").collect(Collectors.joining(", "));
    }

    /** False when the failure means that another writer was first; any other failure is thrown again. */
    private static boolean lostRace(Exception failure) throws Exception {
        NativeErrors.Cause cause = NativeErrors.cause(failure);
        // A file that is gone was read, not written: upkeep has removed the version the change began from.
        if (cause == NativeErrors.Cause.CONFLICT || cause == NativeErrors.Cause.ABSENT) {
            return false;
        }
        throw failure;
    }
}
