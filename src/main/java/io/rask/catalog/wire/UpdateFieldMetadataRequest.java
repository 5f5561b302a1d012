package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a change of the metadata of fields. */
public record UpdateFieldMetadataRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @Nullable List<@Nullable Entry> updates)
        implements ObjectBody {

    /**
     * What changes about one field.
     *
     * @param metadata new values by key; null takes a key away
     * @param replace whether what is not named goes; absent means that it stays
     */
    public record Entry(
            @Nullable String path,
            @Nullable Map<String, @Nullable String> metadata,
            @Nullable Boolean replace) {}
}
