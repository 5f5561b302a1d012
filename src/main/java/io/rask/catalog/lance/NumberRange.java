package io.rask.catalog.lance;

/** Numbers of versions that follow each other, both ends included. */
public record NumberRange(long first, long last) {
    public NumberRange {
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("no range of versions: " + first + " to " + last);
        }
    }

    boolean contains(long number) {
        return first <= number && number <= last;
    }
}
