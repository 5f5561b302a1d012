package io.rask.catalog.door;

import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.Question;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    private final AbsentTargets absents;
    private final UnfinishedDeletions deletions;

    AuthorizationGuard(
            Authorization authorization,
            DoorQuestions questions,
            AbsentTargets absents,
            UnfinishedDeletions deletions) {
        this.deletions = deletions;
        this.absents = absents;
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
            deletions
                    .resumed(call)
                    .ifPresent(question -> authorization.resumed(call.context().caller(), question));
            return;
        }
        List<Question> revealing = absents.revealing(call, needed);
        List<Boolean> verdicts = authorization.verdicts(call.context().caller(), needed, revealing);
        for (int at = 0; at < needed.size(); at++) {
            if (!verdicts.get(at)) {
                Set<Question> known = allowed(revealing, verdicts.subList(needed.size(), verdicts.size()));
                throw refusal(call, needed.get(at), known);
            }
        }
    }

    private static Set<Question> allowed(List<Question> questions, List<Boolean> verdicts) {
        Set<Question> allowed = new HashSet<>();
        for (int at = 0; at < questions.size(); at++) {
            if (verdicts.get(at)) {
                allowed.add(questions.get(at));
            }
        }
        return allowed;
    }

    private CatalogException refusal(DoorCall call, Question denied, Set<Question> known) {
        if (call.door().asks() == Asked.JOB) {
            // What is asked about depends on the job, and who may not see it learns neither that nor whether there is
            // one.
            return CatalogException.of(
                    ErrorCode.PERMISSION_DENIED, "You may not do this to that job, or there is no job of that id.");
        }
        return absents.absence(call, denied)
                .filter(absent -> mayKnow(call, absent, known))
                .map(AbsentTargets.Absent::problem)
                .orElseGet(() -> Authorization.denied(questions.told(call, denied)));
    }

    /** What it would lie in may be absent too; then what that would lie in decides, which is asked only here. */
    private boolean mayKnow(DoorCall call, AbsentTargets.Absent absent, Set<Question> known) {
        return absent.revealedBy().stream().anyMatch(known::contains)
                || absents.nearest(call, absent)
                        .filter(nearest ->
                                authorization.quietly(List.of(nearest)).getFirst())
                        .isPresent();
    }
}
