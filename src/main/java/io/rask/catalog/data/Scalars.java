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

    static ResponseEntity<String> number(long value, RequestContext context) {
        return answer(Long.toString(value), context);
    }

    /** A text is in quotes as JSON, and as it is as plain text. */
    static ResponseEntity<String> text(String value, RequestContext context, JsonMapper json) {
        return answer(context.wantsPlainText() ? value : json.writeValueAsString(value), context);
    }

    private static ResponseEntity<String> answer(String body, RequestContext context) {
        MediaType type = context.wantsPlainText() ? PLAIN : MediaType.APPLICATION_JSON;
        return ResponseEntity.ok().contentType(type).body(body);
    }
}
