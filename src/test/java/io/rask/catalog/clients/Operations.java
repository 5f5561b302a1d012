package io.rask.catalog.clients;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** What the server serves of the specification: a client's calls to the rest are left out, and the output says so. */
final class Operations {
    private static final List<Operation> ALL = read();

    private Operations() {}

    private record Operation(String method, Pattern path, String name, boolean isServed) {
        static Operation parse(String line) {
            String[] words = line.split(" ", -1);
            String path = words[1].replaceAll("\\{\\w+}", "[^/]+");
            return new Operation(words[0], Pattern.compile(path), words[2], words[3].equals("served"));
        }
    }

    private static List<Operation> read() {
        try (InputStream list = Operations.class.getResourceAsStream("/operations.txt")) {
            return new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Operation::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Set<String> served() {
        Set<String> served = new TreeSet<>();
        ALL.stream().filter(Operation::isServed).map(Operation::name).forEach(served::add);
        return served;
    }

    /** The operation a request is for. */
    static String name(String method, String path) {
        return ALL.stream()
                .filter(each -> each.method().equals(method)
                        && each.path().matcher(path).matches())
                .map(Operation::name)
                .findFirst()
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
