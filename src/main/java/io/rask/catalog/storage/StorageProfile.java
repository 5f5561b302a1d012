package io.rask.catalog.storage;

import io.rask.catalog.lance.CatalogRoot;
import io.rask.catalog.platform.StoreUri;
import java.util.Map;
import java.util.Optional;

/**
 * How to reach one place.
 *
 * @param place where it is
 * @param serverOptions what the server itself uses; never handed out
 * @param clientOptions what a client may be given, present only where an operator has configured a separate client credential
 */
public record StorageProfile(
        StoreUri place, Map<String, String> serverOptions, Optional<Map<String, String>> clientOptions) {

    /** The root for the native layer. */
    public CatalogRoot root() {
        return new CatalogRoot(place.location(), serverOptions);
    }

    /** The place alone: options hold secrets. */
    @Override
    public String toString() {
        return "StorageProfile[" + place.external() + "]";
    }
}
