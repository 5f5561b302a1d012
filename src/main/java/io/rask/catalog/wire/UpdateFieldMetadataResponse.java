package io.rask.catalog.wire;

import java.util.Map;

/**
 * What a change of the metadata of fields did.
 *
 * @param fields the metadata each of the named fields has now, by its path
 */
public record UpdateFieldMetadataResponse(long version, Map<String, Map<String, String>> fields) {}
