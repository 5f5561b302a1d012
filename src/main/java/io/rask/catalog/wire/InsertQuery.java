package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/** The query of an insert; the body is an Arrow stream. */
public record InsertQuery(
        @Nullable InsertMode mode, @Nullable String branch) {}
