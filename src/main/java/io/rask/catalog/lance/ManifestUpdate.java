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
import org.lance.operation.Merge;
import org.lance.operation.Operation;
import org.lance.operation.Update;

/**
 * One commit to a manifest that is put together here, without the join that the library's own merge makes. The rows that come are
 * a new fragment; the rows that go are marked where they lie.
 *
 * @param rows the rows that come
 * @param added their fragments, before the commit
 * @param removed the ids that go
 */
record ManifestUpdate(List<ManifestEntry> rows, List<FragmentMetadata> added, List<String> removed, Operation change) {

    /**
     * Rows with new ids. The operation keeps all fragments and conflicts with every other change of rows, by whatever writer, so
     * nobody else can have taken an id or removed a parent meanwhile.
     */
    static ManifestUpdate inserting(
            NativeRuntime runtime,
            CatalogRoot root,
            Dataset manifest,
            ManifestFragments known,
            List<ManifestEntry> rows)
            throws Exception {
        List<FragmentMetadata> fragments = new ArrayList<>(known.byId().values());
        int id = known.nextId(manifest);
        List<FragmentMetadata> added = new ArrayList<>();
        for (FragmentMetadata fragment : write(runtime, root, manifest, rows)) {
            added.add(withId(fragment, id++));
        }
        fragments.addAll(added);
        Merge change = Merge.builder()
                .fragments(fragments)
                .schema(manifest.getSchema())
                .build();
        return new ManifestUpdate(rows, added, List.of(), change);
    }

    /**
     * Changes of rows that are there, none with a new id. Two such changes conflict when they mark rows of one fragment, whichever
     * rows they are.
     *
     * @param rows what replaces some of the rows that go
     * @param gone the rows that go
     */
    static ManifestUpdate replacing(
            NativeRuntime runtime,
            CatalogRoot root,
            Dataset manifest,
            ManifestFragments known,
            List<ManifestEntry> rows,
            List<ManifestRow> gone,
            List<String> removed)
            throws Exception {
        List<FragmentMetadata> marked = new ArrayList<>();
        List<Long> emptied = new ArrayList<>();
        for (Map.Entry<Integer, List<Integer>> rest : offsets(gone).entrySet()) {
            if (known.isAll(rest.getKey(), rest.getValue().size())) {
                emptied.add((long) rest.getKey());
            } else {
                marked.add(marked(manifest.getFragment(rest.getKey()), rest.getValue()));
            }
        }
        List<FragmentMetadata> added = write(runtime, root, manifest, rows);
        Update change = Update.builder()
                .newFragments(added)
                .updatedFragments(marked)
                .removedFragmentIds(emptied)
                .updateMode(Optional.of(Update.UpdateMode.RewriteRows))
                .build();
        return new ManifestUpdate(rows, added, removed, change);
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

    private static FragmentMetadata withId(FragmentMetadata fragment, int id) {
        return new FragmentMetadata(
                id,
                fragment.getFiles(),
                fragment.getPhysicalRows(),
                fragment.getDeletionFile(),
                fragment.getRowIdMeta());
    }

    private static List<FragmentMetadata> write(
            NativeRuntime runtime, CatalogRoot root, Dataset manifest, List<ManifestEntry> rows) throws Exception {
        if (rows.isEmpty()) {
            return List.of();
        }
        try (ArrowReader reader = ManifestRows.reader(runtime.allocator(), manifest.getSchema(), rows);
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(runtime.allocator())) {
            Data.exportArrayStream(runtime.allocator(), reader, stream);
            return Fragment.write()
                    .datasetUri(manifest.uri())
                    .mode(WriteMode.APPEND)
                    .dataStorageVersion(manifest.getLanceFileFormatVersion())
                    .enableStableRowIds(false)
                    .storageOptions(root.storageOptions())
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
