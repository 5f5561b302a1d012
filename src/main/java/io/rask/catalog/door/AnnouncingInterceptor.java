package io.rask.catalog.door;

import io.rask.catalog.access.AuditLog;
import io.rask.catalog.access.OnBehalf;
import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.Cause;
import io.rask.catalog.event.Events;
import io.rask.catalog.event.Happening;
import io.rask.catalog.id.ObjectId;
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
    private final AuditLog audit;

    AnnouncingInterceptor(Events events, AuditLog audit) {
        this.events = events;
        this.audit = audit;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        Announcements.open();
        OnBehalf.enter(IdentityFilter.known(request).orElse(null));
        return true;
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        List<Happening> happened = Announcements.close();
        OnBehalf.leave();
        if (request.getAttribute(DoorInterceptor.CALL) instanceof DoorCall call) {
            events.happened(
                    happened,
                    Cause.request(call.principal().subject(), call.context().requestId()));
            recordWhatWentAlong(call, happened);
        }
    }

    /** The rights were asked for on the one that was named; each that went with it is on record too. */
    private void recordWhatWentAlong(DoorCall call, List<Happening> happened) {
        if (call.door().asks() == Asked.BATCH) {
            return;
        }
        String named = call.object().map(ObjectId::stored).orElse("");
        happened.stream()
                .filter(each -> each.type().isDeparture() && !each.object().equals(named))
                .forEach(each ->
                        audit.wentAlong(call.context().caller(), each.type().kind(), each.object()));
    }
}
