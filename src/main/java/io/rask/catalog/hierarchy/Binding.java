package io.rask.catalog.hierarchy;

import io.rask.catalog.record.CatalogRecord;

/**
 * The warehouse in which a top-level namespace lives.
 *
 * @param isShut whether it is being taken away: nothing is found through it any more, and the name is not free yet
 */
public record Binding(String namespace, String warehouse, boolean isShut) {
    static final String SHUT = "shut";

    static Binding of(CatalogRecord record) {
        var content = record.content();
        return new Binding(
                content.path("top_ns").asString(),
                content.path("warehouse_id").asString(),
                content.path(SHUT).asBoolean(false));
    }
}
