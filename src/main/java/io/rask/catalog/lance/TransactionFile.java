package io.rask.catalog.lance;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The file of a transaction as the library writes it. */
public final class TransactionFile {
    private static final Map<Integer, String> OPERATIONS = Map.ofEntries(
            Map.entry(100, "append"),
            Map.entry(101, "delete"),
            Map.entry(102, "overwrite"),
            Map.entry(103, "create_index"),
            Map.entry(104, "rewrite"),
            Map.entry(105, "merge"),
            Map.entry(106, "restore"),
            Map.entry(107, "reserve_fragments"),
            Map.entry(108, "update"),
            Map.entry(109, "project"),
            Map.entry(110, "update_config"),
            Map.entry(111, "data_replacement"),
            Map.entry(112, "update_mem_wal_state"),
            Map.entry(113, "clone"),
            Map.entry(114, "update_bases"));

    private TransactionFile() {}

    /**
     * What the transaction did.
     *
     * @param file the whole file; not closed here
     * @param size in bytes
     * @return null for an operation that only newer libraries know
     * @throws IOException when the file is damaged
     */
    public static @Nullable String operation(InputStream file, long size) throws IOException {
        MessageFields fields = MessageFields.ofWhole(file, size);
        while (fields.next()) {
            String operation = OPERATIONS.get(fields.tag());
            if (operation != null) {
                return operation;
            }
            fields.skip();
        }
        return null;
    }
}
