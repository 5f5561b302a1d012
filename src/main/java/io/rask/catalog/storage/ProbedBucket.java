package io.rask.catalog.storage;

import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.storage.StorageProbe.ProbeFailure;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The probe of a root in a bucket. */
final class ProbedBucket implements StorageProbe.Place {
    private final S3Client client;
    private final String bucket;
    private final String prefix;

    ProbedBucket(S3Client client, StoreUri.Bucket root, String prefix) {
        this.client = client;
        this.bucket = root.name();
        this.prefix = (root.prefix().isEmpty() ? "" : root.prefix() + "/") + prefix + "/";
    }

    private static <T> T attempt(Supplier<T> work) {
        try {
            return work.get();
        } catch (S3Exception e) {
            throw new ProbeFailure(
                    switch (e.statusCode()) {
                        case 401, 403 -> "the store denies it";
                        case 404 -> "the store says that there is no such bucket or object";
                        case 501 -> "the store does not know such a request";
                        default -> "the store failed";
                    },
                    e);
        } catch (SdkException e) {
            throw new ProbeFailure("the store does not answer", e);
        }
    }

    private void put(String name, byte[] content, Consumer<PutObjectRequest.Builder> condition) {
        client.putObject(
                request -> {
                    request.bucket(bucket).key(prefix + name);
                    condition.accept(request);
                },
                RequestBody.fromBytes(content));
    }

    @Override
    public void put(String name, byte[] content) {
        attempt(() -> {
            put(name, content, any -> {});
            return true;
        });
    }

    /** A write that the client repeats after a lost answer meets what it has written itself. */
    private boolean unlessRefused(String name, byte[] content, Consumer<PutObjectRequest.Builder> condition) {
        return attempt(() -> {
            try {
                put(name, content, condition);
                return true;
            } catch (S3Exception e) {
                if (e.statusCode() != 412 && e.statusCode() != 409) {
                    throw e;
                }
                return Arrays.equals(content, get(name));
            }
        });
    }

    @Override
    public boolean putIfAbsent(String name, byte[] content) {
        return unlessRefused(name, content, request -> request.ifNoneMatch("*"));
    }

    @Override
    public byte[] get(String name) {
        return attempt(
                () -> client.getObjectAsBytes(request -> request.bucket(bucket).key(prefix + name))
                        .asByteArray());
    }

    @Override
    public String tag(String name) {
        return attempt(() -> client.headObject(request -> request.bucket(bucket).key(prefix + name))
                .eTag());
    }

    @Override
    public boolean putIfMatch(String name, byte[] content, String tag) {
        return unlessRefused(name, content, request -> request.ifMatch(tag));
    }

    @Override
    public @Nullable String noMatching() {
        return null;
    }

    @Override
    public List<String> names() {
        return attempt(
                () -> client.listObjectsV2(request -> request.bucket(bucket).prefix(prefix)).contents().stream()
                        .map(object -> object.key().substring(prefix.length()))
                        .toList());
    }

    @Override
    public void delete(String name) {
        attempt(() -> client.deleteObject(request -> request.bucket(bucket).key(prefix + name)));
    }

    @Override
    public void end() {
        // A store has no folders.
    }
}
