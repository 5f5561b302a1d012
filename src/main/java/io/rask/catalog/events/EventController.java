package io.rask.catalog.events;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.Target;
import io.rask.catalog.event.DeadLetters;
import io.rask.catalog.event.EventLog;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.wire.DeadLettersResponse;
import io.rask.catalog.wire.EventsQuery;
import io.rask.catalog.wire.EventsResponse;
import io.rask.catalog.wire.PageQuery;
import java.util.List;
import java.util.Objects;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors to what happened, for those who may observe the whole installation. */
@RestController
class EventController {
    private static final int USUAL = 100;
    private static final int MOST = 1000;

    private final EventLog events;
    private final DeadLetters deadLetters;

    EventController(EventLog events, DeadLetters deadLetters) {
        this.events = events;
        this.deadLetters = deadLetters;
    }

    @GetMapping("/v1/events")
    @Door(relation = Relation.CAN_OBSERVE_EVENTS, target = Target.ESTATE, withoutWarehouses = true)
    EventsResponse list(@Query EventsQuery query) {
        int limit = Objects.requireNonNullElse(query.limit(), USUAL);
        if (limit < 1) {
            throw CatalogException.invalid(
                    "The limit is 1 to 1000.", List.of(new FieldViolation("limit", "must be 1 to 1000")));
        }
        EventLog.Page page = events.read(query.since(), Math.min(limit, MOST));
        return new EventsResponse(page.events(), page.cursor(), page.reset());
    }

    @GetMapping("/v1/events/dead-letters")
    @Door(relation = Relation.CAN_OBSERVE_EVENTS, target = Target.ESTATE, withoutWarehouses = true)
    DeadLettersResponse deadLetters(@Query PageQuery query) {
        PageRequest asked = PageRequest.of(query.pageToken(), query.limit());
        DeadLetters.Page page = deadLetters.page(asked.after(), asked.limit());
        return new DeadLettersResponse(page.letters(), page.next());
    }
}
