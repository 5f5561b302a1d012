package io.rask.catalog.job;

/** Ends a run from inside: the worker may not, or need not, go on. */
public final class JobInterrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why a run ends. */
    enum Reason {
        /** The lease is another's or has run out: nothing may be committed any more. */
        LOST,
        CANCELLED,
        /** The worker stops; the job goes back. */
        STOPPING
    }

    private final Reason reason;

    JobInterrupted(Reason reason) {
        super("the run ends: " + reason);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }
}
