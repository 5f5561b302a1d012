package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.WriteParams.WriteMode;
import org.lance.operation.Update;

/**
 * One commit to a manifest: the rows that come are a new fragment, the rows that go are marked where they lie. Two such commits
 * that mark rows of one fragment conflict, whichever rows they are.
 *
 * @param added the new fragments, before the commit gives them their ids
 */
record ManifestUpdate(
        ManifestOverlay.Difference difference, List<ManifestEntry> rows, List<FragmentMetadata> added, Update change) {

    /** Writes the files of a change; nobody sees them before {@link #commit}. */
    static ManifestUpdate prepare(
            NativeRuntime runtime,
            CatalogRoot root,
            Dataset manifest,
            ManifestFragments fragments,
            ManifestOverlay.Difference difference)
            throws Exception {
        List<ManifestEntry> rows = difference.rows();
        List<FragmentMetadata> added = rows.isEmpty() ? List.of() : write(runtime, root, manifest, rows);
        List<FragmentMetadata> marked = new ArrayList<>();
        List<Long> emptied = new ArrayList<>();
        for (Map.Entry<Integer, List<Integer>> gone : offsets(difference.gone()).entrySet()) {
            if (fragments.isAll(gone.getKey(), gone.getValue().size())) {
                emptied.add((long) gone.getKey());
            } else {
                marked.add(marked(manifest.getFragment(gone.getKey()), gone.getValue()));
            }
        }
        Update change = Update.builder()
                .newFragments(added)
                .updatedFragments(marked)
                .removedFragmentIds(emptied)
                .updateMode(Optional.of(Update.UpdateMode.RewriteRows))
                .build();
        return new ManifestUpdate(difference, rows, added, change);
    }

    /** Makes the change, unless another writer was first. */
    Dataset commit(Dataset manifest) {
        try (Transaction transaction = new Transaction.Builder()
                .readVersion(manifest.version())
                .operation(change)
                .build()) {
            return new CommitBuilder(manifest).maxRetries(0).execute(transaction);
        }
    }

    private static List<FragmentMetadata> write(
            NativeRuntime runtime, CatalogRoot root, Dataset manifest, List<ManifestEntry> rows) throws Exception {
        try (ArrowReader reader = ManifestRows.reader(runtime.allocator(), manifest.getSchema(), rows);
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(runtime.allocator())) {
            Data.exportArrayStream(runtime.allocator(), reader, stream);
            return Fragment.write()
                    .datasetUri(manifest.uri())
                    .mode(WriteMode.APPEND)
                    .dataStorageVersion(manifest.getLanceFileFormatVersion())
                    .enableStableRowIds(false)
                    .storageOptions(TableLocation.repeating(root.storageOptions()))
                    .allocator(runtime.allocator())
                    .data(stream)
                    .execute();
        }
    }

    private static Map<Integer, List<Integer>> offsets(List<ManifestRow> gone) {
        Map<Integer, List<Integer>> offsets = new TreeMap<>();
        for (ManifestRow row : gone) {
            offsets.computeIfAbsent(row.fragment(), any -> new ArrayList<>()).add(row.offset());
        }
        return offsets;
    }

    private static FragmentMetadata marked(Fragment fragment, List<Integer> offsets) {
        long rows = fragment.metadata().getPhysicalRows();
        if (offsets.stream().anyMatch(offset -> offset < 0 || offset >= rows)) {
            // The library does not check this, and a fragment with such a mark can never be read again.
            throw new IllegalStateException("rows " + offsets + " are not in a fragment of " + rows);
        }
        return Objects.requireNonNull(fragment.deleteRows(offsets), "a fragment with rows left has vanished");
    }
}
