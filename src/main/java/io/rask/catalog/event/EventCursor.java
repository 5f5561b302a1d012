package io.rask.catalog.event;

import io.rask.catalog.problem.CatalogException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in the log, the same on every server.
 *
 * @param segment the number of the segment to read next
 * @param index the first event in it that was not read
 */
record EventCursor(long segment, int index) {
    static final EventCursor START = new EventCursor(0, 0);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,12})-(\\d{1,4})");

    /** @throws CatalogException code 13 for what no log ever told */
    static EventCursor parse(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return START;
        }
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw CatalogException.invalid(
                    "The cursor is none that this catalog has told; leave it out to begin anew.");
        }
        return new EventCursor(Long.parseLong(parts.group(1)), Integer.parseInt(parts.group(2)));
    }

    @Override
    public String toString() {
        return segment + "-" + index;
    }
}
