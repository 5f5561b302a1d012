package io.rask.catalog.lifecycle;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Seeding;
import io.rask.catalog.hierarchy.BindingRegistry;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.platform.RequestBound;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Tells the permission engine of top-level namespaces. One that is taken over comes with what lies in it: all of that is tied before the
 * namespace itself is, so that nobody reaches a part of it. The binding says how far it is, and a repeat by the maker goes on from there.
 */
@Component
public final class TopLevelRights {
    private static final int AT_ONCE = 500;

    private final Ownership ownership;
    private final Seeding seeding;
    private final BindingRegistry bindings;
    private final TopLevelNamespaces topLevel;
    private final Manifests manifests;

    TopLevelRights(
            Ownership ownership,
            Seeding seeding,
            BindingRegistry bindings,
            TopLevelNamespaces topLevel,
            Manifests manifests) {
        this.ownership = ownership;
        this.seeding = seeding;
        this.bindings = bindings;
        this.topLevel = topLevel;
        this.manifests = manifests;
    }

    /** The maker as bindings note it; null where no rights are kept. */
    public @Nullable String noted(Principal maker) {
        return ownership.isKept() ? maker.subject() : null;
    }

    /** Whether a caller has made a namespace that the engine was not told of. */
    public boolean await(Principal maker, ObjectId namespace) {
        return ownership.isKept() && left(maker, namespace).isPresent();
    }

    private Optional<BindingRegistry.Unseeded> left(Principal maker, ObjectId namespace) {
        return bindings.unseeded(namespace.name())
                .filter(unseeded -> unseeded.maker().equals(maker.subject()));
    }

    /**
     * Makes the maker the owner of a namespace, and ties what lies in it. Nobody owns that beside who owns what is above.
     *
     * @param made whether this request has made or taken over the namespace
     * @param undo unmakes what this request made, where the engine does not take the namespace itself
     * @return whether this caller has made it, now or in an attempt that came to no end
     * @throws CatalogException code 17 when the engine does not answer, or there is more below than one request can tell it: a repeat
     *     goes on
     */
    public boolean seed(Principal maker, String warehouse, ObjectId namespace, boolean made, Runnable undo) {
        if (!ownership.isKept()) {
            return made;
        }
        Optional<BindingRegistry.Unseeded> left = left(maker, namespace);
        if (!made && left.isEmpty()) {
            return false;
        }
        AccessObject object = AccessObject.namespace(namespace);
        AccessObject parent = AccessObject.warehouse(warehouse);
        // Of one that the engine knows already only the note was lost; what was given on it since must stay.
        if (made || !ownership.isTied(object, parent)) {
            topLevel.home(warehouse)
                    .ifPresent(home -> tieBelow(
                            home,
                            namespace,
                            left.map(BindingRegistry.Unseeded::done).orElse("")));
            seeding.made(maker, object, parent, undo);
        }
        bindings.seeded(namespace.name());
        return true;
    }

    private void tieBelow(StorageProfile home, ObjectId namespace, String done) {
        ManifestView view = manifests.view(home.root());
        List<ManifestEntry> below = view.find(namespace.stored()).stream()
                .flatMap(row -> Subtree.of(view, row).stream())
                .filter(row -> row.id().compareTo(done) > 0
                        && !row.id().equals(namespace.stored())
                        && (row.restored().isTable() || row.restored().isNamespace()))
                .sorted(Comparator.comparing(ManifestEntry::id))
                .toList();
        for (int from = 0; from < below.size(); from += AT_ONCE) {
            List<ManifestEntry> part = below.subList(from, Math.min(below.size(), from + AT_ONCE));
            if (RequestBound.current().isOver()) {
                throw CatalogException.unavailable(
                        "The namespace is bound, and so much lies in it that not all has its rights yet; send the request again.",
                        null);
            }
            ownership.tied(parents(part));
            bindings.seededTo(namespace.name(), part.getLast().id());
        }
    }

    private static Map<AccessObject, AccessObject> parents(List<ManifestEntry> rows) {
        Map<AccessObject, AccessObject> parents = new LinkedHashMap<>();
        for (ManifestEntry row : rows) {
            ObjectId id = Delimiter.STORED.split(row.id());
            for (AccessObject object : Endings.objects(row)) {
                boolean isView = object.kind() == Kind.MATERIALIZED_VIEW;
                parents.put(object, isView ? AccessObject.table(id) : AccessObject.namespace(id.parent()));
            }
        }
        return parents;
    }
}
