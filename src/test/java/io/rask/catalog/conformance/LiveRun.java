package io.rask.catalog.conformance;

import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.Register.Operation;
import io.rask.webtest.RawHttp;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a running server answered: to a request that should succeed, for each operation, and to one for each code that each declares.
 *
 * @param outcomes by the name of the operation
 */
record LiveRun(Map<String, Outcome> outcomes) {

    /**
     * The answers of one operation.
     *
     * @param answer to the request that should succeed
     * @param refusals by the code that the request should have led to
     */
    record Outcome(Operation operation, RawHttp.Answer answer, Map<Integer, RawHttp.Answer> refusals) {
        boolean works() {
            return answer.status() == operation.status();
        }
    }

    static LiveRun of(ConformanceCatalog catalog) {
        Causes causes = new Causes(catalog);
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        for (Operation operation : Register.operations()) {
            Map<Integer, RawHttp.Answer> refusals = new TreeMap<>();
            if (operation.isServed()) {
                for (int code : operation.codes()) {
                    refusals.put(code, catalog.send(causes.of(operation, code)));
                }
            }
            RawHttp.Answer answer = catalog.send(catalog.valid().of(operation));
            outcomes.put(operation.name(), new Outcome(operation, answer, refusals));
        }
        return new LiveRun(outcomes);
    }

    Outcome of(Operation operation) {
        Outcome outcome = outcomes.get(operation.name());
        if (outcome == null) {
            throw new IllegalArgumentException("the register has no " + operation);
        }
        return outcome;
    }
}
