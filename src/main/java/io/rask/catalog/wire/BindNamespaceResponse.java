package io.rask.catalog.wire;

import java.util.Map;

/**
 * A bound top-level namespace.
 *
 * @param created whether this request made it
 */
public record BindNamespaceResponse(
        String namespace, String warehouse, boolean created, Map<String, String> properties) {}
