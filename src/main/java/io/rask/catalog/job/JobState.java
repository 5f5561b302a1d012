package io.rask.catalog.job;

import java.util.Locale;
import java.util.Set;

/** Where a job stands. */
public enum JobState {
    /** Waits for a worker, for the first time or again. */
    QUEUED,
    /** Owned by a worker under a lease. */
    RUNNING,
    DONE,
    FAILED,
    CANCELLED;

    private static final Set<JobState> TERMINAL = Set.of(DONE, FAILED, CANCELLED);

    public boolean isTerminal() {
        return TERMINAL.contains(this);
    }

    /** The state as clients read it: they know four, and take every other for one that has ended. */
    public String wireName() {
        return isTerminal() ? name() : "IN_PROGRESS";
    }

    String recordName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static JobState ofRecord(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** Whether a job may go from here to there. */
    boolean mayBecome(JobState next) {
        return switch (this) {
            case QUEUED -> next != DONE;
            case RUNNING -> true;
            case DONE, FAILED, CANCELLED -> false;
        };
    }
}
