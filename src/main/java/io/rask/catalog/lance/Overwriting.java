package io.rask.catalog.lance;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.FragmentMetadata;
import org.lance.operation.Operation;
import org.lance.operation.Overwrite;

/**
 * One overwrite of all rows of a table. Where others depend on whether it happens, they are told its id before the commit, and the
 * version it makes carries the id in its configuration, which later versions keep; of two such overwrites that began from
 * the same version, the library refuses the second.
 *
 * @param transaction the id of the transaction that makes it
 * @param told gets the id before the commit; null where nobody needs it
 */
record Overwriting(String transaction, @Nullable Consumer<String> told) {
    /** Where a version tells the last overwrite that was announced. */
    static final String CONFIG = "rask.overwrite";

    /** An overwrite of which nobody is told. */
    static Overwriting plain() {
        return new Overwriting(UUID.randomUUID().toString(), null);
    }

    /** An overwrite that is announced. */
    static Overwriting announced(Consumer<String> told) {
        return new Overwriting(UUID.randomUUID().toString(), told);
    }

    /** The change to commit next; whoever is to be told has been when this returns. */
    Operation begin(List<FragmentMetadata> files, Schema schema) {
        Overwrite.Builder change = Overwrite.builder().fragments(files).schema(schema);
        if (told != null) {
            told.accept(transaction);
            change.configUpsertValues(Map.of(CONFIG, transaction));
        }
        return change.build();
    }
}
