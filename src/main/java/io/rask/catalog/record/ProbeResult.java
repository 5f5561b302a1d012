package io.rask.catalog.record;

/** What a {@link ConditionalWriteProbe} found out about a store. */
public sealed interface ProbeResult {
    /** The store's conditional writes are real: of many writers exactly one wins. */
    record Atomic() implements ProbeResult {}

    /**
     * The store let more than one writer win, or none; records would be lost on it.
     *
     * @param sentence what happened, for an operator
     */
    record NotAtomic(String sentence) implements ProbeResult {}

    /**
     * The store did not answer, so nothing is known.
     *
     * @param reason in words that may be shown to anybody
     * @param cause what really happened, for the log
     */
    record Unreachable(String reason, Exception cause) implements ProbeResult {}
}
