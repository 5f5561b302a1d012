package io.rask.catalog.door;

import io.rask.catalog.access.Caller;
import io.rask.catalog.access.Principal;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.RequestId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a handler may know about its request beside the target and the body. */
public final class RequestContext {
    /** The header of an answer that says which version of a table was read. */
    public static final String READ_VERSION = "x-lancedb-version";

    private static final String CONTEXT_PREFIX = "header.";
    /** Headers that say who asks. A body that claims them claims nothing. */
    private static final Set<String> CREDENTIALS =
            Set.of("authorization", "proxy-authorization", "cookie", "x-api-key", "x-forwarded-user");

    /** Says that a list ends before all was looked at; its token goes on there. */
    private static final String TRUNCATED = "X-Authorization-Truncated";

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Principal principal;
    private final Map<String, @Nullable String> bodyContext;
    private Seen seen = Seen.UNASKED;

    RequestContext(
            HttpServletRequest request,
            HttpServletResponse response,
            Principal principal,
            Map<String, @Nullable String> bodyContext) {
        this.request = request;
        this.response = response;
        this.principal = principal;
        this.bodyContext = bodyContext;
    }

    public Principal principal() {
        return principal;
    }

    /** The caller, and what the record of a decision says beside. */
    public Caller caller() {
        return new Caller(
                principal, request.getRemoteAddr(), request.getMethod() + " " + request.getRequestURI(), requestId());
    }

    /** What was under the name of the target when the rights were asked for, if that decided which. */
    public Seen seen() {
        return seen;
    }

    void saw(Seen what) {
        this.seen = what;
    }

    /** Says in the answer that a list ends early because there was too much to ask about; its token goes on there. */
    public void truncated() {
        response.setHeader(TRUNCATED, "true");
    }

    /** The id of the request, as the answer's header carries it. */
    public String requestId() {
        return RequestId.of(request);
    }

    /** Whether the client is one of LanceDB's own, which read other shapes of some answers. */
    public boolean lanceDbDialect() {
        return LanceDbDialect.isSpokenBy(request);
    }

    /** Whether the client is an older one of LanceDB's own, which fails on types of indices that it does not know. */
    public boolean knowsOnlyItsOwnIndexTypes() {
        return LanceDbDialect.isClosedTo(request);
    }

    /**
     * What the ids of the request are relative to.
     *
     * @throws io.rask.catalog.problem.CatalogException code 13 when a header names what is no database
     */
    public DatabaseScope scope() {
        return DatabaseScope.of(this::header);
    }

    /**
     * The page a request asks for. LanceDB's own clients that name no limit get all there is: they read one page where others
     * follow the token.
     *
     * @throws io.rask.catalog.problem.CatalogException code 13 for a limit below 1
     */
    public PageRequest page(@Nullable String token, @Nullable Long limit) {
        return lanceDbDialect() && token == null && limit == null
                ? PageRequest.everything()
                : PageRequest.of(token, limit);
    }

    /**
     * A header of the request, or what the body's context says of it where the header is absent. Headers that authenticate are
     * never taken from a body.
     */
    public Optional<String> header(String name) {
        String sent = request.getHeader(name);
        if (sent != null) {
            return Optional.of(sent);
        }
        if (CREDENTIALS.contains(name.toLowerCase(Locale.ROOT))) {
            return Optional.empty();
        }
        for (Map.Entry<String, @Nullable String> entry : bodyContext.entrySet()) {
            if (entry.getKey().equalsIgnoreCase(CONTEXT_PREFIX + name)) {
                return Optional.ofNullable(entry.getValue());
            }
        }
        return Optional.empty();
    }

    /** The first value of a query parameter. */
    public Optional<String> query(String name) {
        return Optional.ofNullable(request.getParameter(name));
    }

    /**
     * The branch the request names: that of its body, or where it has none, that of its query.
     *
     * @return null when neither names one
     */
    public @Nullable String branch(@Nullable String ofBody) {
        String named = ofBody == null || ofBody.isEmpty() ? request.getParameter("branch") : ofBody;
        return named == null || named.isEmpty() ? null : named;
    }

    /** Whether the request asks to lift protection against deletion, and nothing else. */
    public boolean force() {
        return query("force").map(Boolean::parseBoolean).orElse(false);
    }

    /**
     * Whether what is dropped shall go for good although dropped things are kept for a while.
     *
     * @throws CatalogException code 13 when the request says neither true nor false
     */
    public boolean purge() {
        return flag("purge");
    }

    /**
     * Whether the request only asks what would happen. What cannot be read as yes or no is refused: a slip must not destroy.
     *
     * @throws CatalogException code 13 when the request says neither true nor false
     */
    public boolean dryRun() {
        return flag("dry_run");
    }

    /**
     * A parameter of the query that is true or false; false where it is absent.
     *
     * @throws CatalogException code 13 when it is neither
     */
    public boolean flag(String name) {
        String value = request.getParameter(name);
        if (value == null || value.equalsIgnoreCase("false")) {
            return false;
        }
        if (value.equalsIgnoreCase("true")) {
            return true;
        }
        throw CatalogException.invalid(
                "The parameter " + name + " is true or false.",
                List.of(new CatalogException.FieldViolation(name, "must be true or false")));
    }

    /** Whether the client wants a scalar answer as plain text: only an exact {@code text/plain} says so. */
    public boolean wantsPlainText() {
        return "text/plain".equals(request.getHeader("Accept"));
    }
}
