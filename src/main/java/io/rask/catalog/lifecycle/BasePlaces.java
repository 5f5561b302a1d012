package io.rask.catalog.lifecycle;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares places that different programs have written down: with or without a scheme, with or without percent encoding, through a
 * link of the file system or not.
 */
final class BasePlaces {
    private static final List<String> FILE_SCHEMES =
            List.of("file-object-store://", "file+uring://", "file://", "file:");

    private BasePlaces() {}

    /** Whether bytes of one place may be bytes of the other: it is the same, or lies in it. */
    static boolean overlap(String one, String other) {
        Set<String> others = spellings(other);
        return spellings(one).stream().anyMatch(a -> others.stream().anyMatch(b -> isWithin(a, b) || isWithin(b, a)));
    }

    /** Whether every spelling of a place lies in the other: what might lie elsewhere does not. */
    static boolean surelyInside(String place, String outer) {
        Set<String> outers = spellings(outer);
        return spellings(place).stream().allMatch(a -> outers.stream().anyMatch(b -> isWithin(a, b) && !a.equals(b)));
    }

    /** Whether a place, spelled the same way, is the other or lies in it. */
    static boolean isWithin(String place, String outer) {
        return place.equals(outer) || place.startsWith(outer + "/");
    }

    private static Set<String> spellings(String place) {
        Set<String> spellings = new HashSet<>();
        add(spellings, place);
        try {
            add(spellings, URLDecoder.decode(place.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            // Not percent-encoded, so there is no other spelling.
        }
        return spellings;
    }

    private static void add(Set<String> spellings, String place) {
        String bare = place;
        for (String scheme : FILE_SCHEMES) {
            if (bare.startsWith(scheme)) {
                bare = bare.substring(scheme.length());
                break;
            }
        }
        if (bare.startsWith("s3a://")) {
            bare = "s3://" + bare.substring("s3a://".length());
        }
        bare = bare.replaceAll("/+$", "");
        if (!bare.startsWith("/")) {
            spellings.add(bare);
            return;
        }
        try {
            Path path = Path.of(bare).normalize();
            spellings.add(path.toString());
            spellings.add(path.toRealPath().toString());
        } catch (InvalidPathException e) {
            spellings.add(bare);
        } catch (IOException e) {
            // What is not there, or cannot be looked at, has no link to follow.
        }
    }
}
