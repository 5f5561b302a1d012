package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a change of columns. */
public record AlterColumnsRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @Nullable List<@Nullable Entry> alterations)
        implements ObjectBody {

    /**
     * What changes about one column; the absent stays.
     *
     * @param dataType an object with the name of the new type
     */
    public record Entry(
            @Nullable String path,
            @Nullable Object dataType,
            @Nullable String rename,
            @Nullable Boolean nullable,
            @Nullable VirtualColumn virtualColumn) {}
}
