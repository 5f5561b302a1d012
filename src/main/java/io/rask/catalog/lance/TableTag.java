package io.rask.catalog.lance;

import org.jspecify.annotations.Nullable;

/**
 * A name for one version of a table.
 *
 * @param branch the branch the version is on; null for the main branch
 * @param manifestSize the size of the version's manifest file, in bytes
 */
public record TableTag(String name, @Nullable String branch, long version, long manifestSize) {}
