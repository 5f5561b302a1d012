package io.rask.catalog.lance.sql;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the engine's failures mean. Its texts speak of the query alone, once what belongs to our side is cut off. */
final class EngineErrors {
    private static final int LONGEST = 500;
    private static final String BEFORE = "attempting to execute an unsuccessful";
    private static final Pattern ABSENT =
            Pattern.compile("binder error: (referenced column \"[^\"]*\" not found|.*does not have a column named)");

    private volatile @Nullable CatalogException ended;

    /** Says why the engine is about to be stopped. */
    void ended(CatalogException reason) {
        ended = reason;
    }

    /** Why the engine was to be stopped, if it was. */
    Optional<CatalogException> ended() {
        return Optional.ofNullable(ended);
    }

    CatalogException understood(Exception failure) {
        if (failure instanceof CatalogException known) {
            return known;
        }
        CatalogException reason = ended;
        if (reason != null) {
            return reason;
        }
        String text = String.valueOf(failure.getMessage());
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.contains("out of memory error")) {
            return CatalogException.of(
                    ErrorCode.INVALID_INPUT,
                    "The query needs more memory, or more space to spill, than a view may use (lance.jobs.view-memory,"
                            + " lance.jobs.view-spill).",
                    failure);
        }
        ErrorCode code = ABSENT.matcher(lower).find() ? ErrorCode.TABLE_COLUMN_NOT_FOUND : ErrorCode.INVALID_INPUT;
        return CatalogException.of(code, "The query fails: " + reason(text), failure);
    }

    /** The line that tells the failure; those after it point into the text with our names in it. */
    static String reason(String text) {
        String line = text.lines()
                .filter(part ->
                        !part.isBlank() && !part.toLowerCase(Locale.ROOT).contains(BEFORE))
                .findFirst()
                .orElse("no reason is given");
        String told = line.startsWith("Error: ") ? line.substring("Error: ".length()) : line;
        return told.length() > LONGEST ? told.substring(0, LONGEST) + "…" : told;
    }
}
