package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;

/** What a failure of the engine means where a client's SQL was part of the call. */
final class SqlFailures {
    private static final List<String> UNKNOWN_COLUMN =
            List.of("no field named", "fieldnotfound", "field not found", "does not exist in", "column not found");

    private SqlFailures() {}

    /**
     * Code 12 for a column the table does not have, code 13 for SQL that is wrong or fails on the data, and the usual codes for
     * what has nothing to do with the SQL.
     */
    static CatalogException translate(Throwable failure) {
        NativeErrors.Cause cause = NativeErrors.cause(failure);
        if (cause == NativeErrors.Cause.CONFLICT
                || cause == NativeErrors.Cause.STORE_UNREACHABLE
                || cause == NativeErrors.Cause.STORE_DENIES) {
            return NativeErrors.translate(failure);
        }
        String text = NativeErrors.text(failure);
        if (UNKNOWN_COLUMN.stream().anyMatch(text::contains)) {
            return CatalogException.of(
                    ErrorCode.TABLE_COLUMN_NOT_FOUND,
                    "The SQL names a column the table does not have: " + NativeText.reason(failure) + ".",
                    failure);
        }
        return CatalogException.of(
                ErrorCode.INVALID_INPUT,
                "The SQL cannot be applied to the table: " + NativeText.reason(failure) + ".",
                failure);
    }
}
