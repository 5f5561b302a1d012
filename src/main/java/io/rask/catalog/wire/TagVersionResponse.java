package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * The version a tag names.
 *
 * @param branch absent for the main branch
 */
public record TagVersionResponse(long version, @Nullable String branch) {}
