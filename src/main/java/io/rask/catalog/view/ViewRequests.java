package io.rask.catalog.view;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.wire.CreateViewRequest;
import io.rask.catalog.wire.RefreshViewRequest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what is asked for out of a body; code 13 for what cannot be, code 0 for what would run functions of users. */
final class ViewRequests {
    private static final int LONGEST_QUERY = 1 << 15;
    private static final int LONGEST_SCHEMA = 4 << 20;
    private static final long LEAST_ROWS = 1024;
    private static final long MOST_ROWS = 10_000_000;
    private static final Set<String> QUERIES = Set.of("query", "sql");
    private static final Set<String> FUNCTIONS = Set.of("udtf", "chunker", "scalar_udtf");

    private ViewRequests() {}

    /**
     * A view that is to be made.
     *
     * @param outputSchema an Arrow schema in Base64; null to take the columns of the query
     * @param withData whether the view begins with the rows of the query
     * @param ofSpec whether it was asked for in the form of the specification
     */
    record NewView(String query, @Nullable String outputSchema, boolean withData, boolean ofSpec) {}

    static NewView create(CreateViewRequest body) {
        if (Boolean.TRUE.equals(body.autoRefresh())) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED,
                    "The catalog refreshes a view when it is asked to, and not by itself; leave auto_refresh out.");
        }
        if (isAbsent(body.kind())) {
            if (isAbsent(body.query())) {
                throw missing("kind", "The body has neither a kind with a source_query nor a query.");
            }
            return new NewView(query("query", body.query()), null, !Boolean.TRUE.equals(body.withNoData()), false);
        }
        requireQuery(String.valueOf(body.kind()).toLowerCase(Locale.ROOT));
        if (!isAbsent(body.query())) {
            throw violation("query", "must be absent where there is a kind", "The body has two queries.");
        }
        if (body.udtfSpec() != null) {
            throw violation("udtf_spec", "must be null", "A view of the kind query has no function.");
        }
        String schema = body.outputSchema();
        if (schema == null || schema.isEmpty()) {
            throw missing("output_schema", "The body does not say the columns of the view.");
        }
        if (schema.length() > LONGEST_SCHEMA) {
            throw violation("output_schema", "must be shorter", "The schema is larger than 4 MiB.");
        }
        return new NewView(
                query("source_query", body.sourceQuery()), schema, Boolean.FALSE.equals(body.withNoData()), true);
    }

    private static void requireQuery(String kind) {
        if (FUNCTIONS.contains(kind)) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED,
                    "A view of the kind " + kind
                            + " is filled by a function of its user, and the catalog runs none; write"
                            + " the rows into a table, or make a view of the kind query.");
        }
        if (!QUERIES.contains(kind)) {
            throw violation("kind", "must be query, udtf or chunker", "The kind of the view is none that there is.");
        }
    }

    private static String query(String field, @Nullable String sql) {
        if (sql == null || sql.isBlank()) {
            throw missing(field, "The body does not say the query.");
        }
        if (sql.length() > LONGEST_QUERY) {
            throw violation(field, "must be shorter", "The query is longer than " + LONGEST_QUERY + " characters.");
        }
        if (sql.codePoints().anyMatch(c -> c == 0 || Character.getType(c) == Character.SURROGATE)) {
            throw violation(field, "must be text", "The query holds a character that is none.");
        }
        return sql;
    }

    /** Checks what a refresh asks for. */
    static void check(RefreshViewRequest body) {
        if (body.outputLimit() != null) {
            throw violation("output_limit", "must be absent", "Only a view of the kind chunker has an output limit.");
        }
        if (!isAbsent(body.manifest())) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED,
                    "A manifest is the environment of a function, and the catalog runs none; leave it out.");
        }
        within("src_version", body.srcVersion(), 1, Long.MAX_VALUE);
        within("max_rows_per_fragment", body.maxRowsPerFragment(), LEAST_ROWS, MOST_ROWS);
        within("concurrency", body.concurrency(), 1, Integer.MAX_VALUE);
        within("intra_applier_concurrency", body.intraApplierConcurrency(), 1, Integer.MAX_VALUE);
        within("source_task_size", body.sourceTaskSize(), 1, Integer.MAX_VALUE);
    }

    private static void within(String field, @Nullable Long value, long least, long most) {
        if (value != null && (value < least || value > most)) {
            String rule =
                    most == Long.MAX_VALUE ? "must be at least " + least : "must be between " + least + " and " + most;
            throw violation(field, rule, "The field '" + field + "' " + rule + ".");
        }
    }

    private static boolean isAbsent(@Nullable String text) {
        return text == null || text.isEmpty();
    }

    private static CatalogException missing(String field, String message) {
        return violation(field, "must be present", message);
    }

    private static CatalogException violation(String field, String rule, String message) {
        return CatalogException.invalid(message, List.of(new FieldViolation(field, rule)));
    }
}
