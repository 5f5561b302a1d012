package io.rask.catalog.platform;

import io.rask.catalog.problem.ProblemSettings;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The settings under {@code lance.*}. Each has an environment name: {@code lance.rest.root} is {@code LANCE_REST_ROOT},
 * {@code lance.warehouses-enabled} is {@code LANCE_WAREHOUSES_ENABLED}.
 *
 * @param warehousesEnabled whether the hierarchy above namespaces is served; without it there is one root and no guard
 * @param defaultWarehouse the warehouse in which the namespace routes may make top-level namespaces; it need not exist yet
 * @param reservedBuckets names that never become a warehouse's bucket
 * @param trashGraceDays for how many days what is dropped can surely be brought back; 0 deletes it at once
 * @param unsupportedStatus the HTTP status of code 0
 * @param allowUnauthenticated lets a server without authentication listen beyond loopback
 * @param apiDocs whether the server publishes the description of its API
 * @param auditEnabled whether every decision is recorded in the logger {@code audit}
 * @param apiDocsPublic whether that description is shown to callers who do not say who they are
 */
@ConfigurationProperties(prefix = "lance", ignoreUnknownFields = false)
@Validated
public record CatalogProperties(
        @DefaultValue @Valid Rest rest,
        @DefaultValue @Valid Control control,
        @DefaultValue @Valid Ns ns,
        @DefaultValue("true") boolean warehousesEnabled,
        @Nullable String defaultWarehouse,
        @DefaultValue List<String> reservedBuckets,
        @DefaultValue @Valid S3 s3,
        @DefaultValue @Valid Storage storage,
        @DefaultValue @Valid Limits limits,
        @DefaultValue @Valid Jobs jobs,
        @DefaultValue @Valid EventProperties events,
        @DefaultValue("0") @Min(0) @Max(365) int trashGraceDays,
        @DefaultValue("501") @OneOf({406, 501}) int unsupportedStatus,
        @DefaultValue("false") boolean allowUnauthenticated,
        @DefaultValue("true") boolean apiDocs,
        @DefaultValue("true") boolean auditEnabled,
        @DefaultValue("false") boolean apiDocsPublic,
        @DefaultValue @Valid FgaProperties fga,
        @DefaultValue @Valid OidcProperties oidc,
        @DefaultValue @Valid ApiKeyProperties apiKeys,
        @DefaultValue @Valid ServiceProperties service,
        @DefaultValue @Valid BootstrapProperties bootstrap)
        implements ProblemSettings {

    /** Where the records live: {@code lance.control.root}, or {@code _control} below {@code lance.rest.root}. */
    public StoreUri controlRoot() {
        String configured = control.root();
        return configured != null
                ? StoreUri.parse(configured)
                : StoreUri.parse(rest.root()).child("_control");
    }

    /** @param root where warehouses without a root of their own live: a folder, {@code file://…} or {@code s3://bucket[/prefix]} */
    public record Rest(
            @DefaultValue("./data/lance") @NotBlank String root) {}

    /** @param root where the records live; by default {@code _control} below {@code lance.rest.root} */
    public record Control(@Nullable String root) {
        public Control {
            if (root != null) {
                requirePlace("lance.control.root", root);
            }
        }
    }

    /** @param delimiter what joins the segments of an id when a request names no delimiter of its own */
    public record Ns(
            @DefaultValue("$") @NotBlank @Size(max = 8) String delimiter) {}

    /**
     * The server's own access to S3, used for records and for warehouses without a credential reference.
     *
     * @param endpoint the endpoint of an S3-compatible store; absent means Amazon's
     * @param allowHttp whether a plain-text endpoint is acceptable; by default exactly when the endpoint is one
     * @param clientAccessKeyId a separate credential that may be handed to clients together with {@code clientSecretAccessKey}
     * @param checksums {@code when-supported} or, for stores that refuse the newer checksums, {@code when-required}
     */
    public record S3(
            @Nullable String endpoint,
            @Nullable String accessKeyId,
            @Nullable String secretAccessKey,
            @Nullable String sessionToken,
            @DefaultValue("us-east-1") @NotBlank String region,
            @Nullable Boolean allowHttp,
            @DefaultValue("false") boolean virtualHosted,
            @Nullable String clientAccessKeyId,
            @Nullable String clientSecretAccessKey,
            @Nullable String clientSessionToken,

            @DefaultValue("when-supported") @Pattern(regexp = "when-supported|when-required")
            String checksums) {

        /** Keeps the secrets out of logs. */
        @Override
        public String toString() {
            return "S3[endpoint=" + endpoint + ", region=" + region + "]";
        }
    }

    /**
     * What a warehouse may name as its storage.
     *
     * @param allowedRoots prefixes a warehouse's {@code root} must lie under; by default the folder {@code ./data}
     * @param allowedEndpoints the endpoints a warehouse may name
     * @param credentials credential references by name
     */
    public record Storage(
            @DefaultValue("./data") List<String> allowedRoots,
            @DefaultValue List<String> allowedEndpoints,
            @DefaultValue Map<String, @Valid Credential> credentials) {
        public Storage {
            allowedRoots.forEach(root -> requirePlace("lance.storage.allowed-roots", root));
        }
    }

    /**
     * A credential a warehouse may refer to by name.
     *
     * @param project the only project whose warehouses may use it
     * @param clientAccessKeyId a separate credential that may be handed to clients
     */
    public record Credential(
            @NotBlank String project,
            @NotBlank String accessKeyId,
            @NotBlank String secretAccessKey,
            @Nullable String sessionToken,
            @Nullable String clientAccessKeyId,
            @Nullable String clientSecretAccessKey,
            @Nullable String clientSessionToken) {

        /** Keeps the secrets out of logs. */
        @Override
        public String toString() {
            return "Credential[project=" + project + "]";
        }
    }

    /**
     * Bounds on what one request may cost.
     *
     * @param jsonBody the largest JSON body
     * @param arrowBody the largest Arrow body
     * @param arrowBatch the largest single record batch, before and after decompression
     * @param metadataCalls native calls on catalog metadata at a time
     * @param streams native data streams at a time
     * @param queueWait how long a request waits for a native call to begin before it is turned away
     * @param storeTimeout how long one request to an object store may take, other than the upload of rows; a read is tried four times
     * @param uploads Arrow bodies taken in at a time; one more is turned away before it is read
     * @param requestDeadline how long the server works on a request while no byte of its body or its answer moves
     * @param resultRows how many rows one answer may have
     * @param resultBytes how large one answer may be
     * @param clientRate how many bytes a second a client must at least send or take while a request waits for it
     * @param clientPatience for how long a client may be slower than that
     * @param indexCache native memory for indices that stay loaded
     * @param metadataCache native memory for manifests and file footers that stay loaded
     * @param factsCache memory for what tables that are not open say of themselves
     */
    public record Limits(
            @DefaultValue("8MB") DataSize jsonBody,
            @DefaultValue("8GB") DataSize arrowBody,
            @DefaultValue("512MB") DataSize arrowBatch,
            @DefaultValue("8") @Min(1) @Max(256) int metadataCalls,
            @DefaultValue("8") @Min(1) @Max(256) int streams,
            @DefaultValue("10s") Duration queueWait,
            @DefaultValue("7s") Duration storeTimeout,
            @DefaultValue("16") @Min(1) @Max(1024) int uploads,
            @DefaultValue("90s") Duration requestDeadline,
            @DefaultValue("100000000") @Min(1) long resultRows,
            @DefaultValue("32GB") DataSize resultBytes,
            @DefaultValue("16KB") DataSize clientRate,
            @DefaultValue("30s") Duration clientPatience,
            @DefaultValue("256MB") DataSize indexCache,
            @DefaultValue("128MB") DataSize metadataCache,
            @DefaultValue("64MB") DataSize factsCache) {}

    /**
     * Work outside the server process.
     *
     * @param worker {@code spawned} when the server starts worker processes itself, {@code none} when they are started apart from it
     * @param workers how many processes the server starts; each does one job at a time
     * @param workerHeap the Java heap of each; native memory comes on top
     * @param workerIdle after how long without work such a process ends; the next job starts another
     * @param lease for how long a worker owns a job without renewing its right
     * @param attempts how often a job is tried; the deletion that a drop has left is tried for as long as that may help
     * @param backoff the pause before the second attempt; it doubles with each, up to ten minutes
     * @param poll how often it is looked whether other servers have left work
     * @param inlineWait how long a request waits for its job before it is answered with the job's id
     * @param retention how long finished jobs and their events are kept
     * @param mostOpen how many jobs may be asked for and not be finished; one more is turned away
     * @param dropGrace how long a drop has before a worker takes its deletion for abandoned
     * @param viewMemory the native memory that the query of a materialized view may use
     * @param viewSpill the space on disk it may use when the memory is not enough; 0 for none
     * @param viewTimeout how long one run of it may take
     * @param viewLease for how long a view stays closed to other refreshes when a worker dies at the end of one
     */
    public record Jobs(
            @DefaultValue("spawned") @Pattern(regexp = "spawned|none")
            String worker,

            @DefaultValue("1") @Min(1) @Max(16) int workers,
            @DefaultValue("512MB") DataSize workerHeap,
            @DefaultValue("10m") Duration workerIdle,
            @DefaultValue("60s") Duration lease,
            @DefaultValue("3") @Min(1) @Max(20) int attempts,
            @DefaultValue("5s") Duration backoff,
            @DefaultValue("5s") Duration poll,
            @DefaultValue("2s") Duration inlineWait,
            @DefaultValue("7d") Duration retention,
            @DefaultValue("1000") @Min(1) int mostOpen,
            @DefaultValue("2m") Duration dropGrace,
            @DefaultValue("512MB") DataSize viewMemory,
            @DefaultValue("4GB") DataSize viewSpill,
            @DefaultValue("30m") Duration viewTimeout,
            @DefaultValue("30s") Duration viewLease) {
        public Jobs {
            requireAtLeast("lance.jobs.view-timeout", viewTimeout, Duration.ofSeconds(1));
            requireAtLeast("lance.jobs.view-lease", viewLease, Duration.ofSeconds(2));
            requireAtLeast("lance.jobs.view-memory", viewMemory, DataSize.ofMegabytes(64));
            requireAtLeast("lance.jobs.view-spill", viewSpill, DataSize.ofBytes(0));
            requireAtLeast("lance.jobs.lease", lease, Duration.ofSeconds(2));
            requireAtLeast("lance.jobs.poll", poll, Duration.ofMillis(100));
            requireAtLeast("lance.jobs.retention", retention, Duration.ofMinutes(1));
            requireAtLeast("lance.jobs.backoff", backoff, Duration.ZERO);
            requireAtLeast("lance.jobs.inline-wait", inlineWait, Duration.ZERO);
        }

        /** Whether the server starts worker processes itself. */
        public boolean isSpawned() {
            return worker.equals("spawned");
        }
    }

    private static <T extends Comparable<? super T>> void requireAtLeast(String property, T value, T least) {
        if (value.compareTo(least) < 0) {
            throw new IllegalArgumentException(property + " must be at least " + least);
        }
    }

    private static void requirePlace(String property, String root) {
        try {
            StoreUri.parse(root);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(property + " is not usable: " + e.getMessage(), e);
        }
    }
}
