package io.rask.catalog.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a declared table lives, and how a client may reach it.
 *
 * @param storageOptions present only where the operator has configured a credential for clients
 */
public record DeclareTableResponse(
        String location,
        @Nullable Map<String, String> storageOptions,
        Map<String, String> properties,
        boolean managedVersioning) {}
