package io.rask.catalog.lance;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An index of a table, as one version has it.
 *
 * @param columns the paths of its columns
 * @param kind the name on the wire of its kind; {@code Unknown} for one that clients cannot ask for
 * @param typeUrl the library's own name of its kind
 * @param indexedRows how many rows that are there it covers
 * @param unindexedRows how many it does not
 * @param segments the parts it is made of; never empty
 * @param createdAt when its first part was made; null where the writer did not say
 * @param version of the format of its files
 * @param details what the library tells of it, as JSON; null where it tells nothing
 * @param metric the distance of an index of vectors; null for others
 */
public record TableIndex(
        String name,
        List<String> columns,
        String kind,
        String typeUrl,
        long indexedRows,
        long unindexedRows,
        List<Segment> segments,
        @Nullable Instant createdAt,
        int version,
        @Nullable String details,
        @Nullable String metric) {

    /**
     * A part of an index.
     *
     * @param elsewhere whether its files belong to the table or branch that this one was made from
     */
    public record Segment(String uuid, boolean elsewhere) {}
}
