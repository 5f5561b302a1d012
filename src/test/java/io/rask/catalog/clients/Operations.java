package io.rask.catalog.clients;

import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.Register.Operation;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/** What the server serves of the specification: a client's calls to the rest are left out, and the output says so. */
final class Operations {
    private Operations() {}

    static Set<String> served() {
        return Register.served().map(Operation::name).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The operation a request is for. */
    static String name(String method, String path) {
        return Register.operations().stream()
                .filter(each -> each.isFor(method, path))
                .findFirst()
                .map(Operation::name)
                .orElse(method + " " + path);
    }

    /** Ends a test that needs an operation which is still open. */
    static void need(String... names) {
        for (String name : names) {
            boolean served = served().contains(name);
            if (!served) {
                System.out.println("LEFT OUT: " + name + " is not served yet");
            }
            Assumptions.assumeTrue(served, () -> name + " is not served yet");
        }
    }
}
