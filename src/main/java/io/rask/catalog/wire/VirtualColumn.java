package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a function that fills columns, whole or as far as it changes.
 *
 * @param outputs the columns it fills; absent in an older form, which has {@code dataType} for the one column
 * @param udf the function itself, in a form the catalog does not read
 */
public record VirtualColumn(
        @Nullable List<@Nullable String> inputColumns,
        @Nullable List<@Nullable Output> outputs,
        @Nullable Object dataType,
        @Nullable String image,
        @Nullable String udf,
        @Nullable String udfName,
        @Nullable String udfVersion,
        @Nullable String udfBackend,
        @Nullable Boolean autoBackfill,
        @Nullable String manifest,
        @Nullable String manifestChecksum,
        @Nullable Map<String, @Nullable String> fieldMetadata) {

    /**
     * A column the function fills.
     *
     * @param structField the field of the function's result that it takes
     */
    public record Output(
            @Nullable String column,
            @Nullable String structField,
            @Nullable Object dataType,
            @Nullable Boolean nullable,
            @Nullable Map<String, @Nullable String> metadata) {}
}
