package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The numbered versions that are open. They never change, so they are kept as they are; what is pushed out is closed after use. */
final class OpenVersions {
    private static final int MOST = 256;

    private final Map<Key, SharedDataset> open = new LinkedHashMap<>(16, 0.75f, true);

    private record Key(BranchKey branch, long number) {}

    /** A version that is open. */
    Optional<DatasetLease> find(BranchKey branch, long number) {
        SharedDataset known;
        synchronized (this) {
            known = open.get(new Key(branch, number));
        }
        return known != null && known.enter() ? Optional.of(new DatasetLease(known)) : Optional.empty();
    }

    /** Opens a version and keeps it. */
    DatasetLease open(BranchKey branch, long number, Supplier<SharedDataset> opening) {
        SharedDataset opened = opening.get();
        opened.enter();
        keep(new Key(branch, number), opened);
        return new DatasetLease(opened);
    }

    private void keep(Key key, SharedDataset opened) {
        List<SharedDataset> retired = new ArrayList<>();
        synchronized (this) {
            SharedDataset before = open.put(key, opened);
            if (before != null) {
                retired.add(before);
            }
            if (open.size() > MOST) {
                Key eldest = open.keySet().iterator().next();
                retired.add(open.remove(eldest));
            }
        }
        retired.forEach(SharedDataset::retire);
    }

    /** Closes what is open at a location once its users have left. */
    void forget(String uri) {
        List<SharedDataset> retired = new ArrayList<>();
        synchronized (this) {
            open.entrySet().removeIf(entry -> {
                boolean match = entry.getKey().branch().location().uri().equals(uri);
                if (match) {
                    retired.add(entry.getValue());
                }
                return match;
            });
        }
        retired.forEach(SharedDataset::retire);
    }

    synchronized int size() {
        return open.size();
    }

    void close() {
        List<SharedDataset> retired;
        synchronized (this) {
            retired = List.copyOf(open.values());
            open.clear();
        }
        retired.forEach(SharedDataset::retire);
    }
}
