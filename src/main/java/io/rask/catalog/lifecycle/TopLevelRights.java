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
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.platform.RequestBound;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Tells the permission engine of top-level namespaces. One that is taken over comes with what lies in it: all of that is tied before the
 * namespace itself is, so that nobody reaches a part of it. The binding says how far it is, and a repeat by the maker goes on from there.
 */
@Component
public final class TopLevelRights {
    private static final int AT_ONCE = 500;
    private static final int WIDTH = 4;

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

    /** Whether a caller has made a namespace that the engine was not told of. */
    public boolean await(Principal maker, ObjectId namespace) {
        return ownership.isKept() && left(maker, namespace).isPresent();
    }

    private Optional<BindingRegistry.Unseeded> left(Principal maker, ObjectId namespace) {
        return bindings.unseeded(namespace.name())
                .filter(unseeded -> unseeded.maker().equals(maker.subject()));
    }

    /**
     * Makes a top-level namespace in a warehouse as {@link TopLevelNamespaces#create}, gives it its maker as the owner, and ties what lies
     * in it. Nobody owns that beside who owns what is above. What was made is unmade where the engine does not take it, and what was
     * there in part stays for a repeat.
     *
     * @return whether this caller has made it, now or in an attempt that came to no end
     * @throws CatalogException as there; code 14 when it is taken away meanwhile; code 17 when the engine does not answer, or there is
     *     more below than one request can tell it: a repeat goes on
     */
    public boolean create(
            Principal maker, String warehouse, ObjectId namespace, Map<String, String> properties, boolean adopt) {
        String name = namespace.name();
        AccessObject object = AccessObject.namespace(namespace);
        seeding.clear(object, () -> topLevel.isFree(warehouse, name));
        TopLevelNamespaces.Outcome outcome =
                topLevel.create(warehouse, name, properties, adopt, ownership.isKept() ? maker.subject() : null);
        if (!await(maker, namespace)) {
            return outcome.isMine();
        }
        try {
            tell(maker, warehouse, namespace);
        } catch (RuntimeException e) {
            if (outcome == TopLevelNamespaces.Outcome.MADE) {
                unmake(maker, warehouse, object, e);
            }
            throw e;
        }
        bindings.seeded(name);
        return true;
    }

    private void unmake(Principal maker, String warehouse, AccessObject object, RuntimeException failure) {
        try {
            topLevel.undo(warehouse, object.id(), maker.subject(), () -> ownership.ended(List.of(object)));
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void tell(Principal maker, String warehouse, ObjectId namespace) {
        AccessObject object = AccessObject.namespace(namespace);
        AccessObject parent = AccessObject.warehouse(warehouse);
        // Of one that the engine knows already only the note was lost; what was given on it since must stay.
        if (!ownership.isTied(object, parent)) {
            topLevel.home(warehouse).ifPresent(home -> tieBelow(home, namespace, parent));
            ownership.owned(maker, object, parent);
        }
    }

    /**
     * Ties a namespace that was about to be unbound, and what lies in it, to what they lie in. Rights that are taken back by then stay so.
     *
     * @throws CatalogException code 17 when the engine does not take it
     */
    public void tieAgain(String warehouse, ObjectId namespace, ManifestView view) {
        if (!ownership.isKept()) {
            return;
        }
        List<ManifestEntry> below = below(view, namespace);
        for (int from = 0; from < below.size(); from += AT_ONCE) {
            ownership.tied(parents(below.subList(from, Math.min(below.size(), from + AT_ONCE))));
        }
        ownership.tied(Map.of(AccessObject.namespace(namespace), AccessObject.warehouse(warehouse)));
    }

    /** What lies in a namespace, sorted by its id. */
    private static List<ManifestEntry> below(ManifestView view, ObjectId namespace) {
        return view.find(namespace.stored()).stream()
                .flatMap(row -> Subtree.of(view, row).stream())
                .filter(row -> !row.id().equals(namespace.stored())
                        && (row.restored().isTable() || row.restored().isNamespace()))
                .sorted(Comparator.comparing(ManifestEntry::id))
                .toList();
    }

    private void tieBelow(StorageProfile home, ObjectId namespace, AccessObject warehouse) {
        String done = bindings.unseeded(namespace.name())
                .map(BindingRegistry.Unseeded::done)
                .orElse("");
        List<ManifestEntry> below = below(manifests.view(home.root()), namespace).stream()
                .filter(row -> row.id().compareTo(done) > 0)
                .toList();
        for (int from = 0; from < below.size(); from += AT_ONCE) {
            List<ManifestEntry> part = below.subList(from, Math.min(below.size(), from + AT_ONCE));
            if (RequestBound.current().isOver()) {
                throw CatalogException.unavailable(
                        "The namespace is bound, and so much lies in it that not all has its rights yet; send the request again.",
                        null);
            }
            Map<AccessObject, AccessObject> parents = parents(part);
            // Nobody reaches it, nor gives anything on it, before the namespace is tied: what is said by then is of
            // older objects.
            Fanout.map(parents.keySet(), WIDTH, each -> {
                ownership.cleared(each, () -> !ownership.isTied(AccessObject.namespace(namespace), warehouse));
                return each;
            });
            ownership.tied(parents);
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
