package io.rask.catalog.door;

import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.Question;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * Asks whether the caller may do what the door is for: everything in one round trip. An absent object is told to whoever may read what
 * it would lie in, and to nobody else.
 */
@Component
@ConditionalOnProperty(name = "lance.fga.enabled", havingValue = "true")
final class AuthorizationGuard implements Guard {
    private final Authorization authorization;
    private final DoorQuestions questions;

    AuthorizationGuard(Authorization authorization, DoorQuestions questions) {
        this.authorization = authorization;
        this.questions = questions;
    }

    @Override
    public Step step() {
        return Step.AUTHORIZATION;
    }

    @Override
    public void check(DoorCall call) {
        List<Question> needed = questions.of(call);
        if (needed.isEmpty()) {
            return;
        }
        List<Question> revealing = questions.revealing(call);
        List<Boolean> verdicts = authorization.verdicts(call.context().caller(), needed, revealing);
        for (int at = 0; at < needed.size(); at++) {
            if (!verdicts.get(at)) {
                boolean mayKnow =
                        verdicts.subList(needed.size(), verdicts.size()).contains(true);
                throw refusal(call, needed.get(at), mayKnow);
            }
        }
    }

    private CatalogException refusal(DoorCall call, Question denied, boolean mayKnow) {
        if (call.door().asks() == Asked.JOB) {
            // What is asked about depends on the job, and who may not see it learns neither that nor whether there is
            // one.
            return CatalogException.of(
                    ErrorCode.PERMISSION_DENIED, "You may not do this to that job, or there is no job of that id.");
        }
        return mayKnow && questions.isAbsent(call) ? call.absent() : Authorization.denied(questions.told(call, denied));
    }
}
