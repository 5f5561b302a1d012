package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of tables, by name. No token means the last page. */
public record ListTablesResponse(
        List<String> tables, @Nullable String pageToken) {}
