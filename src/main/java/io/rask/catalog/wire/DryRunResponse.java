package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a destructive request would do.
 *
 * @param dryRun always true: nothing was changed
 * @param recoverable whether it could be taken back
 * @param expiresAt until when at least; absent where it cannot
 * @param objects what would go
 * @param refusals what stands against it now; empty where it would succeed
 */
public record DryRunResponse(
        boolean dryRun,
        boolean recoverable,
        @Nullable String expiresAt,
        List<Planned> objects,
        List<Refusal> refusals) {

    /**
     * Something that would go.
     *
     * @param id the stored id, or the name where that is all it has
     * @param location where bytes of it would go, below the root of its warehouse; absent where none would
     */
    public record Planned(String kind, String id, @Nullable String location) {}

    /**
     * A refusal.
     *
     * @param code the code of the problem that would be answered
     */
    public record Refusal(int code, String error) {}
}
