package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of an addition of columns. */
public record AddColumnsRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @Nullable List<@Nullable Entry> newColumns)
        implements ObjectBody {

    /**
     * A new column: exactly one of the three says where its values come from.
     *
     * @param expression SQL, computed once
     * @param computed SQL that the column is to be filled by later
     * @param virtualColumn a function outside that is to fill it
     */
    public record Entry(
            @Nullable String name,
            @Nullable String expression,
            @Nullable String computed,
            @Nullable VirtualColumn virtualColumn) {}
}
