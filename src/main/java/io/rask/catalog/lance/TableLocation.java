package io.rask.catalog.lance;

import java.util.HashMap;
import java.util.Map;

/**
 * Where the bytes of one table live.
 *
 * @param uri {@code s3://bucket/…} or an absolute folder path, without a trailing slash; never used again for another table
 * @param storageOptions what the library needs to reach it, in the long {@code aws_…} spelling; empty for a folder
 */
public record TableLocation(String uri, Map<String, String> storageOptions) {
    public TableLocation {
        storageOptions = Map.copyOf(storageOptions);
    }

    /** Whether the table lives in a folder of this machine. */
    boolean isFolder() {
        return uri.startsWith("/");
    }

    /** The options for files that nobody else writes and for deletions: there a request may be repeated when it failed. */
    Map<String, String> repeatingOptions() {
        return repeating(storageOptions);
    }

    /** Options under which the library repeats a failed request, whatever it was. */
    static Map<String, String> repeating(Map<String, String> storageOptions) {
        if (storageOptions.isEmpty()) {
            return storageOptions;
        }
        Map<String, String> repeating = new HashMap<>(storageOptions);
        repeating.put("client_max_retries", "3");
        // One part of a large file may take its time on a slow link.
        repeating.put("timeout", "30s");
        return repeating;
    }

    /** The place alone: storage options hold secrets. */
    @Override
    public String toString() {
        return "TableLocation[" + uri + "]";
    }
}
