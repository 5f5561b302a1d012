package io.rask.catalog.record;

import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.RecordStore.Revalidated.Absent;
import io.rask.catalog.record.RecordStore.Revalidated.Changed;
import io.rask.catalog.record.RecordStore.Revalidated.Unchanged;
import io.rask.catalog.record.RecordStore.WriteOutcome.Lost;
import io.rask.catalog.record.RecordStore.WriteOutcome.Unknown;
import io.rask.catalog.record.RecordStore.WriteOutcome.Written;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Records as objects below a prefix of a bucket, in any store with conditional writes ({@code If-None-Match: *} and
 * {@code If-Match}); a {@link ConditionalWriteProbe} finds out whether they are real.
 */
final class S3RecordStore implements RecordStore {
    private static final int NOT_MODIFIED = 304;
    private static final int NOT_FOUND = 404;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int CONFLICT = 409;
    private static final int PRECONDITION_FAILED = 412;
    private static final int TOO_MANY_REQUESTS = 429;

    private final S3Clients clients;
    private final String bucket;
    /** Empty, or with a slash at the end. */
    private final String prefix;

    /** The store closes the clients. */
    S3RecordStore(S3Clients clients, StoreUri.Bucket root) {
        this.clients = clients;
        this.bucket = root.name();
        this.prefix = root.prefix().isEmpty() ? "" : root.prefix() + "/";
    }

    @Override
    public Optional<StoredBytes> read(RecordKey key) {
        try {
            return Optional.of(get(key, request -> {}));
        } catch (S3Exception e) {
            if (isNoSuchKey(e)) {
                return Optional.empty();
            }
            throw unavailable(e);
        } catch (SdkException e) {
            throw unavailable(e);
        }
    }

    @Override
    public Revalidated readIfChanged(RecordKey key, String etag) {
        try {
            StoredBytes stored = get(key, request -> request.ifNoneMatch(etag));
            // A store that ignores the condition sends the content again; the answer must not depend on it.
            return stored.etag().equals(etag) ? new Unchanged() : new Changed(stored);
        } catch (S3Exception e) {
            if (e.statusCode() == NOT_MODIFIED) {
                return new Unchanged();
            }
            if (isNoSuchKey(e)) {
                return new Absent();
            }
            throw unavailable(e);
        } catch (SdkException e) {
            throw unavailable(e);
        }
    }

    @Override
    public WriteOutcome createIfAbsent(RecordKey key, byte[] bytes) {
        return put(key, bytes, request -> request.ifNoneMatch("*"), false);
    }

    @Override
    public WriteOutcome replaceIfMatch(RecordKey key, byte[] bytes, String etag) {
        return put(key, bytes, request -> request.ifMatch(etag), true);
    }

    @Override
    public Page list(String keyPrefix, @Nullable String after, int limit) {
        try {
            ListObjectsV2Response response = clients.reads().listObjectsV2(request -> {
                request.bucket(bucket).prefix(prefix + keyPrefix).maxKeys(limit);
                if (after != null) {
                    request.startAfter(prefix + after);
                }
            });
            return page(response);
        } catch (SdkException e) {
            throw unavailable(e);
        }
    }

    @Override
    public void discard(RecordKey key) {
        RecordStore.requireSingleUse(key);
        try {
            clients.writes().deleteObject(request -> request.bucket(bucket).key(prefix + key));
        } catch (SdkException e) {
            throw unavailable(e);
        }
    }

    @Override
    public void close() {
        clients.close();
    }

    private Page page(ListObjectsV2Response response) {
        List<Listed> entries = new ArrayList<>();
        String last = null;
        for (S3Object object : response.contents()) {
            last = object.key().substring(prefix.length());
            if (RecordKey.isKey(last)) {
                entries.add(new Listed(new RecordKey(last), object.eTag()));
            }
        }
        boolean more = Boolean.TRUE.equals(response.isTruncated());
        boolean sorted = IntStream.range(1, entries.size())
                .allMatch(i -> entries.get(i - 1).key().compareTo(entries.get(i).key()) < 0);
        if (!sorted || (more && last == null)) {
            throw unavailable(
                    new IOException("A listing is not sorted by key, or goes on and has no key to go on from"));
        }
        return new Page(List.copyOf(entries), more ? last : null);
    }

    /** Reads the body within the attempt, so that a connection that breaks half way is an attempt that failed. */
    private StoredBytes get(RecordKey key, Consumer<GetObjectRequest.Builder> condition) {
        return clients.reads()
                .getObject(
                        request -> condition.accept(request.bucket(bucket).key(prefix + key)),
                        (response, body) -> stored(key, response, body));
    }

    private static StoredBytes stored(RecordKey key, GetObjectResponse response, InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(MAX_BYTES + 1);
        @Nullable String etag = response.eTag();
        if (bytes.length > MAX_BYTES || etag == null) {
            throw new IOException(key + " is larger than a record may be, or has no ETag");
        }
        return new StoredBytes(bytes, etag);
    }

    private WriteOutcome put(
            RecordKey key, byte[] bytes, Consumer<PutObjectRequest.Builder> condition, boolean replaces) {
        RecordStore.requireFits(key, bytes);
        try {
            @Nullable
            String etag = clients.writes()
                    .putObject(
                            request -> condition.accept(
                                    request.bucket(bucket).key(prefix + key).contentType("application/json")),
                            RequestBody.fromBytes(bytes))
                    .eTag();
            return etag == null ? new Unknown(new IOException("The store gave no ETag for " + key)) : new Written(etag);
        } catch (S3Exception e) {
            return outcome(e, replaces);
        } catch (SdkException e) {
            return new Unknown(e);
        }
    }

    private static WriteOutcome outcome(S3Exception e, boolean replaces) {
        int status = e.statusCode();
        if (status == CONFLICT || status == PRECONDITION_FAILED || (replaces && isNoSuchKey(e))) {
            return new Lost();
        }
        if (status >= 500 || status == REQUEST_TIMEOUT || status == TOO_MANY_REQUESTS || status < 400) {
            return new Unknown(e);
        }
        throw unavailable(e);
    }

    /** Only this code says that the record is not there; a 404 may also be about the bucket, or come from no S3 store at all. */
    private static boolean isNoSuchKey(S3Exception e) {
        return e.statusCode() == NOT_FOUND
                && e.awsErrorDetails() != null
                && "NoSuchKey".equals(e.awsErrorDetails().errorCode());
    }

    private static CatalogException unavailable(Exception cause) {
        return CatalogException.unavailable("The store of the catalog's records cannot be used right now.", cause);
    }
}
