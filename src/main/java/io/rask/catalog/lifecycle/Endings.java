package io.rask.catalog.lifecycle;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.lance.ManifestChange.Plan;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.ViewKeys;
import io.rask.catalog.storage.StorageProfile;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Component;

/**
 * How objects come to their end where rights are kept of them: their rows first turn into such that keep the names taken, then the
 * rights are taken back, then the rows go. So nobody gets a name together with the rights of others on it. Where no rights are kept,
 * the rows just go.
 */
@Component
public final class Endings {
    private final Ownership ownership;
    private final Manifests manifests;
    private final KeptBytes kept;

    public Endings(Ownership ownership, Manifests manifests, KeptBytes kept) {
        this.ownership = ownership;
        this.manifests = manifests;
        this.kept = kept;
    }

    /** Whether the names of what is gone are free only after {@link #finish}. */
    public boolean areStaged() {
        return ownership.isKept();
    }

    /** What is to be done to the rows of what is gone from now on. */
    public Plan plan(Collection<ManifestEntry> gone) {
        return areStaged()
                ? new Plan(gone.stream().map(ManifestEntry::ending).toList(), List.of(), List.of())
                : new Plan(List.of(), gone.stream().map(ManifestEntry::id).toList(), List.of());
    }

    /**
     * Takes the rights back and frees the names; a repeat goes on where it ended. Names that were taken while rights were kept are
     * freed where none are kept any more, too.
     *
     * @return how much was taken back
     * @throws io.rask.catalog.problem.CatalogException code 17 when the engine or the store does not answer
     */
    public int finish(StorageProfile home, Collection<ManifestEntry> gone) {
        if (gone.isEmpty()) {
            return 0;
        }
        int revoked = areStaged() ? revoke(gone) : 0;
        manifests.commit(
                home.root(),
                view -> new Plan(
                        List.of(),
                        gone.stream()
                                .filter(entry -> isEnding(view, entry))
                                .map(ManifestEntry::id)
                                .toList(),
                        List.of()));
        return revoked;
    }

    /**
     * Takes the rights back that are held on objects. Bytes that a namespace among them has kept are its warehouse's from then on: who
     * makes a namespace of its name gains no right on them.
     */
    public int revoke(Collection<ManifestEntry> gone) {
        kept.end(gone.stream()
                .filter(entry -> entry.restored().isNamespace())
                .map(ManifestEntry::id)
                .toList());
        return ownership.ended(
                gone.stream().flatMap(entry -> objects(entry).stream()).toList());
    }

    /** Takes the rights back that are held on a namespace and on what is below it, before its name is free. */
    public void revokeBelow(ManifestView view, String namespace) {
        if (areStaged()) {
            view.find(namespace).ifPresent(row -> revoke(Subtree.of(view, row)));
        }
    }

    /** Whether the row of what was at this name and place only keeps the name. */
    static boolean isEnding(ManifestView view, ManifestEntry entry) {
        return view.find(entry.id())
                .filter(ManifestEntry::isEnding)
                .filter(row -> Objects.equals(row.location(), entry.location()))
                .isPresent();
    }

    /** What rights on an object are held on. */
    static List<AccessObject> objects(ManifestEntry entry) {
        if (entry.restored().isNamespace()) {
            return List.of(new AccessObject(AccessObject.Kind.NAMESPACE, entry.id()));
        }
        AccessObject table = new AccessObject(AccessObject.Kind.TABLE, entry.id());
        String metadata = entry.metadata();
        // The table of a view is reached as a table and as a view.
        return metadata != null && metadata.contains(ViewKeys.KIND)
                ? List.of(table, new AccessObject(AccessObject.Kind.MATERIALIZED_VIEW, entry.id()))
                : List.of(table);
    }
}
