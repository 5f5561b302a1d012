package io.rask.catalog.wire;

import java.util.List;

/**
 * A warehouse that was deleted.
 *
 * @param bucketPurged whether the bytes went too; else they lie where they were
 * @param trashCleared how many objects in the trash went for good
 */
public record DeleteWarehouseResponse(
        String id,
        String bucket,
        List<String> namespacesDropped,
        int tuplesRevoked,
        boolean bucketPurged,
        long objectsPurged,
        int trashCleared) {}
