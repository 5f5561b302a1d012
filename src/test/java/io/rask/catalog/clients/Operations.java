package io.rask.catalog.clients;

import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.Register.Operation;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the server serves of the specification. */
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
}
