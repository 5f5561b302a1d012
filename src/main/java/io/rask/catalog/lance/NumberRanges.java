package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A set of version numbers.
 *
 * @param ranges in order; no two touch
 */
public record NumberRanges(List<NumberRange> ranges) {
    /** No number. */
    public static final NumberRanges NONE = new NumberRanges(List.of());

    public NumberRanges {
        ranges = List.copyOf(ranges);
    }

    /** Whether the number is one of them. */
    public boolean contains(long number) {
        return ranges.stream().anyMatch(range -> range.contains(number));
    }

    /** These and more. */
    public NumberRanges with(Collection<NumberRange> more) {
        List<NumberRange> sorted = new ArrayList<>(ranges);
        sorted.addAll(more);
        sorted.sort(Comparator.comparing(NumberRange::first));
        List<NumberRange> joined = new ArrayList<>();
        for (NumberRange next : sorted) {
            NumberRange before = joined.isEmpty() ? null : joined.getLast();
            if (before != null && next.first() - 1 <= before.last()) {
                joined.set(joined.size() - 1, new NumberRange(before.first(), Math.max(before.last(), next.last())));
            } else {
                joined.add(next);
            }
        }
        return new NumberRanges(joined);
    }
}
