package io.rask.catalog.storage;

import org.jspecify.annotations.Nullable;

/**
 * What a warehouse says about its storage.
 *
 * @param project the project that owns it
 * @param bucket the bucket, or the folder below the server's root
 * @param root a root of its own, or null for the default
 * @param endpoint an S3 endpoint other than the server's
 * @param region the region of that endpoint or bucket
 * @param credential the name of a credential reference
 */
public record StorageRequest(
        String project,
        String bucket,
        @Nullable String root,
        @Nullable String endpoint,
        @Nullable String region,
        @Nullable String credential) {}
