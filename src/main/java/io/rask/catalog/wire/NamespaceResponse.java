package io.rask.catalog.wire;

import java.util.Map;

/** What creating, describing or dropping a namespace answers: its properties. */
public record NamespaceResponse(Map<String, String> properties) {}
