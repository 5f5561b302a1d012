package io.rask.catalog.lance;

import java.util.function.Function;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;

/** The right to use an open version of a table until it is closed. The dataset itself is shared: never close it. */
final class DatasetLease implements AutoCloseable {
    private final SharedDataset shared;
    private boolean closed;

    /** @param shared entered on behalf of this lease */
    DatasetLease(SharedDataset shared) {
        this.shared = shared;
    }

    Dataset dataset() {
        return shared.dataset();
    }

    /** As {@link SharedDataset#facts}. */
    TableFacts facts(SchemaDialect dialect, Function<Dataset, TableFacts> reading) {
        return shared.facts(dialect, reading);
    }

    /** The columns of the version. */
    Schema schema() {
        return shared.schema();
    }

    /** The bytes of the version's files, deleted rows included. */
    long fileBytes() {
        return shared.fileBytes();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            shared.leave();
        }
    }
}
