package io.rask.catalog.lifecycle;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.ReservedNames;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestChange.Plan;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Brings things back from the trash as they were: the rows in one commit, then the records go. The deadline does not stand in the
 * way, and a repeat finds it done.
 */
@Component
public final class Undrops {
    private static final int WIDTH = 8;

    private final Trash trash;
    private final TrashRecords records;
    private final Manifests manifests;
    private final DatasetHeads heads;
    private final ReservedNames reserved;
    private final TopLevelNamespaces topLevel;
    private final Locator locator;
    private final Renamings renamings;

    Undrops(
            Trash trash,
            TrashRecords records,
            Manifests manifests,
            DatasetHeads heads,
            ReservedNames reserved,
            TopLevelNamespaces topLevel,
            Locator locator,
            Renamings renamings) {
        this.trash = trash;
        this.records = records;
        this.manifests = manifests;
        this.heads = heads;
        this.reserved = reserved;
        this.topLevel = topLevel;
        this.locator = locator;
        this.renamings = renamings;
    }

    /**
     * What came back.
     *
     * @param restored the rows, each after the namespace it lies in; those that were there already are not among them
     * @param empty the stored ids of tables among them that hold no rows: they were only declared, or their files are gone
     */
    public record Undropped(StorageProfile home, List<ManifestEntry> restored, List<String> empty) {}

    /**
     * Brings a table back.
     *
     * @param to the id it is to have from now on
     * @throws CatalogException code 4 when there is none in the trash nor in the catalog; code 1 without the namespace it comes
     *     back to; code 5 when the other name is taken; code 13 when that is in another warehouse
     */
    public Undropped table(ObjectId id, ObjectId to) {
        StorageProfile home = trash.home(id).orElseThrow(() -> Absence.table(id));
        requireSameHome(home, to);
        Optional<ManifestEntry> row =
                row(home, id).filter(found -> found.restored().isTable());
        if (row.filter(ManifestEntry::isTrashed).isEmpty()) {
            return alreadyBack(home, id, to, row);
        }
        Optional<TrashRecords.Found> record = records.find(row.get());
        boolean moves = !to.equals(id);
        if (moves) {
            ManifestView view = manifests.view(home.root());
            requireParent(view, to);
            requireFree(view, to);
            record.ifPresent(found -> records.restoring(found, to));
        }
        ManifestEntry restored = row.get().restored().renamed(to.stored());
        boolean done = moves ? move(home, row.get(), restored, id, to) : putBack(home, row.get(), id);
        if (done) {
            Departed.announceBack(List.of(restored));
            // Under another name it stays: it tells who asks again that this was done.
            record.filter(found -> !moves).ifPresent(found -> records.forgetFound(List.of(found)));
        }
        return new Undropped(home, List.of(restored), empty(home, List.of(restored)));
    }

    private Undropped alreadyBack(StorageProfile home, ObjectId id, ObjectId to, Optional<ManifestEntry> row) {
        if (!to.equals(id) && isBackAs(home, id, to)) {
            return new Undropped(home, List.of(), List.of());
        }
        if (row.filter(ManifestEntry::isTable).isEmpty()) {
            throw notInTrash("table", id);
        }
        if (!to.equals(id)) {
            throw CatalogException.of(
                            ErrorCode.TABLE_ALREADY_EXISTS,
                            "The table '" + id + "' is in the catalog and not in the trash; rename it instead.")
                    .about(Absence.resource("table", id));
        }
        return new Undropped(home, List.of(), List.of());
    }

    /** Whether the table that was dropped under the one name has the other one now. */
    private boolean isBackAs(StorageProfile home, ObjectId id, ObjectId to) {
        return records.restored(id)
                .filter(found -> to.stored().equals(found.restoredTo()))
                .filter(found -> found.trash().root().equals(home.place().external()))
                .flatMap(found -> row(home, to)
                        .filter(ManifestEntry::isTable)
                        .filter(table ->
                                Objects.equals(table.location(), found.trash().location())))
                .isPresent();
    }

    private static CatalogException notInTrash(String kind, ObjectId id) {
        return CatalogException.of(
                        kind.equals("table") ? ErrorCode.TABLE_NOT_FOUND : ErrorCode.NAMESPACE_NOT_FOUND,
                        "There is no " + kind + " '" + id + "' in the trash.")
                .about(Absence.resource(kind, id));
    }

    private void requireSameHome(StorageProfile home, ObjectId to) {
        StorageProfile target = trash.home(to).orElseThrow(() -> Absence.namespace(to.parent()));
        if (!target.place().equals(home.place())) {
            throw CatalogException.invalid("The namespace '" + to.parent()
                    + "' is in another warehouse; a table comes back in the warehouse it was in.");
        }
    }

    private Optional<ManifestEntry> row(StorageProfile home, ObjectId id) {
        return manifests.view(home.root()).find(id.stored());
    }

    private static void requireParent(ManifestView view, ObjectId to) {
        if (!to.parent().isRoot()) {
            requireNamespace(view, to.parent());
        }
    }

    private void requireFree(ManifestView view, ObjectId to) {
        Optional<ManifestEntry> taken = view.find(to.stored());
        if (taken.isPresent()) {
            ManifestEntry row = taken.get();
            throw row.isTrashed() || row.isEnding()
                    ? reserved.taken(to, row, ErrorCode.TABLE_ALREADY_EXISTS)
                    : CatalogException.of(
                                    ErrorCode.TABLE_ALREADY_EXISTS,
                                    "The name '" + to + "' already exists; choose another.")
                            .about(Absence.resource("table", to));
        }
    }

    private static void requireNamespace(ManifestView view, ObjectId namespace) {
        if (view.namespace(namespace.stored()).isPresent()) {
            return;
        }
        boolean trashed =
                view.find(namespace.stored()).filter(ManifestEntry::isTrashed).isPresent();
        throw trashed
                ? CatalogException.of(
                                ErrorCode.NAMESPACE_NOT_FOUND,
                                "The namespace '" + namespace
                                        + "' is in the trash too; bring it back with undrop first.")
                        .about(Absence.resource("namespace", namespace))
                : Absence.namespace(namespace);
    }

    /** Whether this call brought the row back; another may have been first. */
    private boolean putBack(StorageProfile home, ManifestEntry seen, ObjectId id) {
        boolean[] done = {false};
        manifests.commit(home.root(), view -> {
            done[0] = stillTrashed(view, seen, seen.restored(), id).isPresent();
            if (!done[0]) {
                return Plan.nothing();
            }
            requireParent(view, id);
            return Plan.put(seen.restored());
        });
        return done[0];
    }

    private boolean move(StorageProfile home, ManifestEntry seen, ManifestEntry restored, ObjectId id, ObjectId to) {
        return renamings.move(new Renamings.Move(
                home,
                id,
                to,
                view -> {
                    Optional<ManifestEntry> row = stillTrashed(view, seen, restored, id);
                    row.ifPresent(any -> requireParent(view, to));
                    return row;
                },
                view -> requireFree(view, to)));
    }

    /** The row in the trash; empty when another brought the table back to the same name. */
    private static Optional<ManifestEntry> stillTrashed(
            ManifestView view, ManifestEntry seen, ManifestEntry restored, ObjectId id) {
        Optional<ManifestEntry> row = view.find(seen.id()).filter(seen::equals);
        if (row.isEmpty() && view.table(restored.id()).filter(restored::equals).isEmpty()) {
            throw notInTrash("table", id);
        }
        return row;
    }

    /**
     * Brings a namespace back, with all that was dropped with it. What had been dropped before stays in the trash.
     *
     * @throws CatalogException code 1 when there is none in the trash nor in the catalog, or the namespace around it is not there;
     *     code 2 when the name is bound to another warehouse; code 15 when the warehouse is deactivated
     */
    public Undropped namespace(ObjectId id) {
        StorageProfile home = keptIn(id).or(() -> trash.home(id)).orElseThrow(() -> Absence.namespace(id));
        Optional<ManifestEntry> row =
                row(home, id).filter(found -> found.restored().isNamespace());
        boolean there = row.filter(ManifestEntry::isNamespace).isPresent();
        if (!there && row.filter(ManifestEntry::isTrashed).isEmpty()) {
            throw notInTrash("namespace", id);
        }
        if (there) {
            return new Undropped(home, List.of(), List.of());
        }
        rebind(id);
        List<TrashRecords.Found> with = droppedWith(home, id);
        Set<String> wanted = with.stream()
                .map(found -> key(found.trash().kind(), found.trash().id()))
                .collect(Collectors.toCollection(HashSet::new));
        List<ManifestEntry> restored = new ArrayList<>();
        manifests.commit(home.root(), view -> {
            restored.clear();
            restored.addAll(returning(view, id, wanted));
            if (restored.isEmpty()) {
                return Plan.nothing();
            }
            List<String> around = id.depth() > 1 ? List.of(id.parent().stored()) : List.of();
            return new Plan(restored, List.of(), around);
        });
        if (!restored.isEmpty()) {
            Departed.announceBack(restored);
            // A drop that was under way may have taken the binding away before the rows were back.
            rebind(id);
            records.forgetFound(with);
        }
        return new Undropped(home, List.copyOf(restored), empty(home, restored));
    }

    /** The root that keeps a top-level namespace in its trash, whatever the name is bound to now. */
    private Optional<StorageProfile> keptIn(ObjectId id) {
        return locator.hasWarehouses() && id.depth() == 1
                ? reserved.mayBeKeptIn(id)
                        .flatMap(topLevel::home)
                        .filter(home ->
                                row(home, id).filter(ManifestEntry::isTrashed).isPresent())
                : Optional.empty();
    }

    /** The binding comes first: what is back in a root that nothing leads to would be lost. */
    private void rebind(ObjectId id) {
        if (!locator.hasWarehouses() || id.depth() > 1) {
            return;
        }
        reserved.mayBeKeptIn(id).ifPresent(warehouse -> topLevel.rebind(warehouse, id.name()));
    }

    private List<TrashRecords.Found> droppedWith(StorageProfile home, ObjectId id) {
        String root = home.place().external();
        return records.known().stream()
                .filter(found -> found.trash().root().equals(root))
                .filter(found -> found.trash().droppedWith().equals(id.stored()))
                .toList();
    }

    private static List<ManifestEntry> returning(ManifestView view, ObjectId id, Set<String> wanted) {
        Optional<ManifestEntry> top = view.find(id.stored());
        if (top.filter(ManifestEntry::isNamespace).isPresent()) {
            return List.of();
        }
        if (top.filter(ManifestEntry::isTrashed).isEmpty()) {
            throw notInTrash("namespace", id);
        }
        if (id.depth() > 1) {
            requireNamespace(view, id.parent());
        }
        return Subtree.of(view, top.get()).stream()
                .filter(ManifestEntry::isTrashed)
                .filter(row -> row.id().equals(id.stored()) || wanted.contains(key(TrashRecord.kindOf(row), row.id())))
                .map(ManifestEntry::restored)
                .toList();
    }

    private static String key(String kind, String id) {
        return kind + ' ' + id;
    }

    private List<String> empty(StorageProfile home, List<ManifestEntry> rows) {
        List<ManifestEntry> tables =
                rows.stream().filter(ManifestEntry::isTable).toList();
        return Fanout.map(tables, WIDTH, table -> {
                    String location = table.location();
                    return location != null && heads.isDataset(home, location)
                            ? Optional.<String>empty()
                            : Optional.of(table.id());
                })
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }
}
