package io.rask.catalog.lance;

import org.jspecify.annotations.Nullable;

/**
 * Which values of a computed column are to be made.
 *
 * @param column the path of the column
 * @param where which rows get a value, the others keep theirs; null for all
 * @param readVersion rows that came or changed after this version are left out; null leaves none out
 * @param mostFragments for how many fragments; null for all
 * @param stepRows about how many rows are computed between two moments at which the work can be kept
 */
public record Filling(
        String column,
        @Nullable String where,
        @Nullable Long readVersion,
        @Nullable Integer mostFragments,
        long stepRows) {}
