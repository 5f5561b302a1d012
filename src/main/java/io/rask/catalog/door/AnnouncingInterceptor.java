package io.rask.catalog.door;

import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.Events;
import io.rask.catalog.event.Happening;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
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
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        Announcements.open();
        return true;
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        List<Happening> happened = Announcements.close();
        if (request.getAttribute(DoorInterceptor.CALL) instanceof DoorCall call) {
            events.happened(happened, call.principal().subject(), call.context().requestId());
        }
    }
}
