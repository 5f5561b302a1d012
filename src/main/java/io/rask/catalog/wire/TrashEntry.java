package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * Something in the trash.
 *
 * @param id the stored id
 * @param kind {@code table} or {@code namespace}
 * @param location the place of a table as a URI; absent for a namespace
 * @param droppedBy who dropped it
 * @param droppedAt when
 * @param expiresAt from when on its bytes may be deleted
 * @param expired whether that is over; it can be brought back all the same as long as it is listed
 * @param droppedWith the stored id of the namespace it went with; absent when it was dropped itself
 */
public record TrashEntry(
        String id,
        String kind,
        @Nullable String location,
        @Nullable String droppedBy,
        @Nullable String droppedAt,
        @Nullable String expiresAt,
        boolean expired,
        @Nullable String droppedWith) {}
