package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What tags and branches may be called. The library takes more, and some of it breaks a table: after a tag with a letter outside
 * ASCII, no tag of the table can be listed any more. Every violation is code 13.
 */
public final class RefNames {
    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");
    private static final int MOST_SEGMENTS = 8;
    private static final int MOST_CHARACTERS = 150;

    /** What the library calls its own folders; a branch of such a name would lie among the files of another. */
    private static final Set<String> RESERVED = Set.of(
            "data", "tree", "_versions", "_transactions", "_indices", "_deletions", "_refs", "_mem_wal", "_latest");

    private RefNames() {}

    /** The name of a tag that a request makes, moves or removes. */
    public static String tag(String name) {
        requireLength("tag", name);
        requireSegment("tag", name);
        return name;
    }

    /** The name of a branch that a request makes or removes: one or more segments, joined by slashes. */
    public static String branch(String name) {
        requireLength("branch", name);
        List<String> segments = List.of(name.split("/", -1));
        if (segments.size() > MOST_SEGMENTS) {
            throw CatalogException.invalid("The name of a branch has at most " + MOST_SEGMENTS + " segments.");
        }
        for (String segment : segments) {
            requireSegment("branch", segment);
            if (RESERVED.contains(segment)) {
                throw CatalogException.invalid(
                        "'" + segment + "' is no name of a branch: a table keeps its files there.");
            }
        }
        return name;
    }

    /** Whether two branches would have to share a folder: one's name begins with all segments of the other's. */
    static boolean nest(String one, String other) {
        return one.startsWith(other + "/") || other.startsWith(one + "/");
    }

    private static void requireLength(String kind, String name) {
        if (name.isEmpty() || name.length() > MOST_CHARACTERS) {
            throw CatalogException.invalid("The name of a " + kind + " has 1 to " + MOST_CHARACTERS + " characters.");
        }
    }

    private static void requireSegment(String kind, String segment) {
        if (!SEGMENT.matcher(segment).matches()
                || segment.contains("..")
                || segment.endsWith(".")
                || segment.endsWith(".lock")) {
            throw CatalogException.invalid("The name of a " + kind
                    + (kind.equals("branch") ? " is made of segments, joined by '/', that have" : " has")
                    + " only letters a to z, digits, '.', '_' and '-', and no '.' at either end or twice in a row, nor '.lock'"
                    + " at the end.");
        }
    }
}
