package io.rask.catalog.wire;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Events in the order of the log.
 *
 * @param events CloudEvents 1.0
 * @param cursor where to read on, on any server
 * @param reset whether events after the cursor that was sent are gone
 */
public record EventsResponse(List<JsonNode> events, String cursor, boolean reset) {}
