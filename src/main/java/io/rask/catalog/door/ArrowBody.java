package io.rask.catalog.door;

import java.io.InputStream;

/**
 * An Arrow body no byte of which has been read. Reading past the limit, a stall and a broken connection throw
 * {@link io.rask.catalog.problem.RequestBodyException}; keep it as the cause of whatever is thrown instead.
 */
public record ArrowBody(InputStream stream) {}
