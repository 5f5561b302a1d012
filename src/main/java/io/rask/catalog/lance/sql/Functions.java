package io.rask.catalog.lance.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The functions a query may call: those whose answer depends on their arguments alone. The list is one of permissions, for the engine
 * has functions that read files, settings and the environment.
 */
final class Functions {
    private static final String LIST = "functions.txt";
    private static final Set<String> TABLES = Set.of("range", "generate_series", "unnest");

    private final Set<String> scalars = new HashSet<>();
    private final Set<String> others = new HashSet<>();

    private Functions() {}

    /** Reads the list that comes with the catalog. */
    static Functions load() {
        Functions functions = new Functions();
        try (InputStream list = Functions.class.getResourceAsStream(LIST)) {
            if (list == null) {
                throw new IllegalStateException("the list of functions is missing: " + LIST);
            }
            for (String line : new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                functions.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return functions;
    }

    private void add(String line) {
        List<String> words = List.of(line.split(" ", -1));
        if (!line.startsWith("#")) {
            Set<String> kind = words.getFirst().equals("scalar") ? scalars : others;
            words.subList(1, words.size()).forEach(name -> kind.add(name.toLowerCase(Locale.ROOT)));
        }
    }

    boolean isKnown(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        return scalars.contains(key) || others.contains(key);
    }

    /** Whether the answer for a row needs no other row. */
    boolean isScalar(String name) {
        return scalars.contains(name.toLowerCase(Locale.ROOT)) && !others.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Whether it may stand where a table stands. */
    boolean isTable(String name) {
        return TABLES.contains(name.toLowerCase(Locale.ROOT));
    }
}
