package io.rask.catalog.door;

import io.rask.catalog.event.Events;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;

/** Tells what a request did, before its answer goes out. What happened is told also where the request failed afterwards. */
@Component
final class AnnouncingInterceptor implements HandlerInterceptor {
    private final Events events;

    AnnouncingInterceptor(Events events) {
        this.events = events;
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        if (request.getAttribute(DoorInterceptor.CALL) instanceof DoorCall call) {
            RequestContext context = call.context();
            events.happened(context.announced(), call.principal().subject(), context.requestId());
        }
    }
}
