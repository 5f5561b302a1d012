package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * The body of a search for orphans.
 *
 * @param minimumAgeSeconds how long nothing must have been written to a folder; absent means an hour
 */
public record ScanOrphansRequest(@Nullable Long minimumAgeSeconds) {}
