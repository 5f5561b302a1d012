package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;

/** What a failure of the engine means where a client's SQL or search was part of the call. */
final class SqlErrors {
    private static final List<String> UNKNOWN_COLUMN = List.of("no field named", "fieldnotfound", "field not found");
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
            "invalid user input",
            "compute error",
            "execution error",
            "error during planning",
            "error in planning",
            "schema error",
            "regex");

    private SqlErrors() {}

    /**
     * Code 12 for a column the table does not have, code 13 for SQL that is wrong or fails on the data, and the usual codes for
     * what has nothing to do with the SQL.
     *
     * @param subject what failed, such as {@code The filter}; begins the message
     */
    static CatalogException translate(Exception failure, String subject) {
        if (failure instanceof CatalogException known) {
            return known;
        }
        String text = NativeErrors.text(failure);
        boolean column = text.contains("column") && (text.contains("does not exist") || text.contains("not found"));
        if (column || UNKNOWN_COLUMN.stream().anyMatch(text::contains)) {
            return CatalogException.of(
                    ErrorCode.TABLE_COLUMN_NOT_FOUND,
                    subject + " names a column the table does not have: " + NativeText.reason(failure) + ".",
                    failure);
        }
        // The library throws this for what it was given, whatever words of the client's the text repeats.
        boolean argument = failure instanceof IllegalArgumentException && !text.contains("dataset at path");
        boolean conflict = NativeErrors.cause(failure) == NativeErrors.Cause.CONFLICT;
        if (argument || (!conflict && OF_THE_REQUEST.stream().anyMatch(text::contains))) {
            return CatalogException.of(
                    ErrorCode.INVALID_INPUT,
                    subject + " cannot be applied to the table: " + NativeText.reason(failure) + ".",
                    failure);
        }
        return NativeErrors.translate(failure);
    }
}
