package io.rask.catalog.protection;

import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lifecycle.Protections;
import io.rask.catalog.lifecycle.Protections.Protection;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.wire.ProtectionResponse;
import java.util.Map;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** The protection of tables and namespaces that the catalog holds. */
@Component
final class ObjectProtection {
    private final Locator locator;
    private final Manifests manifests;
    private final Protections protections;

    ObjectProtection(Locator locator, Manifests manifests, Protections protections) {
        this.locator = locator;
        this.manifests = manifests;
        this.protections = protections;
    }

    private record Placed(StorageProfile home, ManifestEntry row) {}

    /** Code 4 when there is no such table. */
    ProtectionResponse ofTable(ObjectId id) {
        return told(id, protections.of(table(id).row()));
    }

    /** Code 1 when there is no such namespace. */
    ProtectionResponse ofNamespace(ObjectId id) {
        return told(id, protections.of(namespace(id).row()));
    }

    /** Code 4 when there is no such table. */
    ProtectionResponse protectTable(ObjectId id, boolean isProtected, String by) {
        return set(table(id), id, isProtected, by, EventType.TABLE_UPDATED, Absence::table);
    }

    /** Code 1 when there is no such namespace. */
    ProtectionResponse protectNamespace(ObjectId id, boolean isProtected, String by) {
        return set(namespace(id), id, isProtected, by, EventType.NAMESPACE_UPDATED, Absence::namespace);
    }

    private ProtectionResponse set(
            Placed placed,
            ObjectId id,
            boolean isProtected,
            String by,
            EventType type,
            Function<ObjectId, CatalogException> absent) {
        if (!protections.set(placed.home(), placed.row(), isProtected, by)) {
            throw absent.apply(id);
        }
        Announcements.add(
                type.ofView(placed.row().isView()), id.stored(), Map.of("protected", String.valueOf(isProtected)));
        return told(id, new Protection(isProtected, by));
    }

    private Placed table(ObjectId id) {
        return locator.locate(id)
                .flatMap(home -> manifests.view(home.root()).table(id.stored()).map(row -> new Placed(home, row)))
                .orElseThrow(() -> Absence.table(id));
    }

    private Placed namespace(ObjectId id) {
        if (id.isRoot()) {
            throw CatalogException.invalid(
                    "The root is no namespace that could be dropped, so it needs no protection.");
        }
        return locator.locate(id)
                .flatMap(home ->
                        manifests.view(home.root()).namespace(id.stored()).map(row -> new Placed(home, row)))
                .orElseThrow(() -> Absence.namespace(id));
    }

    private static ProtectionResponse told(ObjectId id, Protection protection) {
        return new ProtectionResponse(id.stored(), protection.isProtected(), protection.setBy());
    }
}
