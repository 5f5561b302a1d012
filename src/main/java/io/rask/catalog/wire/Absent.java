package io.rask.catalog.wire;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Clients send null, empty and nothing at all for the same thing; here it becomes the empty value. */
final class Absent {
    private Absent() {}

    /** The entries whose value is present, in their order. */
    static Map<String, String> map(@Nullable Map<String, @Nullable String> sent) {
        if (sent == null) {
            return Map.of();
        }
        Map<String, String> present = new LinkedHashMap<>();
        sent.forEach((key, value) -> {
            if (value != null) {
                present.put(key, value);
            }
        });
        return Collections.unmodifiableMap(present);
    }

    /** The elements; a null among them is code 13, because leaving it out would change what was asked. */
    static <T> List<T> list(@Nullable List<@Nullable T> sent) {
        if (sent == null) {
            return List.of();
        }
        List<T> present = new ArrayList<>(sent.size());
        for (T element : sent) {
            if (element == null) {
                throw CatalogException.invalid("A list of the body has a null element.");
            }
            present.add(element);
        }
        return Collections.unmodifiableList(present);
    }
}
