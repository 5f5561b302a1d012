package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import org.jspecify.annotations.Nullable;

/**
 * A merge of the manifest that the store did not confirm. It may have happened, and it may still happen while its request is under
 * way, so nothing that comes after it may be taken for another writer's before it has been compared with this.
 *
 * @param times how often in a row no answer came
 */
record LostAnswer(ManifestOverlay.Difference difference, long before, Exception failure, int times) {
    private static final int MOST = 3;
    /** A store that takes longer than this to fail hangs, and is not asked again. */
    private static final long PATIENCE_NANOS = 3_000_000_000L;

    /**
     * Takes a failure for a lost answer.
     *
     * @param earlier what was lost before; the manifest has not moved since
     * @param since when the first merge began, as {@link System#nanoTime} has it
     * @throws CatalogException when the failure is no lost answer and nothing was lost before, or when it is one too many
     */
    static LostAnswer after(
            @Nullable LostAnswer earlier,
            ManifestOverlay.Difference difference,
            long before,
            Exception failure,
            long since) {
        int times = earlier == null ? 1 : earlier.times + 1;
        LostAnswer lost = new LostAnswer(difference, before, failure, times);
        if (NativeErrors.cause(failure) != NativeErrors.Cause.STORE_UNREACHABLE) {
            throw earlier == null ? NativeErrors.translate(failure) : lost.unknown(failure);
        }
        if (times == MOST || System.nanoTime() - since > PATIENCE_NANOS) {
            throw lost.unknown(failure);
        }
        return lost;
    }

    /**
     * Whether the merge is in the manifest; false while the manifest has not moved.
     *
     * @throws CatalogException code 17 when others have written since, so that it can no longer be told
     */
    boolean happened(ManifestSnapshot now) {
        if (now.version() == before) {
            return false;
        }
        if (!shows(now, difference)) {
            throw unknown(failure);
        }
        return true;
    }

    /** Whether a version holds what a commit was to make. */
    static boolean shows(ManifestSnapshot now, ManifestOverlay.Difference difference) {
        return difference.rows().stream()
                        .allMatch(row -> now.find(row.id()).filter(row::equals).isPresent())
                && difference.removed().stream().noneMatch(id -> now.find(id).isPresent());
    }

    CatalogException unknown(Exception latest) {
        if (latest != failure) {
            latest.addSuppressed(failure);
        }
        return NativeErrors.unknownOutcome(latest);
    }
}
