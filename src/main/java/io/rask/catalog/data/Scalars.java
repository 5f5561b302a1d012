package io.rask.catalog.data;

import io.rask.catalog.door.RequestContext;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/** Answers that are one value: JSON, because that is what stock clients parse, and plain text for who asks for exactly that. */
final class Scalars {
    private static final MediaType PLAIN = new MediaType("text", "plain", StandardCharsets.UTF_8);

    private Scalars() {}

    /** @param version of the table that the number is from */
    static ResponseEntity<String> number(long value, long version, RequestContext context) {
        return ResponseEntity.ok()
                .contentType(type(context))
                .header(RequestContext.READ_VERSION, String.valueOf(version))
                .body(Long.toString(value));
    }

    /** A text is in quotes as JSON, and as it is as plain text. */
    static ResponseEntity<String> text(String value, RequestContext context, JsonMapper json) {
        String body = context.wantsPlainText() ? value : json.writeValueAsString(value);
        return ResponseEntity.ok().contentType(type(context)).body(body);
    }

    private static MediaType type(RequestContext context) {
        return context.wantsPlainText() ? PLAIN : MediaType.APPLICATION_JSON;
    }
}
