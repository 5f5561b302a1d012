package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a number of a request must lie; beyond it native code ends the process, hangs, or takes all memory. */
public record NumberBound(String field, long least, long most) {

    /**
     * The number, or null when there is none.
     *
     * @throws CatalogException code 13 when it lies elsewhere
     */
    public @Nullable Integer of(@Nullable Long value) {
        if (value == null) {
            return null;
        }
        if (value < least || value > most) {
            String rule = "must be between " + least + " and " + most;
            throw CatalogException.invalid(
                    "The field '" + field + "' " + rule + ".", List.of(new FieldViolation(field, rule)));
        }
        return Math.toIntExact(value);
    }
}
