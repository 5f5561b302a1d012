package io.rask.catalog.platform;

import io.rask.catalog.platform.CatalogProperties.Limits;

/**
 * How slowly a client may send or take a body. Only the time spent waiting for the client counts. What it owes grows with the
 * waiting and shrinks with each byte, at the lowest rate that is borne, and never falls below nothing, so that a quick beginning
 * buys no slow end. One for each body; for one thread.
 */
public final class Pace {
    private final double nanosPerByte;
    private final long patienceNanos;
    private double owedNanos;

    public Pace(Limits limits) {
        this.nanosPerByte = 1e9 / Math.max(1, limits.clientRate().toBytes());
        this.patienceNanos = limits.clientPatience().toNanos();
    }

    /** Whether the client still keeps up after it took so long for so many bytes. */
    public boolean keepsUp(long bytes, long waitedNanos) {
        owedNanos = Math.max(0, owedNanos + waitedNanos - bytes * nanosPerByte);
        return owedNanos <= patienceNanos;
    }
}
