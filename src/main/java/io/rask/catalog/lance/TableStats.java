package io.rask.catalog.lance;

import java.util.List;

/**
 * How large a version of a table is.
 *
 * @param bytes of its data files
 * @param fragments the rows of each fragment, without deleted ones, smallest first
 */
public record TableStats(long bytes, long rows, long indices, List<Long> fragments) {}
