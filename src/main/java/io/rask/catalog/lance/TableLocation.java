package io.rask.catalog.lance;

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

    /** The place alone: storage options hold secrets. */
    @Override
    public String toString() {
        return "TableLocation[" + uri + "]";
    }
}
