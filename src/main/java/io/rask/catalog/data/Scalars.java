package io.rask.catalog.data;

import io.rask.catalog.door.RequestContext;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Answers that are one value: JSON, because that is what stock clients parse, and plain text for who asks for exactly that. */
final class Scalars {
    private Scalars() {}

    static ResponseEntity<String> number(long value, RequestContext context) {
        MediaType type = context.wantsPlainText() ? MediaType.TEXT_PLAIN : MediaType.APPLICATION_JSON;
        return ResponseEntity.ok().contentType(type).body(Long.toString(value));
    }
}
