package io.rask.catalog.problem;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A failure with one of the 24 codes. The message is written for the client: it says what happened and what to do, and names
 * nothing internal. What the operator needs goes into the cause, which is logged and never sent.
 */
public final class CatalogException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient Details details;
    private final transient @Nullable Supplier<String> lateText;
    private volatile @Nullable String toldText;

    /** The object a failure is about: its kind ({@code table}, {@code namespace}, …), name, and the path of its parent. */
    public record Resource(String kind, String name, List<String> namespacePath) {}

    /** One field of a request that breaks a rule: its path in the body, and the rule. */
    public record FieldViolation(String field, String message) {}

    /** What an answer tells beside code and message. */
    private record Details(
            @Nullable Resource resource,
            @Nullable Duration retryAfter,
            List<FieldViolation> violations,
            List<String> challenges,
            Map<String, Object> members) {
        static final Details NONE = new Details(null, null, List.of(), List.of(), Map.of());

        Details {
            violations = List.copyOf(violations);
            challenges = List.copyOf(challenges);
            members = Map.copyOf(members);
        }

        Details about(Resource about) {
            return new Details(about, retryAfter, violations, challenges, members);
        }

        Details after(Duration delay) {
            return new Details(resource, delay, violations, challenges, members);
        }

        Details telling(Map<String, Object> more) {
            return new Details(resource, retryAfter, violations, challenges, more);
        }
    }

    private CatalogException(ErrorCode code, String message, @Nullable Throwable cause, Details details) {
        this(code, message, null, cause, details);
    }

    private CatalogException(
            ErrorCode code,
            String message,
            @Nullable Supplier<String> lateText,
            @Nullable Throwable cause,
            Details details) {
        super(message, cause);
        this.code = code;
        this.lateText = lateText;
        this.details = details;
    }

    public static CatalogException of(ErrorCode code, String message) {
        return new CatalogException(code, message, null, Details.NONE);
    }

    public static CatalogException of(ErrorCode code, String message, Throwable cause) {
        return new CatalogException(code, message, cause, Details.NONE);
    }

    /**
     * A failure whose text needs a look at a store. It is looked when the text is told, so that others do not wait for it where the
     * failure is found.
     *
     * @param text never throws; asked once, when the text is first wanted
     */
    public static CatalogException of(ErrorCode code, Supplier<String> text) {
        return new CatalogException(code, code.name(), text, null, Details.NONE);
    }

    /** Code 13 without a list of fields. */
    public static CatalogException invalid(String message) {
        return of(ErrorCode.INVALID_INPUT, message);
    }

    /** Code 13 with the fields that break a rule. */
    public static CatalogException invalid(String message, List<FieldViolation> violations) {
        return new CatalogException(
                ErrorCode.INVALID_INPUT, message, null, new Details(null, null, violations, List.of(), Map.of()));
    }

    /** Code 17: a part we depend on does not answer; the client may try again after the delay. */
    public static CatalogException unavailable(String message, @Nullable Throwable cause) {
        return new CatalogException(
                ErrorCode.SERVICE_UNAVAILABLE, message, cause, Details.NONE.after(Duration.ofSeconds(5)));
    }

    /**
     * Code 16: nobody knows who asks.
     *
     * @param challenges the ways to say so, as {@code WWW-Authenticate} tells them
     */
    public static CatalogException unauthenticated(String message, List<String> challenges) {
        return new CatalogException(
                ErrorCode.UNAUTHENTICATED, message, null, new Details(null, null, List.of(), challenges, Map.of()));
    }

    public CatalogException about(Resource about) {
        return with(details.about(about));
    }

    public CatalogException retryAfter(Duration delay) {
        return with(details.after(delay));
    }

    /** Tells more than the text, as members of the problem. */
    public CatalogException telling(Map<String, Object> more) {
        return with(details.telling(more));
    }

    private CatalogException with(Details other) {
        return new CatalogException(code, String.valueOf(super.getMessage()), lateText, getCause(), other);
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

    @Override
    public @Nullable String getMessage() {
        if (lateText == null) {
            return super.getMessage();
        }
        String known = toldText;
        if (known == null) {
            known = lateText.get();
            toldText = known;
        }
        return known;
    }

    /** The message; never null. */
    public String text() {
        return String.valueOf(getMessage());
    }

    public Optional<Resource> resource() {
        return Optional.ofNullable(details.resource());
    }

    /** The delay after which a retry makes sense; rounded up to seconds in the {@code Retry-After} header. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(details.retryAfter());
    }

    public List<FieldViolation> violations() {
        return details.violations();
    }

    /** What the answer's {@code WWW-Authenticate} says; empty for other codes than 16. */
    public List<String> challenges() {
        return details.challenges();
    }

    /** What the problem tells beside its usual members. */
    public Map<String, Object> members() {
        return details.members();
    }
}
