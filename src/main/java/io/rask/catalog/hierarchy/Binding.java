package io.rask.catalog.hierarchy;

import io.rask.catalog.record.CatalogRecord;

/** The warehouse in which a top-level namespace lives. */
public record Binding(String namespace, String warehouse) {
    static Binding of(CatalogRecord record) {
        var content = record.content();
        return new Binding(
                content.path("top_ns").asString(), content.path("warehouse_id").asString());
    }
}
