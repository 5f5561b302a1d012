package io.rask.catalog.lance;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one version of a manifest, indexed for look-up and for listing by parent. Our own commits move it forward in
 * place; a foreign commit replaces it by a new one.
 */
final class ManifestSnapshot implements ManifestView {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, ManifestRow> byId = new HashMap<>();
    private final Map<String, NavigableMap<String, ManifestEntry>> byParent = new HashMap<>();
    /** The tables at any depth, by id. */
    private final NavigableMap<String, ManifestEntry> tables = new TreeMap<>();
    /** How many entries live at each location. */
    private final NavigableMap<String, Integer> locations = new TreeMap<>();

    private long version;

    ManifestSnapshot(long version, Collection<ManifestRow> rows) {
        this.version = version;
        rows.forEach(this::put);
    }

    long version() {
        return locked(() -> version);
    }

    int size() {
        return locked(byId::size);
    }

    /** Moves to the next version by what our own commit changed. */
    void advance(long next, Collection<ManifestRow> put, Collection<String> removed) {
        move(next, () -> removed.forEach(this::remove), put);
    }

    /**
     * Moves to another version by what any commits changed.
     *
     * @param fragments those whose rows are no longer there as they were
     * @param rows the rows of all fragments that are new or changed
     */
    void replace(long next, Set<Integer> fragments, Collection<ManifestRow> rows) {
        move(next, () -> in(fragments).forEach(row -> remove(row.entry().id())), rows);
    }

    private void move(long next, Runnable remove, Collection<ManifestRow> put) {
        lock.writeLock().lock();
        try {
            remove.run();
            put.forEach(this::put);
            version = next;
        } finally {
            lock.writeLock().unlock();
        }
    }

    @Override
    public Optional<ManifestEntry> find(String id) {
        return row(id).map(ManifestRow::entry);
    }

    @Override
    public long writtenAt(String id) {
        return row(id).map(ManifestRow::address).orElse(-1L);
    }

    /** An object and where its row lies. */
    Optional<ManifestRow> row(String id) {
        return locked(() -> Optional.ofNullable(byId.get(id)));
    }

    /** The rows of some fragments. */
    List<ManifestRow> in(Set<Integer> fragments) {
        return fragments.isEmpty()
                ? List.of()
                : locked(() -> byId.values().stream()
                        .filter(row -> fragments.contains(row.fragment()))
                        .toList());
    }

    @Override
    public List<ManifestEntry> namespaces(String parent, @Nullable String after, int limit) {
        return children(parent, after, limit, ManifestEntry::isNamespace);
    }

    @Override
    public List<ManifestEntry> tables(String parent, @Nullable String after, int limit) {
        return children(parent, after, limit, ManifestEntry::isTable);
    }

    @Override
    public List<ManifestEntry> children(String parent) {
        return children(parent, null, Integer.MAX_VALUE, any -> true);
    }

    @Override
    public boolean isLocationInUse(String location) {
        return locked(() -> {
            for (int end = location.length(); end > 0; end = location.lastIndexOf('/', end - 1)) {
                if (locations.containsKey(location.substring(0, end))) {
                    return true;
                }
            }
            String inside = locations.ceilingKey(location + "/");
            return inside != null && ManifestView.isWithin(inside, location);
        });
    }

    @Override
    public List<ManifestEntry> tablesAnywhere(@Nullable String after, int limit, Predicate<ManifestEntry> wanted) {
        return locked(() -> {
            NavigableMap<String, ManifestEntry> rest = after == null ? tables : tables.tailMap(after, false);
            return rest.values().stream().filter(wanted).limit(limit).toList();
        });
    }

    @Override
    public List<ManifestEntry> rows(Predicate<ManifestEntry> wanted) {
        return locked(() -> byId.values().stream()
                .map(ManifestRow::entry)
                .filter(wanted)
                .sorted(Comparator.comparing(ManifestEntry::id))
                .toList());
    }

    @Override
    public List<String> namespaceIds() {
        return locked(() -> byId.values().stream()
                .map(ManifestRow::entry)
                .filter(ManifestEntry::isNamespace)
                .map(ManifestEntry::id)
                .toList());
    }

    private List<ManifestEntry> children(
            String parent, @Nullable String after, int limit, Predicate<ManifestEntry> wanted) {
        return locked(() -> {
            NavigableMap<String, ManifestEntry> all = byParent.get(parent);
            if (all == null) {
                return List.of();
            }
            NavigableMap<String, ManifestEntry> rest = after == null ? all : all.tailMap(after, false);
            return rest.values().stream().filter(wanted).limit(limit).toList();
        });
    }

    private void put(ManifestRow row) {
        ManifestEntry entry = row.entry();
        remove(entry.id());
        byId.put(entry.id(), row);
        if (entry.isTable()) {
            tables.put(entry.id(), entry);
        }
        if (entry.location() != null) {
            locations.merge(entry.location(), 1, Integer::sum);
        }
        byParent.computeIfAbsent(entry.parent(), parent -> new TreeMap<>()).put(entry.name(), entry);
    }

    private void remove(String id) {
        ManifestRow row = byId.remove(id);
        if (row == null) {
            return;
        }
        ManifestEntry gone = row.entry();
        tables.remove(id);
        if (gone.location() != null) {
            locations.computeIfPresent(gone.location(), (location, count) -> count == 1 ? null : count - 1);
        }
        NavigableMap<String, ManifestEntry> siblings = byParent.get(gone.parent());
        if (siblings != null) {
            siblings.remove(gone.name());
            if (siblings.isEmpty()) {
                byParent.remove(gone.parent());
            }
        }
    }

    private <T> T locked(Supplier<T> read) {
        lock.readLock().lock();
        try {
            return read.get();
        } finally {
            lock.readLock().unlock();
        }
    }
}
