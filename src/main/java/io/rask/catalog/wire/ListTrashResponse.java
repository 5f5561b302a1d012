package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of what is in the trash.
 *
 * @param trash in the order of the ids
 * @param pageToken absent on the last page
 */
public record ListTrashResponse(
        List<TrashEntry> trash, @Nullable String pageToken) {}
