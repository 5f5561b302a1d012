package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;

/** What the engine says of an expression or a search that it cannot run, as a failure of the request. */
final class SqlErrors {
    private static final List<String> OF_THE_REQUEST = List.of(
            "cast error",
            "divide by zero",
            "overflow",
            "parser error",
            "not supported",
            "not implemented",
            "unsupported",
            "could not convert",
            "type_coercion",
            "invalid argument",
            "compute error",
            "query execution error",
            "error during planning",
            "error in planning",
            "schema error",
            "regex");

    private SqlErrors() {}

    /** @param subject what failed, such as {@code The filter}; begins the message */
    static CatalogException translate(Exception failure, String subject) {
        if (failure instanceof CatalogException known) {
            return known;
        }
        String text = NativeErrors.text(failure);
        if (text.contains("no field named")
                || (text.contains("column") && text.contains("does not exist"))
                || (text.contains("column") && text.contains("not found"))) {
            return CatalogException.of(
                    ErrorCode.TABLE_COLUMN_NOT_FOUND,
                    subject + " names a column the table does not have: " + NativeText.reason(failure) + ".",
                    failure);
        }
        boolean argument = failure instanceof IllegalArgumentException && !text.contains("dataset at path");
        if (argument || OF_THE_REQUEST.stream().anyMatch(text::contains)) {
            return CatalogException.of(
                    ErrorCode.INVALID_INPUT,
                    subject + " cannot be evaluated: " + NativeText.reason(failure) + ".",
                    failure);
        }
        return NativeErrors.translate(failure);
    }
}
