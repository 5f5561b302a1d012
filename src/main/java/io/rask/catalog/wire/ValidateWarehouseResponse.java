package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the storage of a warehouse has been found to do.
 *
 * @param valid whether no check failed
 */
public record ValidateWarehouseResponse(String warehouse, boolean valid, List<Check> checks) {
    /**
     * One check.
     *
     * @param result {@code pass}, {@code fail} or {@code skip}
     * @param reason why it failed or was left out; absent when it passed
     */
    public record Check(
            String check, String result, @Nullable String reason) {}
}
