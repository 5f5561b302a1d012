package io.rask.catalog.wire;

import java.util.List;

/** A warehouse that was deleted. */
public record DeleteWarehouseResponse(
        String id,
        String bucket,
        List<String> namespacesDropped,
        int tuplesRevoked,
        boolean bucketPurged,
        long objectsPurged) {}
