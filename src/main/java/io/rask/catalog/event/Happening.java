package io.rask.catalog.event;

import java.util.Map;

/**
 * Something that happened to an object.
 *
 * @param object the object's id as it is stored
 * @param details what else there is to tell, by name
 */
public record Happening(EventType type, String object, Map<String, String> details) {
    public Happening {
        details = Map.copyOf(details);
    }
}
