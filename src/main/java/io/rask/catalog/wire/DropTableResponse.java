package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;

/** A table that left the catalog: dropped, or deregistered. */
public record DropTableResponse(List<String> id, String location, Map<String, String> properties) {}
