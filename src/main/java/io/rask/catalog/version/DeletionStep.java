package io.rask.catalog.version;

import io.rask.catalog.lance.NumberRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Versions that are to be deleted together with other changes, in a form that outlives the server.
 *
 * @param root of the warehouse, as a URI
 * @param table the stored id of the table
 * @param location of the table below the root
 * @param branch null for the main branch
 * @param numbers what goes; none when there was nothing to delete
 * @param count how many versions there were of these numbers
 */
public record DeletionStep(
        String root,
        String table,
        String location,
        @Nullable String branch,
        List<NumberRange> numbers,
        long count) {}
