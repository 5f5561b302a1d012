package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * Turns what native code throws into a {@link CatalogException}. The library gives most failures as text alone, so the text is
 * read here and nowhere else, into a {@link Cause}; what a cause means for a request is decided by the caller that knows what it
 * asked for. Native text itself never goes on: it holds paths and source locations.
 */
final class NativeErrors {
    private static final List<String> STORE_TEXTS = List.of(
            "error sending request",
            "connection refused",
            "connection reset",
            "connection closed",
            "operation timed out",
            "request timed out",
            "timed out",
            "dns error",
            "service unavailable",
            "slowdown",
            "slow down",
            "too many requests",
            "error performing",
            "server error",
            "max retries",
            "max_retries");
    private static final List<String> DENIED_TEXTS =
            List.of("permission denied", "access denied", "accessdenied", "forbidden", "unauthenticated", "signature");
    private static final List<String> CONFLICT_TEXTS = List.of(
            "too many concurrent writers",
            "retryable commit conflict",
            "incompatible transaction",
            "commit conflict",
            "concurrent modification",
            // What a newer library committed meanwhile, in a form this one cannot reconcile with; nothing was written.
            "does not have a transaction file");

    /** What went wrong, as far as the library's text tells. */
    enum Cause {
        ABSENT,
        EXISTS,
        CONFLICT,
        STORE_UNREACHABLE,
        STORE_DENIES,
        INVALID,
        UNKNOWN
    }

    private NativeErrors() {}

    /** Runs a call and translates what it throws. */
    static <T> T translated(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception | LinkageError | OutOfMemoryError e) {
            throw translate(e);
        }
    }

    /** The failure as an exception with a code; a {@link CatalogException} anywhere in the chain passes through. */
    static CatalogException translate(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof CatalogException known) {
                return known;
            }
        }
        return switch (cause(failure)) {
            case CONFLICT ->
                CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "Another writer changed the object at the same time; try again.",
                        failure);
            case STORE_UNREACHABLE ->
                CatalogException.unavailable("The object store does not answer; try again.", failure);
            case STORE_DENIES ->
                CatalogException.unavailable("The object store refuses the catalog's own credentials.", failure);
            case ABSENT, EXISTS, INVALID, UNKNOWN ->
                CatalogException.of(ErrorCode.INTERNAL, "The table library failed in an unexpected way.", failure);
        };
    }

    /** Code 17 for a change whose answer was lost. */
    static CatalogException unknownOutcome(Throwable failure) {
        return CatalogException.unavailable(
                "The object store failed during the change, and its outcome is not known; look before you try again.",
                failure);
    }

    /**
     * Whether opening failed because there is no dataset at the place. Narrower than {@link Cause#ABSENT}: a single file that is
     * gone must not make a table look as if it held no data. Native calls throw checked exceptions they do not declare, so
     * callers catch {@link Exception}.
     */
    static boolean isNoDataset(Throwable failure) {
        String text = text(failure);
        return cause(failure) == Cause.ABSENT && text.contains("dataset at path") && text.contains("was not found");
    }

    /** Reads the cause off the text of a failure and of everything that caused it. */
    static Cause cause(Throwable failure) {
        String text = text(failure);
        if (containsAny(text, CONFLICT_TEXTS)) {
            return Cause.CONFLICT;
        }
        if (containsAny(text, STORE_TEXTS)) {
            return Cause.STORE_UNREACHABLE;
        }
        if (containsAny(text, DENIED_TEXTS)) {
            return Cause.STORE_DENIES;
        }
        if (text.contains("dataset already exists")) {
            return Cause.EXISTS;
        }
        if (text.contains("was not found") || text.contains("not found")) {
            return Cause.ABSENT;
        }
        if (failure instanceof IllegalArgumentException || text.contains("invalid user input")) {
            return Cause.INVALID;
        }
        return Cause.UNKNOWN;
    }

    /** The texts of the whole chain in lower case; for recognising causes, never for clients. */
    static String text(Throwable failure) {
        StringBuilder all = new StringBuilder();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            all.append(t.getMessage()).append('\n');
        }
        return all.toString().toLowerCase(Locale.ROOT);
    }

    private static boolean containsAny(String text, List<String> parts) {
        return parts.stream().anyMatch(text::contains);
    }
}
