package io.rask.catalog.hierarchy;

import io.rask.catalog.record.CatalogRecord;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the records of projects and warehouses say of a deletion that has taken the rights back. From that note on nothing leads back, and
 * it counts only beside the mark of the deletion itself.
 */
final class Deletion {
    private static final String ENDED_BY = "ended_by";

    private Deletion() {}

    /** Notes who takes the rights back; the first one stays. */
    static ObjectNode end(ObjectNode content, String by) {
        return isPastReturn(content) ? content : content.put(ENDED_BY, by);
    }

    /** Whether the rights may be gone. */
    static boolean isPastReturn(ObjectNode content) {
        return content.has(ENDED_BY);
    }

    /** Who has taken the rights back in order to delete it. */
    static Optional<String> endedBy(CatalogRecord record) {
        return Optional.of(record.content().path(ENDED_BY).asString("")).filter(by -> !by.isEmpty());
    }

    /**
     * The look that is had once nothing new comes in any more.
     *
     * @param isOurs whether this call has begun the deletion: one that another has begun is not this one's to give up
     * @param look throws what stands against it
     * @param giveUp takes the mark back, unless the deletion is past return by then
     */
    static void lookAgain(boolean isOurs, Runnable look, Runnable giveUp) {
        try {
            look.run();
        } catch (RuntimeException e) {
            if (isOurs) {
                giveUp.run();
            }
            throw e;
        }
    }
}
