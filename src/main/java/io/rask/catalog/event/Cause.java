package io.rask.catalog.event;

import org.jspecify.annotations.Nullable;

/**
 * What made something happen.
 *
 * @param by who asked for it
 * @param request the id of the request; of the job where a worker did it
 * @param worker the worker that did it; null where the server did it in the request
 */
public record Cause(String by, String request, @Nullable String worker) {
    /** The cause of what a request does itself. */
    public static Cause request(String by, String request) {
        return new Cause(by, request, null);
    }
}
