package io.rask.catalog.wire;

import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a table's renaming.
 *
 * @param newNamespaceId the namespace to move to; null and empty mean the same one
 * @param newNamespace what LanceDB calls it
 */
public record RenameTableRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotNull String newTableName,
        @Nullable List<@Nullable String> newNamespaceId,
        @Nullable List<@Nullable String> newNamespace)
        implements ObjectBody, DestinationInBody {

    @Override
    public String destinationName() {
        return newTableName;
    }

    @Override
    public @Nullable List<@Nullable String> destinationNamespace() {
        return newNamespaceId == null || newNamespaceId.isEmpty() ? newNamespace : newNamespaceId;
    }
}
