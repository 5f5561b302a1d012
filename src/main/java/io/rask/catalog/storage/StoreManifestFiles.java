package io.rask.catalog.storage;

import io.rask.catalog.lance.ManifestFiles;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Manifest files in folders and buckets. Where a name is free, it is taken in one step that only one writer can make. */
@Component
final class StoreManifestFiles implements ManifestFiles {
    private static final Logger log = LoggerFactory.getLogger(StoreManifestFiles.class);
    private static final String FOLDER = "_versions";
    private static final String SCHEME = "s3://";
    private static final int CONFLICT = 409;
    private static final int PRECONDITION_FAILED = 412;

    private final StoreClients clients;

    StoreManifestFiles(StoreClients clients) {
        this.clients = clients;
    }

    @Override
    public byte[] read(TableLocation place, String name) {
        try {
            if (isFolder(place)) {
                return Files.readAllBytes(file(place, name));
            }
            Key key = key(place, name);
            return client(place)
                    .getObjectAsBytes(request -> request.bucket(key.bucket()).key(key.name()))
                    .asByteArray();
        } catch (IOException | SdkException e) {
            throw failed(e);
        }
    }

    @Override
    public boolean create(TableLocation place, String name, byte[] bytes) {
        try {
            return isFolder(place) ? link(file(place, name), bytes) : put(client(place), key(place, name), bytes);
        } catch (IOException | SdkException e) {
            throw failed(e);
        }
    }

    /** Creating a link fails if the name is taken; the file is whole when it gets its name. */
    private static boolean link(Path file, byte[] bytes) throws IOException {
        Path whole = Files.createTempFile(file.getParent(), "d-", ".tmp");
        try {
            Files.write(whole, bytes);
            Files.createLink(file, whole);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    private static boolean put(S3Client client, Key key, byte[] bytes) {
        try {
            client.putObject(
                    request -> request.bucket(key.bucket()).key(key.name()).ifNoneMatch("*"),
                    RequestBody.fromBytes(bytes));
            return true;
        } catch (S3Exception e) {
            if (e.statusCode() == CONFLICT || e.statusCode() == PRECONDITION_FAILED) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void discard(TableLocation place, String name) {
        try {
            if (isFolder(place)) {
                Files.deleteIfExists(file(place, name));
                return;
            }
            Key key = key(place, name);
            client(place).deleteObject(request -> request.bucket(key.bucket()).key(key.name()));
        } catch (IOException | SdkException e) {
            log.warn("A manifest file that no version needs could not be removed.", e);
        }
    }

    private S3Client client(TableLocation place) {
        return clients.of(place.storageOptions());
    }

    private static boolean isFolder(TableLocation place) {
        return !place.uri().startsWith(SCHEME);
    }

    private static Path file(TableLocation place, String name) {
        return Path.of(place.uri(), FOLDER, name);
    }

    private record Key(String bucket, String name) {}

    private static Key key(TableLocation place, String name) {
        String path = place.uri().substring(SCHEME.length());
        int slash = path.indexOf('/');
        return new Key(path.substring(0, slash), path.substring(slash + 1) + "/" + FOLDER + "/" + name);
    }

    private static CatalogException failed(Exception e) {
        return CatalogException.unavailable("The storage of a warehouse does not answer; try again.", e);
    }
}
