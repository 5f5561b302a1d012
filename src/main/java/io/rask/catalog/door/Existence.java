package io.rask.catalog.door;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestProperties;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.ViewKeys;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
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

    /** What lies in a warehouse that is switched off is there, whether it can be seen or not. */
    private boolean isThere(ObjectId id, Predicate<ManifestView> held) {
        try {
            return locator.locate(id)
                    .map(home -> held.test(manifests.view(home.root())))
                    .orElse(false);
        } catch (CatalogException e) {
            if (e.code() == ErrorCode.PERMISSION_DENIED) {
                return true;
            }
            throw e;
        }
    }
}
