package io.rask.catalog.table;

import io.rask.catalog.lance.TableFiles;
import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Reads the location a registration names, and refuses whatever could lead out of the warehouse. */
final class RegisteredLocation {
    private static final int LONGEST = 1024;
    /** What file systems take as a name, in bytes. */
    private static final int LONGEST_SEGMENT = 255;

    /** A text that still changes when it was decoded this often means to deceive. */
    private static final int DECODINGS = 4;

    private RegisteredLocation() {}

    /**
     * The location relative to the root of the warehouse.
     *
     * @throws CatalogException code 13 for a location that is not surely inside the root, is the root, or is reserved
     */
    static String relative(StorageProfile home, String text) {
        if (text.length() > LONGEST || text.chars().anyMatch(Character::isISOControl)) {
            throw refused("it is longer than " + LONGEST + " characters or holds a control character");
        }
        String prefix = roots(home).stream()
                .map(root -> root + "/")
                .filter(text::startsWith)
                .findFirst()
                .orElse("");
        if (prefix.isEmpty() && (text.startsWith("/") || text.contains(":"))) {
            throw refused("it is not inside the root of the warehouse; give the path relative to the root");
        }
        String relative = withoutTrailingSlash(text.substring(prefix.length()));
        if (!prefix.isEmpty() && relative.contains("%")) {
            throw refused("an address with escapes may mean two places; give the path relative to the root");
        }
        requireInside(relative);
        if (Stream.of(relative.split("/")).anyMatch(RegisteredLocation::isTooLong)) {
            throw refused("one of its segments is longer than " + LONGEST_SEGMENT + " bytes");
        }
        return relative;
    }

    private static boolean isTooLong(String segment) {
        return segment.getBytes(StandardCharsets.UTF_8).length > LONGEST_SEGMENT;
    }

    /** The root as this server spells it for itself and for clients. */
    private static List<String> roots(StorageProfile home) {
        StoreUri place = home.place();
        return Stream.of(place.external(), place.location()).distinct().toList();
    }

    private static String withoutTrailingSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    private static void requireInside(String relative) {
        String spelled = relative;
        for (int i = 0; i < DECODINGS; i++) {
            if (!TableFiles.isInside(spelled) || spelled.chars().anyMatch(Character::isISOControl)) {
                throw refused("it must be the path of a folder below the root, without empty segments, . or .., and no"
                        + " segment may begin with _");
            }
            String decoded = decoded(spelled);
            if (decoded.equals(spelled)) {
                return;
            }
            spelled = decoded;
        }
        throw refused("it is escaped more than once");
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // A percent sign that escapes nothing is part of a name.
            return text;
        }
    }

    private static CatalogException refused(String why) {
        return CatalogException.invalid("The location cannot be registered: " + why + ".");
    }
}
