package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An index.
 *
 * @param indexUuid that of its first part
 * @param columns the paths of its columns
 * @param status always {@code SUCCEEDED}: an index that is being made is none yet
 * @param sizeBytes of its files; absent where they cannot be told from another table's
 * @param numSegments the parts it is made of
 * @param createdAt in the form of RFC 3339
 * @param indexDetails JSON in a text
 */
public record IndexContent(
        String indexName,
        String indexUuid,
        List<String> columns,
        String status,
        String indexType,
        String typeUrl,
        long numIndexedRows,
        long numUnindexedRows,
        @Nullable Long sizeBytes,
        int numSegments,
        @Nullable String createdAt,
        int indexVersion,
        @Nullable String indexDetails) {}
