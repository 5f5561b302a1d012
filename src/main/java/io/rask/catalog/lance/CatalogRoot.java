package io.rask.catalog.lance;

import java.util.Map;

/**
 * Where the tables and the catalog manifest of one warehouse live.
 *
 * @param uri {@code s3://bucket[/prefix]} or an absolute folder path, without a trailing slash
 * @param storageOptions what the library needs to reach it, in the long {@code aws_…} spelling; empty for a folder
 */
public record CatalogRoot(String uri, Map<String, String> storageOptions) {
    public CatalogRoot {
        storageOptions = Map.copyOf(storageOptions);
    }

    /** Whether the root is a folder of this machine or of a shared file system. */
    boolean isFolder() {
        return uri.startsWith("/");
    }

    /** The place of something below the root, given by the relative location that the manifest stores. */
    public String resolve(String location) {
        return uri + "/" + location;
    }

    /** The place alone: storage options hold secrets. */
    @Override
    public String toString() {
        return "CatalogRoot[" + uri + "]";
    }
}
