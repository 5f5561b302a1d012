package io.rask.catalog.access;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Asks the engine what is not known from a moment ago. */
final class EngineAuthorization implements Authorization {
    private final PermissionEngine engine;
    private final VerdictCache cache;
    private final AuditLog audit;

    EngineAuthorization(PermissionEngine engine, VerdictCache cache, AuditLog audit) {
        this.engine = engine;
        this.cache = cache;
        this.audit = audit;
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public List<Boolean> verdicts(Caller caller, List<Question> questions, List<Question> beside) {
        try {
            List<Boolean> verdicts = asked(questions, beside);
            for (int at = 0; at < questions.size(); at++) {
                audit.decided(caller, questions.get(at), verdicts.get(at));
            }
            return verdicts;
        } catch (CatalogException e) {
            questions.forEach(question -> audit.failed(caller, question, e));
            throw e;
        }
    }

    private List<Boolean> asked(List<Question> questions, List<Question> beside) {
        boolean known = questions.stream().allMatch(cache::allows);
        List<Boolean> verdicts = new ArrayList<>(Collections.nCopies(questions.size(), true));
        if (known) {
            verdicts.addAll(Collections.nCopies(beside.size(), false));
            return verdicts;
        }
        List<Question> all = new ArrayList<>(questions);
        all.addAll(beside);
        return quietly(all);
    }

    @Override
    public List<Boolean> quietly(List<Question> questions) {
        List<Question> open = new ArrayList<>();
        for (Question question : new LinkedHashSet<>(questions)) {
            if (!cache.allows(question)) {
                open.add(question);
            }
        }
        Map<Question, Boolean> asked = new HashMap<>();
        if (!open.isEmpty()) {
            long moment = cache.moment();
            List<Boolean> verdicts = engine.check(open);
            for (int at = 0; at < open.size(); at++) {
                asked.put(open.get(at), verdicts.get(at));
                if (verdicts.get(at)) {
                    cache.remember(open.get(at), moment);
                }
            }
        }
        return questions.stream().map(each -> asked.getOrDefault(each, true)).toList();
    }

    @Override
    public List<Boolean> again(Caller caller, List<Question> questions, Predicate<AccessObject> isGone) {
        try {
            List<Boolean> granted = quietly(questions);
            List<Boolean> verdicts = new ArrayList<>();
            for (int at = 0; at < questions.size(); at++) {
                boolean gone = !granted.get(at) && isGone.test(questions.get(at).object());
                audit.replayed(caller, questions.get(at), granted.get(at), gone);
                verdicts.add(granted.get(at) || gone);
            }
            return verdicts;
        } catch (CatalogException e) {
            questions.forEach(question -> audit.failed(caller, question, e));
            throw e;
        }
    }

    @Override
    public void resumed(Caller caller, Question question) {
        audit.resumed(caller, question);
    }

    @Override
    public void notListed(Caller caller, Relation relation, String what, CatalogException failure) {
        audit.notListed(caller, relation, what, failure);
    }

    @Override
    public void listed(Caller caller, Relation relation, String what, int looked, int shown) {
        audit.listed(caller, relation, what, looked, shown);
    }
}
