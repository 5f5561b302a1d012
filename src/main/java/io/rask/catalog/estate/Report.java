package io.rask.catalog.estate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reconciliation has found.
 *
 * @param facts how many facts of the engine were looked at
 * @param objects how many objects are there
 * @param isRepaired whether it was to mend what it found
 */
public record Report(long facts, int objects, boolean isRepaired, List<Category> categories) {
    public Report {
        categories = List.copyOf(categories);
    }

    /**
     * One kind of difference.
     *
     * @param name as reports spell it
     * @param count how many there are; null when that is not known
     * @param unchecked why it is not known; null when it is
     * @param found those that were found, the first {@value #NAMED} of them, as the engine spells them
     * @param repaired how many of them are mended
     * @param left how many of those that were found are not mended
     */
    public record Category(
            String name,
            @Nullable Integer count,
            @Nullable String unchecked,
            List<String> found,
            int repaired,
            int left) {
        /** How many a report names. */
        public static final int NAMED = 1000;

        public Category {
            found = List.copyOf(found);
        }
    }

    /** Whether everything could be looked at. */
    public boolean isWhole() {
        return categories.stream().allMatch(category -> category.unchecked() == null);
    }

    /** Whether nothing that was found is left as it is. */
    public boolean isClean() {
        return categories.stream().allMatch(category -> category.left() == 0);
    }

    /** The category of a name. */
    public Category category(String name) {
        return categories.stream()
                .filter(category -> category.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name));
    }
}
