package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/** Which page of a listing is asked for. */
public record PageQuery(
        @Nullable String pageToken, @Nullable Long limit) {}
