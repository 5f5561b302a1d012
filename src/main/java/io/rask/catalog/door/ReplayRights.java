package io.rask.catalog.door;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.Question;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * Whether a caller may hear again what a request of the same caller was answered. It is asked for as for the request itself, so whoever
 * has lost a right since hears nothing. Where what is asked about is gone, by that very request or another, nobody can be asked, and the
 * caller, who was allowed once, is told what the caller was told before.
 */
@Component
@ConditionalOnProperty(name = "lance.fga.enabled", havingValue = "true")
final class ReplayRights {
    private final Authorization authorization;
    private final DoorQuestions questions;
    private final Existence existence;

    ReplayRights(Authorization authorization, DoorQuestions questions, Existence existence) {
        this.authorization = authorization;
        this.questions = questions;
        this.existence = existence;
    }

    /** Code 15 for a caller who may not hear it any more. */
    void require(DoorCall call) {
        List<Question> needed = questions.ofRepeat(call);
        List<Boolean> verdicts = authorization.again(call.context().caller(), needed, this::isGone);
        for (int at = 0; at < needed.size(); at++) {
            if (!verdicts.get(at)) {
                throw Authorization.denied(questions.told(call, needed.get(at)));
            }
        }
    }

    private boolean isGone(AccessObject object) {
        return switch (object.kind()) {
            case NAMESPACE -> !existence.namespace(id(object));
            case TABLE, MATERIALIZED_VIEW -> !existence.table(id(object));
            case ESTATE, PROJECT, ROLE, WAREHOUSE, TRANSACTION -> false;
        };
    }

    private static ObjectId id(AccessObject object) {
        return Delimiter.STORED.split(object.id());
    }
}
