package io.rask.catalog.architecture;

import static java.util.stream.Collectors.toUnmodifiableMap;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The floors of the house, lowest first. A new package gets its floor here, and a decision record where the floor is new. */
final class Floors {
    static final String BASE = "io.rask.catalog";

    private static final List<List<String>> LOWEST_FIRST = List.of(
            List.of("problem", "id", "platform"),
            List.of("wire", "record"),
            List.of("lance"),
            List.of("hierarchy", "access", "storage", "event"),
            List.of("job", "lifecycle", "idempotency", "estate"),
            List.of("door"),
            List.of(
                    "namespace",
                    "table",
                    "data",
                    "column",
                    "index",
                    "version",
                    "tag",
                    "branch",
                    "transaction",
                    "view",
                    "project",
                    "warehouse",
                    "trash",
                    "protection",
                    "jobs",
                    "caller",
                    "grant",
                    "maintenance",
                    "events",
                    "openapi"));

    private static final Map<String, Integer> FLOOR_OF = IntStream.range(0, LOWEST_FIRST.size())
            .boxed()
            .flatMap(floor -> LOWEST_FIRST.get(floor).stream().map(name -> Map.entry(name, floor + 1)))
            .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private Floors() {}

    /** The floor of a feature package, counted from 1. */
    static Optional<Integer> of(String feature) {
        return Optional.ofNullable(FLOOR_OF.get(feature));
    }

    /** The feature a class belongs to: the first package below the base; empty for foreign classes and the application itself. */
    static Optional<String> feature(JavaClass type) {
        String name = type.getBaseComponentType().getPackageName();
        if (!name.startsWith(BASE + ".")) {
            return Optional.empty();
        }
        String below = name.substring(BASE.length() + 1);
        int dot = below.indexOf('.');
        return Optional.of(dot < 0 ? below : below.substring(0, dot));
    }
}
