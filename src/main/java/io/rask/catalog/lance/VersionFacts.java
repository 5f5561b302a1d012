package io.rask.catalog.lance;

import java.util.Map;

/**
 * What a version says of itself.
 *
 * @param metadata counts of rows, files and fragments, by the library's names
 */
public record VersionFacts(long number, long timestampMillis, Map<String, String> metadata) {
    public VersionFacts {
        metadata = Map.copyOf(metadata);
    }
}
