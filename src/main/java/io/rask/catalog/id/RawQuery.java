package io.rask.catalog.id;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a request's query, strictly decoded. A form body is never read as parameters: it may be the JSON or Arrow body. */
final class RawQuery {
    private RawQuery() {}

    /** The values by name in the order of the query; a bad escape is code 13. */
    static Map<String, List<String>> parse(@Nullable String query) {
        if (query == null || query.isEmpty()) {
            return Map.of();
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = PercentDecoding.form(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : PercentDecoding.form(pair.substring(equals + 1));
            values.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
        }
        return Collections.unmodifiableMap(values);
    }
}
