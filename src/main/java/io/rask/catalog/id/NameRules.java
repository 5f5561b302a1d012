package io.rask.catalog.id;

import io.rask.catalog.problem.CatalogException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a new object may be called. These rules hold where an object is made; existing objects, which another tool may have made,
 * stay reachable whatever they are called. Every violation is code 13.
 */
public final class NameRules {
    /** The deepest namespace has this many segments: the permission engine's recursion bounds it. */
    public static final int MAX_NAMESPACE_DEPTH = 7;

    private static final int MAX_SEGMENT_BYTES = 200;
    private static final Pattern CONTAINER = Pattern.compile("[a-z0-9][a-z0-9-]{1,61}[a-z0-9]");
    private static final Pattern ROLE = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");
    private static final int ZERO_WIDTH_NON_JOINER = 0x200c;
    private static final int ZERO_WIDTH_JOINER = 0x200d;

    private NameRules() {}

    /**
     * Checks the id of a project, warehouse or bucket.
     *
     * @param kind what the id names, for the message
     * @return the id
     */
    public static String container(String kind, @Nullable String id) {
        if (id == null || !CONTAINER.matcher(id).matches()) {
            throw CatalogException.invalid(
                    "A " + kind
                            + " id has 3 to 63 characters: lowercase letters, digits and hyphens, with no hyphen at either end.");
        }
        return id;
    }

    /** Checks the name of a role within its project, and gives it. */
    public static String role(@Nullable String name) {
        if (name == null || !ROLE.matcher(name).matches()) {
            throw CatalogException.invalid(
                    "The name of a role has 1 to 63 characters: lowercase letters, digits and hyphens,"
                            + " with no hyphen at either end.");
        }
        return name;
    }

    /** Checks the id of a namespace about to be made. */
    public static void newNamespace(ObjectId id) {
        if (id.isRoot()) {
            throw CatalogException.invalid("The root namespace cannot be created; name a namespace below it.");
        }
        if (id.depth() > MAX_NAMESPACE_DEPTH) {
            throw CatalogException.invalid("A namespace has at most " + MAX_NAMESPACE_DEPTH + " segments.");
        }
        id.segments().forEach(NameRules::segment);
    }

    /** Checks the id of a table, or of a view, about to be made: it lives in a namespace. */
    public static void newTable(ObjectId id) {
        if (id.depth() < 2) {
            throw CatalogException.invalid("A table lives in a namespace; its id has at least two segments.");
        }
        if (id.depth() > MAX_NAMESPACE_DEPTH + 1) {
            throw CatalogException.invalid("A table's namespace has at most " + MAX_NAMESPACE_DEPTH + " segments.");
        }
        id.segments().forEach(NameRules::segment);
    }

    private static void segment(String segment) {
        if (segment.getBytes(StandardCharsets.UTF_8).length > MAX_SEGMENT_BYTES) {
            throw CatalogException.invalid(
                    "A segment of the id is longer than " + MAX_SEGMENT_BYTES + " bytes of UTF-8.");
        }
        if (isSpace(segment.codePointAt(0)) || isSpace(segment.codePointBefore(segment.length()))) {
            throw CatalogException.invalid("A segment of the id begins or ends with a space.");
        }
        if (segment.codePoints().anyMatch(c -> c == '*' || c == '?')) {
            throw CatalogException.invalid("A segment of the id contains '*' or '?', which no name may hold.");
        }
        if (!segment.codePoints().allMatch(NameRules::isPrintable)) {
            throw CatalogException.invalid("A segment of the id contains a character that cannot be printed.");
        }
    }

    private static boolean isSpace(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            // Invisible marks that reorder or hide text make two names look alike; joiners are part of ordinary words
            // and emoji.
            case Character.FORMAT -> c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER;
            default -> true;
        };
    }
}
