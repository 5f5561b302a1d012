package io.rask.catalog.wire;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a request for the plan of a query. */
public record ExplainRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @NotNull @Valid QueryRequest query,
        @Nullable Boolean verbose)
        implements ObjectBody {}
