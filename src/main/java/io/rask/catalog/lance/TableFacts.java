package io.rask.catalog.lance;

import java.util.Map;

/**
 * What a version of a table says of itself.
 *
 * @param schema the fields as a tree of maps and lists
 * @param metadata the metadata of the schema
 * @param deletedRows rows that are deleted and still take space in the files
 */
public record TableFacts(
        long version, Map<String, Object> schema, Map<String, String> metadata, long fragments, long deletedRows) {}
