package io.rask.catalog.lance;

import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Version;

/**
 * One open version of a table with a count of its users: it is closed when it is retired and the last user has left. What a version
 * says of itself never changes, and the library builds it anew for each question; so it is asked once.
 */
final class SharedDataset {
    private record Numbers(long version, long fileBytes) {}

    private final Dataset dataset;
    /** Softly held: the schema of a table may be large, and many tables are open. */
    private final Map<SchemaDialect, SoftReference<TableFacts>> facts = new ConcurrentHashMap<>();
    /** Softly held as well. */
    private volatile SoftReference<Schema> schema = new SoftReference<>(null);

    private volatile @Nullable Numbers numbers;

    private int users;
    private boolean retired;

    SharedDataset(Dataset dataset) {
        this.dataset = dataset;
    }

    Dataset dataset() {
        return dataset;
    }

    /** What the version says of itself, which never changes; read by the caller's means where it is not known yet. */
    TableFacts facts(SchemaDialect dialect, Function<Dataset, TableFacts> reading) {
        SoftReference<TableFacts> held = facts.get(dialect);
        @Nullable TableFacts known = held == null ? null : held.get();
        if (known != null) {
            return known;
        }
        TableFacts read = reading.apply(dataset);
        facts.put(dialect, new SoftReference<>(read));
        return read;
    }

    /** The number of the version that is open. */
    long version() {
        return numbers().version();
    }

    /** The bytes of the version's files, deleted rows included. */
    long fileBytes() {
        return numbers().fileBytes();
    }

    private Numbers numbers() {
        Numbers known = numbers;
        if (known == null) {
            Version described = dataset.getVersion();
            known = new Numbers(
                    described.getId(), described.getManifestSummary().getTotalFilesSize());
            numbers = known;
        }
        return known;
    }

    /** The columns of the version. */
    Schema schema() {
        @Nullable Schema known = schema.get();
        if (known == null) {
            known = dataset.getSchema();
            schema = new SoftReference<>(known);
        }
        return known;
    }

    /** Whether the caller may use the version: false once it is retired. Each success needs one {@link #leave()}. */
    synchronized boolean enter() {
        if (retired) {
            return false;
        }
        users++;
        return true;
    }

    synchronized void leave() {
        users--;
        closeWhenUnused();
    }

    synchronized void retire() {
        retired = true;
        closeWhenUnused();
    }

    private void closeWhenUnused() {
        if (retired && users == 0 && !dataset.closed()) {
            dataset.close();
        }
    }
}
