package io.rask.catalog.id;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;

/**
 * What separates the segments of an id within one request.
 *
 * @param text one to eight characters
 */
public record Delimiter(String text) {
    /** The delimiter of the stored form, whatever a request uses. */
    public static final Delimiter STORED = new Delimiter("$");

    private static final int LONGEST = 8;

    /** An empty or long delimiter is code 13. */
    public Delimiter {
        if (text.isEmpty() || text.length() > LONGEST) {
            throw CatalogException.invalid("The delimiter must have one to " + LONGEST + " characters.");
        }
    }

    /** Reads a decoded id: the delimiter alone is the root, and anything with an empty segment is code 13. */
    public ObjectId split(String id) {
        if (id.equals(text)) {
            return ObjectId.ROOT;
        }
        List<String> segments = new ArrayList<>();
        int from = 0;
        for (int at = id.indexOf(text); at >= 0; at = id.indexOf(text, from)) {
            segments.add(id.substring(from, at));
            from = at + text.length();
        }
        segments.add(id.substring(from));
        return new ObjectId(segments);
    }

    @Override
    public String toString() {
        return text;
    }
}
