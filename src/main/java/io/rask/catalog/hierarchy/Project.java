package io.rask.catalog.hierarchy;

import io.rask.catalog.record.CatalogRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A tenant: what owns warehouses.
 *
 * @param createdBy who made it, as identity named them
 * @param isProtected whether a delete without force is refused
 * @param protectionSetBy who said so last; null when nobody has since the creation
 * @param deleting whether a delete has begun; nothing new may be put into the project then
 */
public record Project(
        String id,
        Instant createdAt,
        String createdBy,
        boolean isProtected,
        @Nullable String protectionSetBy,
        boolean deleting) {
    static Project of(CatalogRecord record) {
        var content = record.content();
        return new Project(
                content.path("id").asString(),
                record.createdAt(),
                content.path("created_by").asString(""),
                content.path("protected").asBoolean(false),
                content.path("protection_set_by").asStringOpt().orElse(null),
                content.path("deleting").asBoolean(false));
    }
}
