package io.rask.catalog.wire;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The body of several changes of tables that happen together or not at all. */
public record BatchCommitRequest(
        @Nullable Map<String, @Nullable String> context,
        @NotEmpty @Size(max = MOST) List<@Valid @NotNull Operation> operations) {
    /** How many changes one request may hold. */
    static final int MOST = 100;

    /** One change: exactly one of the fields is there. */
    public record Operation(
            @Valid @Nullable DeclareTableRequest declareTable,
            @Valid @Nullable CreateVersionRequest createTableVersion,
            @Valid @Nullable DeleteVersionsRequest deleteTableVersions,
            @Valid @Nullable ObjectRequest deregisterTable) {

        /** How many changes it asks for. */
        public long count() {
            return Stream.of(declareTable, createTableVersion, deleteTableVersions, deregisterTable)
                    .filter(Objects::nonNull)
                    .count();
        }
    }
}
