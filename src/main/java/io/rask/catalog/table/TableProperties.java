package io.rask.catalog.table;

import io.rask.catalog.door.RequestContext;
import io.rask.catalog.platform.LanceFormat;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.wire.Properties;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The properties of a table whose body is Arrow: JSON as text in the query, or in the header that older clients send. */
@Component
final class TableProperties {
    private static final String HEADER = "x-lance-table-properties";

    private final JsonMapper json;

    TableProperties(JsonMapper json) {
        this.json = json;
    }

    /** Reads them; code 13 for anything but an object of texts, and for another table format. */
    Map<String, String> read(@Nullable String query, RequestContext context) {
        String text = query != null ? query : context.header(HEADER).orElse("");
        if (text.isBlank()) {
            return Map.of();
        }
        Map<String, String> sent;
        try {
            sent = json.readValue(text, new TypeReference<Map<String, String>>() {});
        } catch (JacksonException e) {
            throw CatalogException.invalid("The properties are a JSON object of texts.");
        }
        if (sent == null) {
            return Map.of();
        }
        Map<String, @Nullable String> checked = new LinkedHashMap<>(sent);
        LanceFormat.require(checked);
        return Properties.present(checked);
    }
}
