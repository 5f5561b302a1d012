package io.rask.catalog.hierarchy;

import io.rask.catalog.record.CatalogRecord;
import java.time.Instant;

/**
 * A group within one project. Who is in it, and what it was given, is the permission engine's to know.
 *
 * @param createdBy who made it, as identity named them
 * @param ready whether the permission engine was told of it; before, nobody sees it
 * @param ending whether it is being taken away; nothing may be given to it then
 */
public record Role(RoleName name, Instant createdAt, String createdBy, boolean ready, boolean ending) {
    static Role of(CatalogRecord record) {
        var content = record.content();
        return new Role(
                new RoleName(
                        content.path("project").asString(), content.path("role").asString()),
                record.createdAt(),
                content.path("created_by").asString(""),
                content.path("ready").asBoolean(false),
                content.path("ending").asBoolean(false));
    }

    /** Whether it is neither coming nor going. */
    public boolean isThere() {
        return ready && !ending;
    }
}
