package io.rask.catalog.problem;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure with one of the 24 codes. The message is written for the client: it says what happened and what to do, and names
 * nothing internal. What the operator needs goes into the cause, which is logged and never sent.
 */
public final class CatalogException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient @Nullable Resource resource;
    private final @Nullable Duration retryAfter;
    private final transient List<FieldViolation> violations;
    private final transient List<String> challenges;

    /** The object a failure is about: its kind ({@code table}, {@code namespace}, …), name, and the path of its parent. */
    public record Resource(String kind, String name, List<String> namespacePath) {}

    /** One field of a request that breaks a rule: its path in the body, and the rule. */
    public record FieldViolation(String field, String message) {}

    private CatalogException(
            ErrorCode code,
            String message,
            @Nullable Throwable cause,
            @Nullable Resource resource,
            @Nullable Duration retryAfter,
            List<FieldViolation> violations,
            List<String> challenges) {
        super(message, cause);
        this.code = code;
        this.resource = resource;
        this.retryAfter = retryAfter;
        this.violations = List.copyOf(violations);
        this.challenges = List.copyOf(challenges);
    }

    public static CatalogException of(ErrorCode code, String message) {
        return new CatalogException(code, message, null, null, null, List.of(), List.of());
    }

    public static CatalogException of(ErrorCode code, String message, Throwable cause) {
        return new CatalogException(code, message, cause, null, null, List.of(), List.of());
    }

    /** Code 13 without a list of fields. */
    public static CatalogException invalid(String message) {
        return of(ErrorCode.INVALID_INPUT, message);
    }

    /** Code 13 with the fields that break a rule. */
    public static CatalogException invalid(String message, List<FieldViolation> violations) {
        return new CatalogException(ErrorCode.INVALID_INPUT, message, null, null, null, violations, List.of());
    }

    /** Code 17: a part we depend on does not answer; the client may try again after the delay. */
    public static CatalogException unavailable(String message, @Nullable Throwable cause) {
        return new CatalogException(
                ErrorCode.SERVICE_UNAVAILABLE, message, cause, null, Duration.ofSeconds(5), List.of(), List.of());
    }

    /**
     * Code 16: nobody knows who asks.
     *
     * @param challenges the ways to say so, as {@code WWW-Authenticate} tells them
     */
    public static CatalogException unauthenticated(String message, List<String> challenges) {
        return new CatalogException(ErrorCode.UNAUTHENTICATED, message, null, null, null, List.of(), challenges);
    }

    public CatalogException about(Resource about) {
        return new CatalogException(code, text(), getCause(), about, retryAfter, violations, challenges);
    }

    public CatalogException retryAfter(Duration delay) {
        return new CatalogException(code, text(), getCause(), resource, delay, violations, challenges);
    }

    public ErrorCode code() {
        return code;
    }

    /**
     * Whether the change that failed may have happened all the same: the store did not say, or nobody knows what went wrong. What
     * was recorded before it must then stay.
     */
    public boolean mayHaveHappened() {
        return code == ErrorCode.SERVICE_UNAVAILABLE || code == ErrorCode.INTERNAL;
    }

    /** The message; never null. */
    public String text() {
        return String.valueOf(getMessage());
    }

    public Optional<Resource> resource() {
        return Optional.ofNullable(resource);
    }

    /** The delay after which a retry makes sense; rounded up to seconds in the {@code Retry-After} header. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    public List<FieldViolation> violations() {
        return violations;
    }

    /** What the answer's {@code WWW-Authenticate} says; empty for other codes than 16. */
    public List<String> challenges() {
        return challenges;
    }
}
