package io.rask.catalog.version;

import org.jspecify.annotations.Nullable;

/**
 * The transaction that made a version of a table.
 *
 * @param place names it among those of all tables, for as long as the table's bytes are where they are
 * @param branch null for the main branch
 * @param uuid null where the version does not tell
 * @param readVersion what it began from; null where the version does not tell
 * @param operation what it did, such as {@code append}; null where its file is gone, or of a newer kind
 * @param timestampMillis when it happened, in milliseconds since 1970
 */
public record VersionTransaction(
        String place,
        @Nullable String branch,
        long version,
        @Nullable String uuid,
        @Nullable Long readVersion,
        @Nullable String operation,
        long timestampMillis) {}
