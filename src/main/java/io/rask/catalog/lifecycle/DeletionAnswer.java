package io.rask.catalog.lifecycle;

import io.rask.catalog.problem.CatalogException;

/** What {@link DeletionCheck} says. */
public sealed interface DeletionAnswer {
    /** Nothing stands against the deletion. */
    DeletionAnswer ALLOWED = new Allowed();

    /** Why something may not be deleted. */
    enum Reason {
        /** The catalog holds an object there. */
        REGISTERED,
        /** Its owner has protected it. */
        PROTECTED,
        /** The place is no place of a table: the root itself, one of the catalog's own, or outside. */
        OUT_OF_BOUNDS,
        /** It was deregistered, which keeps the bytes on purpose. */
        KEPT,
        /** A tag or a branch holds a version that would go. */
        PINNED,
        /** A shallow clone or another dataset reads its files. */
        BASE_OF_ANOTHER,
        /** Something that would have to be known cannot be read now. */
        UNKNOWN
    }

    record Allowed() implements DeletionAnswer {}

    /** @param problem what a client is told: code 17 for {@link Reason#UNKNOWN}, else what the reason maps to */
    record Refused(Reason reason, CatalogException problem) implements DeletionAnswer {}

    /** Throws the problem of a refusal. */
    default void require() {
        if (this instanceof Refused refused) {
            throw refused.problem();
        }
    }
}
