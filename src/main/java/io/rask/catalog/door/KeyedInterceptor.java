package io.rask.catalog.door;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.idempotency.KeptAnswer;
import io.rask.catalog.idempotency.KeyedRequest;
import io.rask.catalog.idempotency.KeyedRequests;
import io.rask.catalog.idempotency.KeyedRequests.Claim;
import io.rask.catalog.wire.CreateMode;
import io.rask.catalog.wire.CreateNamespaceRequest;
import io.rask.catalog.wire.CreateTableQuery;
import io.rask.catalog.wire.RegisterMode;
import io.rask.catalog.wire.RegisterTableRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Requests with an {@code Idempotency-Key}. A repeat is looked up before the guards look: what the first request did, such as a drop,
 * is what they would refuse it for; only the caller's rights are asked for. The key is claimed after the guards, so that a request they
 * refuse holds no key.
 */
@Component
final class KeyedInterceptor implements HandlerInterceptor {
    static final String HEADER = "Idempotency-Key";
    /** Says of an answer that it is the first request's. */
    static final String REPLAYED = "Idempotency-Replayed";

    static final String CAPTURE = KeyedInterceptor.class.getName() + ".capture";
    /** The bytes of the JSON body of a request with a key. */
    static final String BODY = KeyedInterceptor.class.getName() + ".body";

    private static final String PENDING = KeyedInterceptor.class.getName() + ".pending";
    private static final String CLAIM = KeyedInterceptor.class.getName() + ".claim";
    private static final Logger log = LoggerFactory.getLogger(KeyedInterceptor.class);

    private final KeyedRequests requests;

    KeyedInterceptor(KeyedRequests requests) {
        this.requests = requests;
    }

    private record Pending(KeyedRequest request, boolean repeatable) {}

    /** Whether the request and its handler know keys. */
    static boolean isKeyed(HttpServletRequest request, HandlerMethod handler) {
        return request.getAttribute(CAPTURE) != null && handler.hasMethodAnnotation(Keyed.class);
    }

    /** What the request was answered before; empty for one that is to be carried out. */
    Optional<KeptAnswer> answered(DoorCall call, HandlerMethod handler, HttpServletRequest request) {
        Keyed keyed = handler.getMethodAnnotation(Keyed.class);
        if (keyed == null || !isKeyed(request, handler)) {
            return Optional.empty();
        }
        Pending pending = new Pending(named(call, request), keyed.repeatable() && !overwrites(call, request));
        Optional<KeptAnswer> kept = requests.answered(pending.request(), pending.repeatable());
        if (kept.isEmpty()) {
            request.setAttribute(PENDING, pending);
        }
        return kept;
    }

    private static KeyedRequest named(DoorCall call, HttpServletRequest request) {
        String query = Objects.requireNonNullElse(request.getQueryString(), "");
        byte[] body = request.getAttribute(BODY) instanceof byte[] bytes ? bytes : new byte[0];
        return new KeyedRequest(
                call.principal().subject(),
                request.getHeader(HEADER),
                request.getMethod() + " " + request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) + " "
                        + call.object().map(ObjectId::stored).orElse(""),
                KeyedRequest.fingerprint(query.getBytes(StandardCharsets.UTF_8), body));
    }

    private static boolean overwrites(DoorCall call, HttpServletRequest request) {
        Object said = call.body().orElse(request.getAttribute(DoorInterceptor.QUERY));
        return switch (said) {
            case CreateTableQuery query -> query.mode() == CreateMode.OVERWRITE;
            case CreateNamespaceRequest body -> body.mode() == CreateMode.OVERWRITE;
            case RegisterTableRequest body -> body.mode() == RegisterMode.OVERWRITE;
            case null, default -> false;
        };
    }

    static void replay(KeptAnswer kept, HttpServletResponse response) throws IOException {
        response.setStatus(kept.status());
        response.setHeader(REPLAYED, "true");
        if (!kept.contentType().isEmpty()) {
            response.setContentType(kept.contentType());
        }
        response.setContentLength(kept.body().length);
        response.getOutputStream().write(kept.body());
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getAttribute(PENDING) instanceof Pending pending
                && request.getAttribute(CAPTURE) instanceof AnswerCapture capture) {
            request.removeAttribute(PENDING);
            request.setAttribute(CLAIM, requests.claim(pending.request(), pending.repeatable()));
            capture.begin();
        }
        return true;
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        if (request.getAttribute(CLAIM) instanceof Claim claim
                && request.getAttribute(CAPTURE) instanceof AnswerCapture capture) {
            request.removeAttribute(CLAIM);
            try {
                settle(
                        claim,
                        failure == null ? response.getStatus() : HttpStatus.INTERNAL_SERVER_ERROR.value(),
                        capture);
            } catch (RuntimeException e) {
                // The answer is right all the same; only its repeats are told that nobody knows.
                log.warn("What became of a request with an Idempotency-Key is not kept.", e);
            }
        }
    }

    private void settle(Claim claim, int status, AnswerCapture capture) {
        Optional<byte[]> body = capture.body();
        if (status < HttpStatus.BAD_REQUEST.value() && body.isPresent()) {
            String type = Objects.requireNonNullElse(capture.getContentType(), "");
            requests.done(claim, new KeptAnswer(status, type, body.get()));
        } else if (status >= HttpStatus.BAD_REQUEST.value() && status < HttpStatus.INTERNAL_SERVER_ERROR.value()) {
            requests.free(claim);
        } else {
            requests.unknown(claim);
        }
    }
}
