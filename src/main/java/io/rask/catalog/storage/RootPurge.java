package io.rask.catalog.storage;

import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;

/**
 * Deletes everything below the root of a warehouse, and nothing beside it. Only the catalog's own table stays: its version numbers tell
 * every server whether it knows the latest, so they must go on where the root is used again.
 */
@Component
public final class RootPurge {
    /** What stays, directly below the root. */
    private static final String CATALOG = "__manifest";

    private final StoreClients clients;

    public RootPurge(StoreClients clients) {
        this.clients = clients;
    }

    /**
     * Deletes; a repeat deletes what is left.
     *
     * @return how many files went
     * @throws CatalogException code 17 when the store fails, after some may have gone
     */
    public long purge(StorageProfile home) {
        return switch (home.place()) {
            case StoreUri.Folder folder -> onDisk(folder.path());
            case StoreUri.Bucket bucket -> inBucket(home, bucket);
        };
    }

    private static long onDisk(Path root) {
        long[] gone = {0};
        try {
            // Links are deleted and never followed.
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return folder.equals(root.resolve(CATALOG))
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (Files.deleteIfExists(file)) {
                        gone[0]++;
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                    if (failure != null) {
                        throw failure;
                    }
                    if (!folder.equals(root)) {
                        Files.deleteIfExists(folder);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (NoSuchFileException e) {
            return gone[0];
        } catch (IOException e) {
            throw failed(e);
        }
        return gone[0];
    }

    private long inBucket(StorageProfile home, StoreUri.Bucket bucket) {
        String prefix = bucket.prefix().isEmpty() ? "" : bucket.prefix() + "/";
        S3Client client = clients.of(home.serverOptions());
        long gone = 0;
        String after = null;
        try {
            ListObjectsV2Response page;
            do {
                page = client.listObjectsV2(ListObjectsV2Request.builder()
                        .bucket(bucket.name())
                        .prefix(prefix)
                        .startAfter(after)
                        .build());
                List<ObjectIdentifier> doomed = page.contents().stream()
                        .filter(object -> !object.key().startsWith(prefix + CATALOG + "/"))
                        .map(object ->
                                ObjectIdentifier.builder().key(object.key()).build())
                        .toList();
                gone += delete(client, bucket.name(), doomed);
                after = page.contents().isEmpty()
                        ? null
                        : page.contents().getLast().key();
            } while (Boolean.TRUE.equals(page.isTruncated()));
        } catch (SdkException e) {
            throw failed(e);
        }
        return gone;
    }

    private static long delete(S3Client client, String bucket, List<ObjectIdentifier> doomed) {
        if (doomed.isEmpty()) {
            return 0;
        }
        DeleteObjectsResponse answer = client.deleteObjects(request ->
                request.bucket(bucket).delete(what -> what.objects(doomed).quiet(true)));
        if (answer.hasErrors()) {
            throw CatalogException.unavailable("The store refused to delete objects of the warehouse.", null);
        }
        return doomed.size();
    }

    private static CatalogException failed(Exception e) {
        return CatalogException.unavailable("The bytes of the warehouse cannot be deleted.", e);
    }
}
