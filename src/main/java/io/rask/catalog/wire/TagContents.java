package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What a tag names.
 *
 * @param branch absent for the main branch
 * @param manifestSize in bytes
 */
public record TagContents(
        @Nullable String branch,
        long version,
        @JsonProperty("manifestSize") long manifestSize) {}
