package io.rask.catalog.hierarchy;

import io.rask.catalog.storage.StorageProfile;
import org.jspecify.annotations.Nullable;

/**
 * A root that may hold tables.
 *
 * @param project the project it belongs to; null when there are no warehouses
 */
public record WarehouseHome(@Nullable String project, StorageProfile profile) {}
