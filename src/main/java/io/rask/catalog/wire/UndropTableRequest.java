package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body that brings a table back from the trash.
 *
 * @param newTableName the name it is to have; absent for the one it had
 * @param newNamespaceId the namespace it is to come back to; null and empty for the one it was in
 */
public record UndropTableRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String newTableName,
        @Nullable List<@Nullable String> newNamespaceId)
        implements ObjectBody, DestinationInBody {

    @Override
    public @Nullable String destinationName() {
        return newTableName;
    }

    @Override
    public @Nullable List<@Nullable String> destinationNamespace() {
        return newNamespaceId;
    }

    @Override
    public boolean moves() {
        return newTableName != null || (newNamespaceId != null && !newNamespaceId.isEmpty());
    }
}
