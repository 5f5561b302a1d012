package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a table's declaration. */
public record DeclareTableRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String location,
        @Nullable Boolean vendCredentials,
        @Nullable Map<String, @Nullable String> properties)
        implements ObjectBody {}
