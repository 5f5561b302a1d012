package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the materialized views of a namespace.
 *
 * @param views their names
 * @param pageToken absent on the last page
 */
public record ListViewsResponse(
        List<String> views, @Nullable String pageToken) {}
