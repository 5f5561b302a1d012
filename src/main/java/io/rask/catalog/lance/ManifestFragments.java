package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.index.Index;
import org.lance.index.IndexDescription;
import org.lance.schema.LanceField;

/** The fragments of one version of a manifest, by which two versions are told apart without reading their rows. */
record ManifestFragments(TreeMap<Integer, FragmentMetadata> byId) {
    /** More fragments than this make every commit and every read slower. */
    private static final int MANY = 48;

    private static final long SMALL = 1_024;

    static ManifestFragments none() {
        return new ManifestFragments(new TreeMap<>());
    }

    static ManifestFragments of(Dataset manifest) {
        TreeMap<Integer, FragmentMetadata> byId = new TreeMap<>();
        for (Fragment fragment : manifest.getFragments()) {
            byId.put(fragment.getId(), fragment.metadata());
        }
        return new ManifestFragments(byId);
    }

    /** The fragments here that a later version does not hold as they are. */
    Set<Integer> notIn(ManifestFragments other) {
        Set<Integer> changed = new HashSet<>();
        for (Map.Entry<Integer, FragmentMetadata> fragment : byId.entrySet()) {
            if (!fragment.getValue().equals(other.byId.get(fragment.getKey()))) {
                changed.add(fragment.getKey());
            }
        }
        return changed;
    }

    /**
     * The fragments to write together again: none while there are few, else all that are small beside the whole or mostly marks,
     * so that a row is written again only a few times in its life.
     */
    Set<Integer> toMerge() {
        Set<Integer> small = new HashSet<>();
        if (byId.size() > MANY) {
            long rows = byId.values().stream()
                    .mapToLong(FragmentMetadata::getNumRows)
                    .sum();
            byId.forEach((id, fragment) -> {
                if (fragment.getNumRows() < Math.max(SMALL, rows / 4)
                        || fragment.getNumDeletions() > fragment.getNumRows()) {
                    small.add(id);
                }
            });
        }
        return small;
    }

    /** Whether these are all rows that a fragment still has. */
    boolean isAll(int fragment, int rows) {
        FragmentMetadata known = byId.get(fragment);
        return known != null && known.getNumRows() == rows;
    }

    /**
     * Where rows that were written as new fragments lie after their commit.
     *
     * @return empty if the last fragments are not the ones that were written
     */
    Optional<List<ManifestRow>> placed(List<ManifestEntry> rows, List<FragmentMetadata> added) {
        List<ManifestRow> placed = new ArrayList<>(rows.size());
        List<FragmentMetadata> last =
                List.copyOf(byId.values()).subList(Math.max(0, byId.size() - added.size()), byId.size());
        for (int i = 0; i < added.size(); i++) {
            if (i >= last.size() || !last.get(i).getFiles().equals(added.get(i).getFiles())) {
                return Optional.empty();
            }
            for (long offset = 0; offset < last.get(i).getPhysicalRows(); offset++) {
                placed.add(new ManifestRow(rows.get(placed.size()), last.get(i).getId(), offset));
            }
        }
        return placed.size() == rows.size() ? Optional.of(placed) : Optional.empty();
    }

    /**
     * A number that no fragment has or had, as far as anything still refers to it: an index may name fragments that are gone, and
     * would take a new one of the same number for indexed.
     */
    int nextId(Dataset manifest) {
        int highest = byId.isEmpty() ? -1 : byId.lastKey();
        for (IndexDescription index : manifest.describeIndices()) {
            for (Index segment : index.getSegments()) {
                highest = Math.max(
                        highest,
                        segment.fragments().orElse(List.of()).stream()
                                .mapToInt(Integer::intValue)
                                .max()
                                .orElse(-1));
            }
        }
        return highest + 1;
    }

    /** Whether the columns are numbered as those of a new table, which a commit that states the schema takes for granted. */
    static boolean isPlainlyNumbered(Dataset manifest) {
        int[] next = {0};
        return manifest.getLanceSchema().fields().stream().allMatch(field -> isNumbered(field, next));
    }

    private static boolean isNumbered(LanceField field, int[] next) {
        return field.getId() == next[0]++ && field.getChildren().stream().allMatch(child -> isNumbered(child, next));
    }
}
