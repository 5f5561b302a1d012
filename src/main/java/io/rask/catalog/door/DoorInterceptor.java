package io.rask.catalog.door;

import io.rask.catalog.idempotency.KeptAnswer;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.problem.RequestBodyException;
import io.rask.catalog.wire.ObjectBody;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/** Takes a request through its door: reads what it says, then asks the guards in the order of their steps. */
@Component
final class DoorInterceptor implements HandlerInterceptor {
    static final String CALL = DoorCall.class.getName();
    private static final String UPLOAD = DoorInterceptor.class.getName() + ".upload";
    static final String QUERY = Query.class.getName();

    /** Small bodies are taken in within this time, so a burst of them need not be sent twice. */
    private static final Duration UPLOAD_WAIT = Duration.ofSeconds(1);

    private final JsonReader json;
    private final Targets targets;
    private final List<Guard> guards;
    private final CatalogProperties.Limits limits;
    private final KeyedInterceptor keyed;
    private final ObjectProvider<ReplayRights> replays;
    private final Semaphore uploads;

    DoorInterceptor(
            JsonReader json,
            Targets targets,
            ObjectProvider<Guard> guards,
            KeyedInterceptor keyed,
            ObjectProvider<ReplayRights> replays,
            CatalogProperties properties) {
        this.json = json;
        this.keyed = keyed;
        this.replays = replays;
        this.targets = targets;
        this.guards =
                guards.orderedStream().sorted(Comparator.comparing(Guard::step)).toList();
        this.limits = properties.limits();
        this.uploads = new Semaphore(limits.uploads(), true);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException {
        if (!(handler instanceof HandlerMethod method) || request.getDispatcherType() != DispatcherType.REQUEST) {
            return true;
        }
        Door door = method.getMethodAnnotation(Door.class);
        if (door == null) {
            return true;
        }
        LanceDbDialect.prepare(request, response);
        DoorCall call = read(door, method, request, response);
        request.setAttribute(CALL, call);
        Optional<KeptAnswer> kept = keyed.answered(call, method, request);
        if (kept.isPresent()) {
            replays.ifAvailable(rights -> pass(Step.AUTHORIZATION, call, rights::require));
            KeyedInterceptor.replay(kept.get(), response);
            return false;
        }
        guards.forEach(guard -> pass(guard.step(), call, guard::check));
        if (DoorShape.takesArrow(method)) {
            admit(request);
        }
        return true;
    }

    /** Turns an upload away while too many are under way for longer than a moment; not a byte of its body has been read. */
    private void admit(HttpServletRequest request) {
        if (!admitted()) {
            throw CatalogException.of(
                            ErrorCode.THROTTLING, "The server takes in other data now; try again in a moment.")
                    .retryAfter(Duration.ofSeconds(1));
        }
        request.setAttribute(UPLOAD, uploads);
    }

    private boolean admitted() {
        try {
            return uploads.tryAcquire(UPLOAD_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        if (request.getAttribute(UPLOAD) instanceof Semaphore admitted) {
            request.removeAttribute(UPLOAD);
            admitted.release();
        }
    }

    private DoorCall read(Door door, HandlerMethod method, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (DoorShape.takesArrow(method)
                && request.getContentLengthLong() > limits.arrowBody().toBytes()) {
            throw RequestBodyException.tooLarge(limits.arrowBody().toBytes());
        }
        Optional<Type> queryType = DoorShape.queryType(method);
        if (queryType.isPresent()) {
            request.setAttribute(QUERY, json.query(request, queryType.get()));
        }
        Optional<Type> bodyType = DoorShape.bodyType(method, request.getMethod().equals("GET"));
        Optional<Object> body =
                bodyType.isPresent() ? Optional.of(body(method, request, bodyType.get())) : Optional.empty();
        RequestContext context =
                new RequestContext(request, response, IdentityFilter.principalOf(request), context(body.orElse(null)));
        return targets.resolve(door, request, body, context);
    }

    private Object body(HandlerMethod method, HttpServletRequest request, Type type) throws IOException {
        byte[] bytes = json.bytes(request, limits.jsonBody().toBytes());
        if (KeyedInterceptor.isKeyed(request, method)) {
            request.setAttribute(KeyedInterceptor.BODY, bytes);
        }
        return json.body(bytes, type);
    }

    private static Map<String, @Nullable String> context(@Nullable Object body) {
        Map<String, @Nullable String> sent = body instanceof ObjectBody object ? object.context() : null;
        return sent == null ? Map.of() : sent;
    }

    private static void pass(Step step, DoorCall call, Consumer<DoorCall> check) {
        try {
            check.accept(call);
        } catch (CatalogException e) {
            boolean hidden =
                    call.door().destructive() && step == Step.AUTHORIZATION && e.code() == ErrorCode.PERMISSION_DENIED;
            throw hidden ? call.absent() : e;
        }
    }
}
