package io.rask.catalog.access;

import io.rask.catalog.problem.CatalogException;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Without an engine whoever is let in may do everything. */
@Component
@ConditionalOnProperty(name = "lance.fga.enabled", havingValue = "false", matchIfMissing = true)
final class OpenAuthorization implements Authorization {
    @Override
    public boolean isOn() {
        return false;
    }

    @Override
    public List<Boolean> verdicts(Caller caller, List<Question> questions, List<Question> beside) {
        return Collections.nCopies(questions.size() + beside.size(), true);
    }

    @Override
    public List<Boolean> quietly(List<Question> questions) {
        return Collections.nCopies(questions.size(), true);
    }

    @Override
    public List<Boolean> again(Caller caller, List<Question> questions, Predicate<AccessObject> isGone) {
        return Collections.nCopies(questions.size(), true);
    }

    @Override
    public void resumed(Caller caller, Question question) {
        // Nobody was asked.
    }

    @Override
    public void notListed(Caller caller, Relation relation, String what, CatalogException failure) {
        // Nobody was asked.
    }

    @Override
    public void listed(Caller caller, Relation relation, String what, int looked, int shown) {
        // Nobody was asked.
    }
}
