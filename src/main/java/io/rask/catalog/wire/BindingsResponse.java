package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which top-level namespace lives in which warehouse. */
public record BindingsResponse(
        List<Entry> bindings, @Nullable String pageToken) {
    /** One binding. */
    public record Entry(String namespace, String warehouse) {}
}
