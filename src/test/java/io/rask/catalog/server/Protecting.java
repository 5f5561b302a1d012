package io.rask.catalog.server;

import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Protects tables as an operator's record does. */
final class Protecting {
    private Protecting() {}

    /** @param address of the table, without an operation */
    static void protect(SharedCatalog catalog, String address) {
        String id = URLDecoder.decode(address.substring("/v1/table/".length()), StandardCharsets.UTF_8);
        ObjectNode record = JsonNodeFactory.instance.objectNode();
        record.put("id", id).put("protected", "true");
        catalog.server().bean(Records.class).put(RecordKey.of("_protection", RecordKey.hashed("table", id)), record);
    }
}
