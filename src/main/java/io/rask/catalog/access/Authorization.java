package io.rask.catalog.access;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;
import java.util.function.Predicate;

/** Says who may do what. What it does not clearly allow is denied, and every verdict is recorded. */
public interface Authorization {
    /** Whether anyone is asked; where not, everything is allowed and nothing needs to be prepared for a question. */
    boolean isOn();

    /**
     * The verdicts, in the order of the questions; up to 50 that are not known yet are one round trip.
     *
     * @param beside what is asked in the same round trip if there is one, and not recorded; denied where there is none
     * @return the verdicts on the questions, then those on what is asked beside
     * @throws CatalogException code 17 when the engine does not answer
     */
    List<Boolean> verdicts(Caller caller, List<Question> questions, List<Question> beside);

    /**
     * Verdicts on the items of a list, or such as only shape a refusal: they are not recorded one by one.
     *
     * @throws CatalogException code 17 when the engine does not answer
     */
    List<Boolean> quietly(List<Question> questions);

    /**
     * The verdicts on a request of the caller that was carried out before and whose answer is asked for again; they are recorded as such.
     *
     * @param isGone whether an object is not there any more: then nobody can be asked about it, and the caller hears the answer again
     * @throws CatalogException code 17 when the engine does not answer
     */
    List<Boolean> again(Caller caller, List<Question> questions, Predicate<AccessObject> isGone);

    /** Records that whoever began a deletion goes on with it: nobody is asked, for the rights were taken back by it. */
    void resumed(Caller caller, Question question);

    /** Records that a list could not be shown because the permission engine did not answer. */
    void notListed(Caller caller, Relation relation, String what, CatalogException failure);

    /** Records what a list has shown of what it holds. */
    void listed(Caller caller, Relation relation, String what, int looked, int shown);

    /**
     * Refuses unless all is allowed.
     *
     * @throws CatalogException code 15 when something is not; code 17 when the engine does not answer
     */
    default void require(Caller caller, List<Question> questions) {
        List<Boolean> verdicts = verdicts(caller, questions, List.of());
        for (int at = 0; at < questions.size(); at++) {
            if (!verdicts.get(at)) {
                throw denied(questions.get(at));
            }
        }
    }

    /** Code 15. It says what was wanted of what; the caller has named both. */
    static CatalogException denied(Question question) {
        String relation = question.relation().wireName();
        AccessObject object = question.object();
        String text = object.kind() == AccessObject.Kind.ESTATE
                ? "You need " + relation + " on this installation."
                : "You need " + relation + " on the " + object.kind().type().replace('_', ' ') + " '" + object.id()
                        + "'.";
        return CatalogException.of(ErrorCode.PERMISSION_DENIED, text);
    }
}
