package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body that asks how rights come to be on an object.
 *
 * @param principal whose paths alone are wanted: {@code user:<subject>}, {@code team:<name>} or {@code role:<project>/<name>}; absent for
 *     everybody's
 */
public record AccessGraphRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String principal)
        implements ObjectBody {}
