package io.rask.catalog.problem;

import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    private final transient Map<String, Object> members;
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
            Map<String, Object> members,
            List<String> challenges) {
        super(message, cause);
        this.code = code;
        this.resource = resource;
        this.retryAfter = retryAfter;
        this.violations = List.copyOf(violations);
        this.members = Map.copyOf(members);
        this.challenges = List.copyOf(challenges);
    }

    private static CatalogException first(
            ErrorCode code,
            String message,
            @Nullable Throwable cause,
            @Nullable Duration retryAfter,
            List<FieldViolation> violations,
            List<String> challenges) {
        return new CatalogException(code, message, cause, null, retryAfter, violations, Map.of(), challenges);
    }

    public static CatalogException of(ErrorCode code, String message) {
        return first(code, message, null, null, List.of(), List.of());
    }

    public static CatalogException of(ErrorCode code, String message, Throwable cause) {
        return first(code, message, cause, null, List.of(), List.of());
    }

    /** Code 13 without a list of fields. */
    public static CatalogException invalid(String message) {
        return of(ErrorCode.INVALID_INPUT, message);
    }

    /** Code 13 with the fields that break a rule. */
    public static CatalogException invalid(String message, List<FieldViolation> violations) {
        return first(ErrorCode.INVALID_INPUT, message, null, null, violations, List.of());
    }

    /** Code 17: a part we depend on does not answer; the client may try again after the delay. */
    public static CatalogException unavailable(String message, @Nullable Throwable cause) {
        return first(ErrorCode.SERVICE_UNAVAILABLE, message, cause, Duration.ofSeconds(5), List.of(), List.of());
    }

    /**
     * Code 16: nobody knows who asks.
     *
     * @param challenges the ways to say so, as {@code WWW-Authenticate} tells them
     */
    public static CatalogException unauthenticated(String message, List<String> challenges) {
        return first(ErrorCode.UNAUTHENTICATED, message, null, null, List.of(), challenges);
    }

    public CatalogException about(Resource about) {
        return new CatalogException(code, text(), getCause(), about, retryAfter, violations, members, challenges);
    }

    public CatalogException retryAfter(Duration delay) {
        return new CatalogException(code, text(), getCause(), resource, delay, violations, members, challenges);
    }

    /** Tells more than the text, as members of the problem. */
    public CatalogException telling(Map<String, Object> more) {
        return new CatalogException(code, text(), getCause(), resource, retryAfter, violations, more, challenges);
    }

    public Map<String, Object> members() {
        return members;
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
