package io.rask.catalog.job;

/** The fields of a job's record. */
final class JobFields {
    static final String ID = "id";
    static final String KIND = "kind";
    static final String TABLE = "table";
    static final String WAREHOUSE = "warehouse";
    static final String SPEC = "spec";
    /** Who asked for it, with the teams of that moment; it is told to nobody. */
    static final String ASKED_BY = "asked_by";

    static final String STATE = "state";
    static final String ATTEMPTS = "attempts";
    static final String MAX_ATTEMPTS = "max_attempts";
    /** Whether more attempts than those may follow. */
    static final String PATIENT = "patient";

    static final String NOT_BEFORE = "not_before";
    static final String STARTED_AT = "started_at";
    static final String FINISHED_AT = "finished_at";
    static final String WORKER = "worker";
    static final String TOKEN = "token";
    /** The id of the one taking that made the lease; a worker may take a job twice. */
    static final String GRANT = "grant";

    static final String LEASE_END = "lease_end";
    static final String PHASE = "phase";
    static final String PROGRESS = "progress";
    static final String RESULT = "result";
    static final String FAILURE = "failure";
    static final String CANCEL_REQUESTED = "cancel_requested";
    static final String INTENT = "intent";
    /** Whether attempts have kept something of their work. */
    static final String KEPT = "kept";

    private JobFields() {}
}
