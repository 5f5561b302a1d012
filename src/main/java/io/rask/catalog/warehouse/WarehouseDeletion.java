package io.rask.catalog.warehouse;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.hierarchy.BindingRegistry;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.hierarchy.Warehouse;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lifecycle.DeletionCheck;
import io.rask.catalog.lifecycle.DryRuns;
import io.rask.catalog.lifecycle.Purges;
import io.rask.catalog.lifecycle.Subtree;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.RootPurge;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.wire.DeleteWarehouseResponse;
import io.rask.catalog.wire.DryRunResponse;
import io.rask.catalog.wire.DryRunResponse.Planned;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/**
 * Deletes warehouses. First everything is asked that could stand against it; then the warehouse is shut for good; then each namespace
 * goes, one after another, then what is in the trash, then the bytes where that is asked for, then the record. A failure on the way
 * says what is gone, and the same request goes on from there.
 */
@Component
final class WarehouseDeletion {
    private static final Set<ErrorCode> REFUSALS = Set.of(ErrorCode.NAMESPACE_NOT_EMPTY, ErrorCode.INVALID_TABLE_STATE);

    private final WarehouseRegistry warehouses;
    private final BindingRegistry bindings;
    private final TopLevelNamespaces topLevel;
    private final Manifests manifests;
    private final Purges purges;
    private final Ownership ownership;
    private final RootPurge bytes;
    private final DeletionCheck check;
    private final CatalogProperties properties;

    WarehouseDeletion(
            WarehouseRegistry warehouses,
            BindingRegistry bindings,
            TopLevelNamespaces topLevel,
            Manifests manifests,
            Purges purges,
            Ownership ownership,
            RootPurge bytes,
            DeletionCheck check,
            CatalogProperties properties) {
        this.warehouses = warehouses;
        this.bindings = bindings;
        this.topLevel = topLevel;
        this.manifests = manifests;
        this.purges = purges;
        this.ownership = ownership;
        this.bytes = bytes;
        this.check = check;
        this.properties = properties;
    }

    /**
     * What is asked for.
     *
     * @param cascade whether namespaces without tables go with it
     * @param purge whether the bytes go too
     * @param force lifts protection and nothing else
     * @param by who asks, as identity named them
     */
    record Wish(boolean cascade, boolean purge, boolean force, String by) {}

    /** What is gone so far. */
    private static final class Progress {
        private final List<String> namespaces = new ArrayList<>();
        private int revoked;
        private int trashed;
        private long objects;
        private boolean isPastReturn;
        private boolean isGivenUp;

        private void add(Purges.Ended ended) {
            revoked += ended.revoked();
            trashed += ended.trashed();
        }
    }

    /**
     * Deletes a warehouse.
     *
     * @throws CatalogException code 3 when it is protected, holds namespaces and may not cascade, holds tables, or shares a bucket
     *     that is to be purged; code 4 when there is none; code 13 for a bucket that is reserved; code 17 when it ended on the way,
     *     or a record of its trash cannot be read;
     *     code 19 when a dataset elsewhere reads files that are to be purged
     */
    DeleteWarehouseResponse delete(String id, Wish wish) {
        Progress done = new Progress();
        Warehouse warehouse = warehouses.delete(id, wish.force(), seen -> requireDeletable(seen, wish), shut -> {
            try {
                destroy(shut, wish, done);
            } catch (RuntimeException e) {
                throw partial(id, done, e);
            }
        });
        Announcements.add(EventType.WAREHOUSE_DELETED, id);
        return new DeleteWarehouseResponse(
                id,
                warehouse.bucket(),
                List.copyOf(done.namespaces),
                done.revoked,
                wish.purge(),
                done.objects,
                done.trashed);
    }

    /** What became of it, and what leads on: a repeat alone does not help against what stands against it. */
    private static CatalogException partial(String id, Progress done, RuntimeException failure) {
        return stopped(id, done, failure)
                .telling(Map.of(
                        "warehouse",
                        id,
                        "namespaces_dropped",
                        List.copyOf(done.namespaces),
                        "tuples_revoked",
                        done.revoked,
                        "trash_cleared",
                        done.trashed,
                        "bucket_purged",
                        false,
                        "partial",
                        true));
    }

    private static CatalogException stopped(String id, Progress done, RuntimeException failure) {
        String shut = "The warehouse '" + id + "' is not deleted to its end, and shut";
        String gone =
                done.namespaces.isEmpty() ? "" : " Gone are the namespaces " + String.join(", ", done.namespaces) + ".";
        if (!(failure instanceof CatalogException refusal)) {
            return CatalogException.unavailable(shut + "; the same request goes on." + gone, failure);
        }
        if (done.isGivenUp) {
            return CatalogException.of(refusal.code(), refusal.text() + gone);
        }
        String out = done.isPastReturn
                ? " The same request without purge_bucket ends it."
                : " To remove that, activate the warehouse, which gives the deletion up.";
        return REFUSALS.contains(refusal.code())
                ? CatalogException.of(refusal.code(), shut + ". " + refusal.text() + out + gone)
                : CatalogException.unavailable(shut + "; the same request goes on." + gone, failure);
    }

    /** What {@link #delete} would do. */
    DryRunResponse plan(String id, Wish wish) {
        Warehouse warehouse = warehouses.require(id);
        ManifestView view = manifests.view(home(warehouse).root());
        List<Planned> objects = Stream.concat(
                        Stream.of(new Planned("warehouse", id, null)),
                        Stream.concat(
                                        bindings.namespacesOf(id).stream()
                                                .flatMap(name -> view.namespace(name).stream())
                                                .flatMap(row -> Subtree.of(view, row).stream()),
                                        view.rows(ManifestEntry::isTrashed).stream())
                                .distinct()
                                .map(DryRuns::planned)
                                .map(row -> wish.purge() ? row : new Planned(row.kind(), row.id(), null)))
                .toList();
        return DryRuns.of(
                objects,
                null,
                List.of(
                        () -> WarehouseRegistry.requireUnprotected(warehouse, wish.force()),
                        () -> requireDeletable(warehouse, wish)));
    }

    private StorageProfile home(Warehouse warehouse) {
        return topLevel.home(warehouse.id()).orElseThrow();
    }

    private void requireDeletable(Warehouse warehouse, Wish wish) {
        List<String> namespaces = bindings.namespacesOf(warehouse.id());
        if (!namespaces.isEmpty() && !wish.cascade()) {
            throw WarehouseRegistry.holds(warehouse.id(), "namespaces", namespaces);
        }
        if (wish.purge()) {
            requirePurgeable(warehouse);
            check.root(home(warehouse)).require();
        }
        requireNoTables(warehouse, namespaces, wish.purge());
        purges.requireNothingMoving(home(warehouse));
        requireUnprotectedInside(warehouse, namespaces, wish.force());
        purges.requireKnown(home(warehouse));
    }

    private void requirePurgeable(Warehouse warehouse) {
        if (properties.reservedBuckets().contains(warehouse.bucket())) {
            throw CatalogException.invalid(
                    "The bucket '" + warehouse.bucket() + "' is reserved and never purged; leave purge_bucket out.");
        }
        List<Warehouse> sharing = warehouses.sharing(warehouse);
        if (!sharing.isEmpty()) {
            // What belongs to another project is not named.
            String named = sharing.stream()
                    .filter(other -> other.project().equals(warehouse.project()))
                    .map(other -> "the warehouse '" + other.id() + "'")
                    .findFirst()
                    .orElse("another warehouse");
            throw CatalogException.of(
                    ErrorCode.NAMESPACE_NOT_EMPTY,
                    "The bucket '" + warehouse.bucket() + "' is shared with " + named
                            + ", so it is not purged; leave purge_bucket out.");
        }
    }

    /** @param anywhere whether those in namespaces that are not bound count as well, because their bytes would go */
    private void requireNoTables(Warehouse warehouse, List<String> namespaces, boolean anywhere) {
        if (namespaces.isEmpty() && !anywhere) {
            return;
        }
        ManifestView view = manifests.view(home(warehouse).root());
        refuseTables(
                warehouse,
                anywhere
                        ? view.rows(any -> true)
                        : namespaces.stream()
                                .flatMap(name -> below(view, name).stream())
                                .toList());
    }

    private static List<ManifestEntry> below(ManifestView view, String name) {
        return view.namespace(name).map(row -> Subtree.of(view, row)).orElse(List.of());
    }

    /** A table in the trash is nobody's any more; all others stand against it. */
    private static void refuseTables(Warehouse warehouse, List<ManifestEntry> rows) {
        List<String> tables = rows.stream()
                .filter(row -> !row.isNamespace() && !row.isTrashed() && !row.isEnding())
                .map(ManifestEntry::id)
                .limit(10)
                .toList();
        if (!tables.isEmpty()) {
            throw WarehouseRegistry.holds(warehouse.id(), "tables", tables);
        }
    }

    private void requireUnprotectedInside(Warehouse warehouse, List<String> namespaces, boolean force) {
        if (!namespaces.isEmpty()) {
            ManifestView view = manifests.view(home(warehouse).root());
            purges.requireUnprotected(
                    namespaces.stream()
                            .flatMap(name -> view.namespace(name).stream())
                            .flatMap(row -> Subtree.of(view, row).stream())
                            .toList(),
                    force);
        }
    }

    private void destroy(Warehouse warehouse, Wish wish, Progress done) {
        StorageProfile home = home(warehouse);
        done.revoked += purges.finish(home);
        for (String name : bindings.namespacesOf(warehouse.id())) {
            requireDeleting(warehouse, done);
            // A table may have come into it since the look: by a writer that was under way, or back from the trash.
            done.add(purges.end(home, view -> withoutTables(warehouse, below(view, name)), wish.force()));
            topLevel.end(warehouse.id(), name);
            done.namespaces.add(name);
        }
        if (!bindings.namespacesOf(warehouse.id()).isEmpty()) {
            throw CatalogException.unavailable("The rights on a namespace of the warehouse are still held.", null);
        }
        if (wish.purge()) {
            requireStillEmpty(warehouse, done);
        }
        requireDeleting(warehouse, done);
        done.add(purges.end(home, view -> view.rows(ManifestEntry::isTrashed), true));
        purges.requireNothingMoving(home);
        // Whatever may still stand against it was asked while it could be given up.
        endRights(warehouse, wish, done);
        done.isPastReturn = true;
        purges.forgetTrash(home);
        done.revoked += ownership.ended(List.of(AccessObject.warehouse(warehouse.id())));
        // Another server may have died on its way meanwhile, and nobody reads these rows any more after this.
        done.revoked += purges.finish(home);
        if (wish.purge()) {
            requireStillEmpty(warehouse, done);
            done.objects = bytes.purge(home);
        }
    }

    private void endRights(Warehouse warehouse, Wish wish, Progress done) {
        try {
            warehouses.endRights(warehouse.id(), wish.by());
        } catch (CatalogException e) {
            done.isGivenUp = e.code() == ErrorCode.CONCURRENT_MODIFICATION
                    && warehouses.require(warehouse.id()).status() != Warehouse.Status.DELETING;
            throw e;
        }
    }

    private static List<ManifestEntry> withoutTables(Warehouse warehouse, List<ManifestEntry> rows) {
        refuseTables(warehouse, rows);
        return rows;
    }

    private void requireDeleting(Warehouse warehouse, Progress done) {
        if (warehouses.require(warehouse.id()).status() != Warehouse.Status.DELETING) {
            done.isGivenUp = true;
            throw WarehouseRegistry.givenUp(warehouse.id());
        }
    }

    /** The last look before something goes that nothing brings back. */
    private void requireStillEmpty(Warehouse warehouse, Progress done) {
        requireDeleting(warehouse, done);
        List<String> bound = bindings.namespacesOf(warehouse.id());
        if (!bound.isEmpty()) {
            throw WarehouseRegistry.holds(warehouse.id(), "namespaces", bound);
        }
        requirePurgeable(warehouse);
        check.root(home(warehouse)).require();
        requireNoTables(warehouse, bound, true);
    }
}
