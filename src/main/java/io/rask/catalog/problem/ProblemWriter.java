package io.rask.catalog.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.util.DisconnectedClientHelper;
import tools.jackson.databind.json.JsonMapper;

/** The one place that turns a failure into an answer, for handlers, filters and the container alike. */
@Component
final class ProblemWriter {
    /** Set on a request whose answer had begun when it failed, so that the outermost filter breaks the connection. */
    static final String BROKEN_ANSWER = ProblemWriter.class.getName() + ".brokenAnswer";

    /** Why a request failed that the container answers. */
    private static final String REASON = ProblemWriter.class.getName() + ".reason";

    private static final Logger LOG = LoggerFactory.getLogger(ProblemWriter.class);
    private static final String TYPE_PREFIX = "urn:lance:error:";
    private static final int LONGEST_INSTANCE = 2000;

    private final JsonMapper json;
    private final int unsupportedStatus;

    ProblemWriter(JsonMapper json, ProblemSettings settings) {
        this.json = json;
        this.unsupportedStatus = settings.unsupportedStatus();
    }

    /** Answers a request that failed. An answer already under way cannot be taken back; it is marked to be broken off. */
    void write(Throwable failure, HttpServletRequest request, HttpServletResponse response) throws IOException {
        Refusal refusal = refusal(failure, request);
        log(refusal, failure, request);
        if (!response.isCommitted()) {
            write(refusal, request, response);
        } else if (response.getStatus() >= 400) {
            // The container stopped the request itself, as it does for a body it cannot read, and will ask for the
            // answer's text.
            request.setAttribute(REASON, failure);
        } else {
            request.setAttribute(BROKEN_ANSWER, true);
        }
    }

    /** Answers a request the container refused. */
    void write(int status, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getAttribute(REASON) instanceof Throwable reason) {
            write(refusal(reason, request), request, response);
            return;
        }
        String allow = response.getHeader(HttpHeaders.ALLOW);
        HttpHeaders headers = new HttpHeaders();
        if (allow != null) {
            headers.set(HttpHeaders.ALLOW, allow);
        }
        write(Refusal.framework(status, headers), request, response);
    }

    private Refusal refusal(Throwable failure, HttpServletRequest request) {
        Refusal refusal = Refusal.of(failure, unsupportedStatus);
        return ExpectedStatus.of(request, refusal.code()).map(refusal::under).orElse(refusal);
    }

    private void write(Refusal refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
        byte[] body = json.writeValueAsBytes(problem(refusal, request));
        response.reset();
        RequestId.echo(request, response);
        response.setStatus(refusal.status());
        refusal.headers().forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        Duration retryAfter = refusal.retryAfter();
        if (retryAfter != null) {
            response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(wholeSeconds(retryAfter)));
        }
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static Problem problem(Refusal refusal, HttpServletRequest request) {
        CatalogException.Resource about = refusal.resource();
        return new Problem(
                TYPE_PREFIX + refusal.code().wireName(),
                refusal.code().title(),
                refusal.status(),
                refusal.text(),
                instance(request),
                refusal.code().number(),
                refusal.text(),
                refusal.code().wireName(),
                about == null ? null : new Problem.Resource(about.kind(), about.name(), about.namespacePath()),
                RequestId.of(request),
                refusal.violations(),
                refusal.members());
    }

    private static @Nullable String instance(HttpServletRequest request) {
        String uri = OriginalUri.of(request);
        return uri == null || uri.length() <= LONGEST_INSTANCE ? uri : uri.substring(0, LONGEST_INSTANCE);
    }

    private static long wholeSeconds(Duration delay) {
        return Math.max(1, delay.plusSeconds(1).minusNanos(1).toSeconds());
    }

    private static void log(Refusal refusal, Throwable failure, HttpServletRequest request) {
        String about = request.getMethod() + " " + OriginalUri.of(request) + " [" + RequestId.of(request) + "]";
        if (DisconnectedClientHelper.isClientDisconnectedException(failure)
                || failure instanceof InterruptedIOException) {
            LOG.debug("{}: the client has gone or stalls", about, failure);
        } else if (refusal.code() == ErrorCode.INTERNAL) {
            LOG.error("{} failed", about, failure);
        } else if (refusal.status() >= 500) {
            LOG.warn("{} answered {}", about, refusal.status(), failure);
        } else {
            LOG.debug("{} refused with code {}: {}", about, refusal.code().number(), refusal.text());
        }
    }
}
