package io.rask.catalog.lance;

import java.time.Clock;
import java.time.Duration;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.cleanup.CleanupPolicy;
import org.lance.cleanup.RemovalStats;
import org.lance.index.OptimizeOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a manifest small: each commit adds a version and a transaction file, and the library never removes any (measured: 5,000
 * tables leave 490 MB). Fragments are put together by the commits themselves.
 */
final class ManifestUpkeep {
    private static final Logger log = LoggerFactory.getLogger(ManifestUpkeep.class);
    /** How long an old version stays for readers that still have it open. */
    static final Duration RETENTION = Duration.ofSeconds(30);

    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final Clock clock;

    ManifestUpkeep(NativeRuntime runtime, NativeCalls calls, Clock clock) {
        this.runtime = runtime;
        this.calls = calls;
        this.clock = clock;
    }

    /** Brings indices that other tools have built up to date and removes versions older than the retention. */
    void tidy(CatalogRoot root) {
        RemovalStats removed = calls.metadata(() -> {
            refreshIndices(root);
            return clean(root);
        });
        log.debug("{}: removed {} old versions, {} bytes", root, removed.getOldVersions(), removed.getBytesRemoved());
    }

    /** Indices that other tools have built would slow those tools down more with each commit. */
    private void refreshIndices(CatalogRoot root) {
        try (Dataset manifest = open(root)) {
            if (!manifest.listIndexes().isEmpty()) {
                manifest.optimizeIndices(OptimizeOptions.builder().build());
            }
        } catch (Exception e) {
            if (NativeErrors.cause(e) != NativeErrors.Cause.CONFLICT) {
                throw e;
            }
            log.debug("The indices of the manifest of {} are brought up to date another time.", root, e);
        }
    }

    private RemovalStats clean(CatalogRoot root) {
        try (Dataset manifest = open(root)) {
            return manifest.cleanupWithPolicy(CleanupPolicy.builder()
                    .withBeforeTimestampMillis(clock.millis() - RETENTION.toMillis())
                    .withErrorIfTaggedOldVersions(false)
                    .build());
        }
    }

    private Dataset open(CatalogRoot root) {
        return Dataset.open(
                runtime.allocator(),
                root.resolve(Manifest.FOLDER),
                new ReadOptions.Builder()
                        .setStorageOptions(root.storageOptions())
                        .setSession(runtime.session())
                        .build());
    }
}
