package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of warehouses. */
public record ListWarehousesResponse(
        List<WarehouseResponse> warehouses, @Nullable String pageToken) {}
