package io.rask.catalog.door;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestProperties;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.ViewKeys;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;

/** Whether the catalog holds a namespace, a table or a view. */
@Component
public final class Existence {
    private final Locator locator;
    private final Manifests manifests;

    Existence(Locator locator, Manifests manifests) {
        this.locator = locator;
        this.manifests = manifests;
    }

    public boolean table(ObjectId id) {
        return isThere(id, view -> view.table(id.stored()).isPresent());
    }

    /** Whether there is a table of the id, and it is that of a materialized view. */
    public boolean view(ObjectId id) {
        return isThere(
                id,
                view -> view.table(id.stored())
                        .filter(row -> ManifestProperties.read(row.metadata()).containsKey(ViewKeys.KIND))
                        .isPresent());
    }

    public boolean namespace(ObjectId id) {
        return isThere(id, view -> view.namespace(id.stored()).isPresent());
    }

    /** The namespace of an id, for who decides by it which rights are needed. */
    Seen seenNamespace(ObjectId id) {
        return namespace(id) ? Seen.there(null) : Seen.NOTHING;
    }

    /** The table of an id, for who decides by it which rights are needed. */
    Seen seenTable(ObjectId id) {
        return look(
                id,
                view -> view.table(id.stored())
                        .map(ManifestEntry::location)
                        .map(Seen::there)
                        .orElse(Seen.NOTHING),
                Seen.NOTHING,
                Seen.there(null));
    }

    private boolean isThere(ObjectId id, Predicate<ManifestView> held) {
        return look(id, held::test, false, true);
    }

    /** What lies in a warehouse that is switched off is there, whether it can be seen or not. */
    private <T> T look(ObjectId id, Function<ManifestView, T> held, T unbound, T hidden) {
        try {
            return locator.locate(id)
                    .map(home -> held.apply(manifests.view(home.root())))
                    .orElse(unbound);
        } catch (CatalogException e) {
            if (e.code() == ErrorCode.PERMISSION_DENIED) {
                return hidden;
            }
            throw e;
        }
    }
}
