package io.rask.catalog.lance;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change of the metadata of one field.
 *
 * @param path the field
 * @param metadata new values by key; null takes the key away
 * @param replace whether what is not named goes
 */
public record FieldUpdate(String path, Map<String, @Nullable String> metadata, boolean replace) {}
