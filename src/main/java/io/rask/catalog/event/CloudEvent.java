package io.rask.catalog.event;

import java.time.Instant;
import java.util.TreeMap;
import java.util.UUID;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The form in which a happening is told: CloudEvents 1.0, as JSON. Its id is made once, so that whoever hears it twice can tell. */
final class CloudEvent {
    static final String TYPE = "type";
    static final String ID = "id";
    private static final String SOURCE = "/rask-lance-catalog";

    private CloudEvent() {}

    /**
     * Tells a happening.
     *
     * @param cause what made it happen
     */
    static ObjectNode of(Happening happening, Instant at, Cause cause) {
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        event.put("specversion", "1.0")
                .put(ID, UUID.randomUUID().toString())
                .put("source", SOURCE)
                .put(TYPE, happening.type().wireName())
                .put("subject", happening.type().kind() + "/" + happening.object())
                .put("time", at.toString())
                .put("datacontenttype", "application/json");
        ObjectNode data = event.putObject("data");
        data.put("kind", happening.type().kind())
                .put("object", happening.object())
                .put("by", cause.by())
                .put("request_id", cause.request());
        if (cause.worker() != null) {
            data.put("worker", cause.worker());
        }
        new TreeMap<>(happening.details()).forEach(data::put);
        return event;
    }
}
