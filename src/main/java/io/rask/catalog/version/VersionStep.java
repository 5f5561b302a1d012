package io.rask.catalog.version;

import org.jspecify.annotations.Nullable;

/**
 * A version that is to be made together with other changes, in a form that outlives the server.
 *
 * @param root of the warehouse, as a URI
 * @param table the stored id of the table
 * @param location of the table below the root
 * @param branch null for the main branch
 * @param staged the name of the manifest that lies ready
 * @param name what it is to be called
 * @param digest of the manifest, so that it is known again under its new name
 * @param timestampMillis when its writer made it, in milliseconds since 1970
 */
public record VersionStep(
        String root,
        String table,
        String location,
        @Nullable String branch,
        long version,
        String staged,
        String name,
        String digest,
        long timestampMillis) {
    /** Whether it is the first of its branch, which needs the right to make one. */
    public boolean makesFirst() {
        return version == 1;
    }
}
