package io.rask.catalog.lifecycle;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What is in the trash. The rows of the manifests say what is; the records say the rest. */
@Component
public final class Trash {
    /** From how many objects on one listing costs less than asking for each. */
    private static final int MANY = 8;

    private final Locator locator;
    private final Manifests manifests;
    private final TrashRecords records;
    private final Clock clock;

    Trash(Locator locator, Manifests manifests, TrashRecords records, Clock clock) {
        this.locator = locator;
        this.manifests = manifests;
        this.records = records;
        this.clock = clock;
    }

    /**
     * Something in the trash.
     *
     * @param kind {@code table} or {@code namespace}
     * @param id the stored id
     * @param location the place of a table as a URI; null for a namespace
     * @param record null where it cannot be read
     * @param expired whether its bytes may be deleted
     */
    public record Entry(
            String kind,
            String id,
            @Nullable String location,
            @Nullable TrashRecord record,
            boolean expired) {}

    /**
     * Where an object in the trash lives. Its top-level namespace may be there too, and then is bound to no warehouse.
     *
     * @throws CatalogException code 15 when the warehouse is deactivated, 17 when a record cannot be read
     */
    Optional<StorageProfile> home(ObjectId id) {
        return locator.locate(id)
                .or(() -> records.find(TrashRecord.NAMESPACE, id.segments().getFirst())
                        .map(TrashRecord::warehouse)
                        .map(locator::ofWarehouse));
    }

    /** What is in the trash of a table's name: nothing or one; code 4 when there is no table of that name either. */
    public List<Entry> ofTable(ObjectId id) {
        StorageProfile home = home(id).orElseThrow(() -> Absence.table(id));
        ManifestEntry row = manifests
                .view(home.root())
                .find(id.stored())
                .filter(found -> found.restored().isTable())
                .filter(found -> !found.isEnding())
                .orElseThrow(() -> Absence.table(id));
        return entries(home, List.of(row));
    }

    /** The namespace, if it is in the trash, and all below it that is; code 1 when there is no namespace of that name either. */
    public List<Entry> ofNamespace(ObjectId id) {
        if (id.isRoot()) {
            throw CatalogException.invalid("The root is never in the trash; ask for the trash of a warehouse.");
        }
        StorageProfile home = home(id).orElseThrow(() -> Absence.namespace(id));
        ManifestView view = manifests.view(home.root());
        ManifestEntry row = view.find(id.stored())
                .filter(found -> found.restored().isNamespace())
                .filter(found -> !found.isEnding())
                .orElseThrow(() -> Absence.namespace(id));
        return entries(home, Subtree.of(view, row));
    }

    /** Everything in the trash of a warehouse, by id. */
    public List<Entry> of(StorageProfile home) {
        return entries(home, manifests.view(home.root()).rows(ManifestEntry::isTrashed));
    }

    private List<Entry> entries(StorageProfile home, List<ManifestEntry> rows) {
        List<ManifestEntry> trashed =
                rows.stream().filter(ManifestEntry::isTrashed).toList();
        Map<String, TrashRecord> known = known(trashed, records::told);
        return trashed.stream()
                .map(row -> entry(home, row, known.get(key(TrashRecord.kindOf(row), row.id()))))
                .toList();
    }

    private Map<String, TrashRecord> known(
            Collection<ManifestEntry> rows, Function<ManifestEntry, Optional<TrashRecord>> read) {
        return (rows.size() < MANY ? rows.stream().map(read).flatMap(Optional::stream) : records.all().stream())
                .collect(Collectors.toMap(
                        record -> key(record.kind(), record.id()), Function.identity(), (one, other) -> one));
    }

    private static String key(String kind, String id) {
        return kind + ' ' + id;
    }

    private Entry entry(StorageProfile home, ManifestEntry row, @Nullable TrashRecord record) {
        Instant now = clock.instant();
        String location = row.location();
        return new Entry(
                TrashRecord.kindOf(row),
                row.id(),
                location == null ? null : home.place().external() + "/" + location,
                record,
                record != null && record.expiresAt().isBefore(now));
    }

    /** The latest moment until which any of these is to be kept; the given one where that is later. */
    public Instant latest(Collection<ManifestEntry> rows, Instant atLeast) {
        List<ManifestEntry> trashed =
                rows.stream().filter(ManifestEntry::isTrashed).toList();
        return known(trashed, row -> records.find(row).map(TrashRecords.Found::trash)).values().stream()
                .filter(record -> rows.stream().anyMatch(row -> Objects.equals(row.id(), record.id())))
                .map(TrashRecord::expiresAt)
                .filter(atLeast::isBefore)
                .max(Instant::compareTo)
                .orElse(atLeast);
    }
}
