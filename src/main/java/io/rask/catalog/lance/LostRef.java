package io.rask.catalog.lance;

import java.util.function.BooleanSupplier;

/** What became of a change of a tag or branch when its answer was lost. */
final class LostRef {
    private LostRef() {}

    /**
     * Returns when the table shows the change.
     *
     * @throws io.rask.catalog.problem.CatalogException code 17 when it does not, or cannot be looked at: the request may still be
     *     under way
     */
    static void require(Exception failure, BooleanSupplier look) {
        try {
            if (look.getAsBoolean()) {
                return;
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
        throw NativeErrors.unknownOutcome(failure);
    }
}
