package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A version of a table.
 *
 * @param manifestPath of its manifest file, below the table's location
 * @param manifestSize in bytes
 * @param eTag of the manifest file, where its store has one
 * @param timestampMillis when it was made, in milliseconds since 1970
 * @param metadata counts of rows and files, where one version is asked for; empty in a list
 */
public record VersionEntry(
        long version,
        String manifestPath,
        long manifestSize,
        @Nullable String eTag,
        long timestampMillis,
        @Nullable Map<String, String> metadata) {

    /** The same moment in the form of RFC 3339, which LanceDB's older clients read. */
    @JsonProperty("timestamp")
    public String timestamp() {
        return Instant.ofEpochMilli(timestampMillis).toString();
    }
}
