package io.rask.catalog.wire;

import java.util.Map;

/** A table after its registration. */
public record RegisterTableResponse(String location, Map<String, String> properties) {}
