package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot with the changes of a group commit laid over it, so that each member of the group is checked against the members
 * before it. {@link #difference} is what the group as a whole does to the snapshot.
 */
final class ManifestOverlay implements ManifestView {
    private final ManifestSnapshot base;
    /** The new state of each id the group has touched; empty where it is removed. */
    private final Map<String, Optional<ManifestEntry>> touched = new LinkedHashMap<>();

    private final Set<String> reliedOn = new LinkedHashSet<>();

    ManifestOverlay(ManifestSnapshot base) {
        this.base = base;
    }

    /**
     * The rows of one commit.
     *
     * @param inserted rows whose ids the snapshot does not hold
     * @param rewritten rows that replace what the snapshot holds
     * @param removed ids of rows that go
     * @param reliedOn rows that must still be there, unchanged
     */
    record Difference(
            List<ManifestEntry> inserted,
            List<ManifestEntry> rewritten,
            List<String> removed,
            List<ManifestEntry> reliedOn) {
        boolean isEmpty() {
            return inserted.isEmpty() && rewritten.isEmpty() && removed.isEmpty();
        }

        boolean onlyInserts() {
            return rewritten.isEmpty() && removed.isEmpty();
        }

        /** All rows to write, where those relied on are written again as well. */
        List<ManifestEntry> rows() {
            return Stream.of(inserted, rewritten, reliedOn)
                    .flatMap(List::stream)
                    .toList();
        }
    }

    void add(ManifestChange.Plan plan) {
        plan.removed().forEach(id -> touched.put(id, Optional.empty()));
        plan.put().forEach(entry -> touched.put(entry.id(), Optional.of(entry)));
        reliedOn.addAll(plan.reliesOn());
    }

    Difference difference() {
        List<ManifestEntry> inserted = new ArrayList<>();
        List<ManifestEntry> rewritten = new ArrayList<>();
        List<String> removed = new ArrayList<>();
        touched.forEach((id, now) -> {
            boolean before = base.find(id).isPresent();
            if (now.isPresent()) {
                (before ? rewritten : inserted).add(now.get());
            } else if (before) {
                removed.add(id);
            }
        });
        List<ManifestEntry> unchanged = reliedOn.stream()
                .filter(id -> !touched.containsKey(id))
                .flatMap(id -> base.find(id).stream())
                .toList();
        return new Difference(inserted, rewritten, removed, unchanged);
    }

    @Override
    public Optional<ManifestEntry> find(String id) {
        Optional<ManifestEntry> now = touched.get(id);
        return now != null ? now : base.find(id);
    }

    @Override
    public long writtenAt(String id) {
        return touched.containsKey(id) ? -1 : base.writtenAt(id);
    }

    @Override
    public List<ManifestEntry> namespaces(String parent, @Nullable String after, int limit) {
        return overlaid(
                base.namespaces(parent, after, widened(limit)), parent, after, limit, ManifestEntry::isNamespace);
    }

    @Override
    public List<ManifestEntry> tables(String parent, @Nullable String after, int limit) {
        return overlaid(base.tables(parent, after, widened(limit)), parent, after, limit, ManifestEntry::isTable);
    }

    /** The base must give as many more as the group may have taken away. */
    private int widened(int limit) {
        return (int) Math.min(Integer.MAX_VALUE, (long) limit + touched.size());
    }

    @Override
    public List<ManifestEntry> children(String parent) {
        return overlaid(base.children(parent), parent, null, Integer.MAX_VALUE, any -> true);
    }

    @Override
    public List<ManifestEntry> tablesAnywhere(@Nullable String after, int limit, Predicate<ManifestEntry> wanted) {
        TreeMap<String, ManifestEntry> all = new TreeMap<>();
        base.tablesAnywhere(after, widened(limit), wanted).forEach(entry -> all.put(entry.id(), entry));
        touched.forEach((id, now) -> {
            all.remove(id);
            now.filter(ManifestEntry::isTable)
                    .filter(wanted)
                    .filter(entry -> after == null || id.compareTo(after) > 0)
                    .ifPresent(entry -> all.put(id, entry));
        });
        return all.values().stream().limit(limit).toList();
    }

    @Override
    public List<ManifestEntry> rows(Predicate<ManifestEntry> wanted) {
        TreeMap<String, ManifestEntry> all = new TreeMap<>();
        base.rows(wanted).forEach(entry -> all.put(entry.id(), entry));
        touched.forEach((id, now) -> {
            all.remove(id);
            now.filter(wanted).ifPresent(entry -> all.put(id, entry));
        });
        return List.copyOf(all.values());
    }

    @Override
    public List<String> namespaceIds() {
        Set<String> all = new LinkedHashSet<>(base.namespaceIds());
        touched.forEach((id, now) -> {
            all.remove(id);
            now.filter(ManifestEntry::isNamespace).ifPresent(entry -> all.add(id));
        });
        return List.copyOf(all);
    }

    @Override
    public boolean isLocationInUse(String location) {
        return base.isLocationInUse(location)
                || touched.values().stream()
                        .flatMap(Optional::stream)
                        .map(ManifestEntry::location)
                        .anyMatch(used -> used != null
                                && (ManifestView.isWithin(used, location) || ManifestView.isWithin(location, used)));
    }

    private List<ManifestEntry> overlaid(
            List<ManifestEntry> before,
            String parent,
            @Nullable String after,
            int limit,
            Predicate<ManifestEntry> wanted) {
        TreeMap<String, ManifestEntry> all = new TreeMap<>();
        before.forEach(entry -> all.put(entry.name(), entry));
        touched.forEach((id, now) -> {
            if (ManifestEntry.parentOf(id).equals(parent)) {
                all.remove(id.substring(id.lastIndexOf('$') + 1));
                now.filter(wanted).ifPresent(entry -> all.put(entry.name(), entry));
            }
        });
        return all.values().stream()
                .filter(entry -> after == null || entry.name().compareTo(after) > 0)
                .limit(limit)
                .toList();
    }
}
