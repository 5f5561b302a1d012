package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The body of a warehouse's creation.
 *
 * @param bucket absent means the id
 * @param root absent means the place derived from the bucket
 * @param credential the name of a credential reference of the project
 * @param isProtected whether a delete without force is refused
 */
public record CreateWarehouseRequest(
        @Nullable String id,
        @Nullable String project,
        @Nullable String bucket,
        @Nullable String root,
        @Nullable String endpoint,
        @Nullable String region,
        @Nullable String credential,
        @JsonProperty("protected") @Nullable Boolean isProtected)
        implements NamedInBody {
    @Override
    public @Nullable String newName() {
        return id;
    }

    @Override
    public @Nullable String holderName() {
        return project;
    }
}
