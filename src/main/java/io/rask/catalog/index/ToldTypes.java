package io.rask.catalog.index;

import java.util.Set;

/** Which types of indices a client is told of. One that it cannot read and it reads none of the others. */
enum ToldTypes {
    ALL,
    /** Types that LanceDB's clients do not know are told as unknown. */
    KNOWN_OR_UNKNOWN,
    /** Indices of types that LanceDB's older clients do not know are left out. */
    KNOWN;

    private static final Set<String> STRANGE = Set.of("NGRAM", "ZONEMAP", "BLOOM_FILTER", "Unknown");

    /** Whether the client learns of an index of this kind at all. */
    boolean tells(String kind) {
        return this != KNOWN || !STRANGE.contains(kind);
    }

    /** What the client is told the kind is. */
    String name(String kind) {
        return this != ALL && STRANGE.contains(kind) ? "Unknown" : kind;
    }
}
