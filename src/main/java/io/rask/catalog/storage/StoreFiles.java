package io.rask.catalog.storage;

import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The files below the root of a warehouse as the store has them. Code 17 whenever the store fails: what cannot be read
 * is never taken for absent.
 */
@Component
public final class StoreFiles {
    private static final int PAGE = 1000;

    private final StoreClients clients;

    public StoreFiles(StoreClients clients) {
        this.clients = clients;
    }

    /**
     * A file.
     *
     * @param name its name in its folder
     * @param tag changes whenever the content does
     * @param size in bytes
     */
    public record Found(String name, String tag, long size) {}

    /** The names of the folders directly in a folder; none where the folder is not there. The empty location is the root. */
    public List<String> folders(StorageProfile home, String location) {
        return switch (home.place()) {
            case StoreUri.Folder root -> {
                List<String> names = new ArrayList<>();
                each(root.path().resolve(location), path -> {
                    if (Files.isDirectory(path)) {
                        names.add(String.valueOf(path.getFileName()));
                    }
                });
                yield names;
            }
            case StoreUri.Bucket root -> {
                String prefix = key(root, location, "");
                List<String> names = new ArrayList<>();
                ListObjectsV2Response page;
                String token = null;
                do {
                    page = list(home, root, prefix, PAGE, token);
                    page.commonPrefixes()
                            .forEach(found -> names.add(found.prefix()
                                    .substring(prefix.length(), found.prefix().length() - 1)));
                    token = page.nextContinuationToken();
                } while (Boolean.TRUE.equals(page.isTruncated()));
                yield names;
            }
        };
    }

    /**
     * The files directly in a folder in the order of their names; none where the folder is not there.
     *
     * @param most how many at most
     */
    public List<Found> files(StorageProfile home, String location, int most) {
        return switch (home.place()) {
            case StoreUri.Folder root -> {
                List<Path> inside = new ArrayList<>();
                each(root.path().resolve(location), inside::add);
                List<Found> files = new ArrayList<>();
                inside.stream().sorted().takeWhile(path -> files.size() < most).forEach(path -> add(files, path));
                yield files;
            }
            case StoreUri.Bucket root -> {
                String prefix = key(root, location, "");
                List<Found> files = new ArrayList<>();
                ListObjectsV2Response page;
                String token = null;
                do {
                    page = list(home, root, prefix, Math.min(PAGE, most - files.size()), token);
                    page.contents()
                            .forEach(found -> files.add(
                                    new Found(found.key().substring(prefix.length()), found.eTag(), found.size())));
                    token = page.nextContinuationToken();
                } while (Boolean.TRUE.equals(page.isTruncated()) && files.size() < most);
                yield files;
            }
        };
    }

    /**
     * Opens a part of a file; the caller closes it.
     *
     * @param from the first byte
     * @param to the byte behind the last
     */
    public InputStream open(StorageProfile home, String location, long from, long to) {
        try {
            return switch (home.place()) {
                case StoreUri.Folder root -> {
                    SeekableByteChannel file = Files.newByteChannel(root.path().resolve(location));
                    yield Channels.newInputStream(file.position(from));
                }
                case StoreUri.Bucket root ->
                    clients.of(home.serverOptions())
                            .getObject(request -> request.bucket(root.name())
                                    .key(key(root, "", location))
                                    .range("bytes=" + from + "-" + (to - 1)));
            };
        } catch (IOException | SdkException e) {
            throw failed(e);
        }
    }

    /** The file at a location, if there is one. */
    public Optional<Found> file(StorageProfile home, String location) {
        return switch (home.place()) {
            case StoreUri.Folder root -> {
                List<Found> found = new ArrayList<>();
                add(found, root.path().resolve(location));
                yield found.stream().findFirst();
            }
            case StoreUri.Bucket root -> {
                String key = key(root, "", location);
                try {
                    HeadObjectResponse head = clients.of(home.serverOptions())
                            .headObject(request -> request.bucket(root.name()).key(key));
                    yield Optional.of(new Found(
                            location.substring(location.lastIndexOf('/') + 1), head.eTag(), head.contentLength()));
                } catch (NoSuchKeyException e) {
                    yield Optional.empty();
                } catch (SdkException e) {
                    throw failed(e);
                }
            }
        };
    }

    /** Deletes a file; that there is none is no failure. */
    public void delete(StorageProfile home, String location) {
        try {
            switch (home.place()) {
                case StoreUri.Folder root -> Files.deleteIfExists(root.path().resolve(location));
                case StoreUri.Bucket root ->
                    clients.of(home.serverOptions())
                            .deleteObject(request -> request.bucket(root.name()).key(key(root, "", location)));
            }
        } catch (IOException | SdkException e) {
            throw failed(e);
        }
    }

    /**
     * Gives the content of a file a second name that nothing has yet. Nobody ever sees a part of it under the new name.
     *
     * @return false when the name is taken
     */
    public boolean copyIfAbsent(StorageProfile home, String from, String to) {
        return switch (home.place()) {
            case StoreUri.Folder root -> {
                try {
                    Files.createLink(root.path().resolve(to), root.path().resolve(from));
                    yield true;
                } catch (FileAlreadyExistsException e) {
                    yield false;
                } catch (IOException e) {
                    throw failed(e);
                }
            }
            case StoreUri.Bucket root -> {
                S3Client client = clients.of(home.serverOptions());
                try {
                    byte[] content = client.getObjectAsBytes(
                                    request -> request.bucket(root.name()).key(key(root, "", from)))
                            .asByteArrayUnsafe();
                    yield put(client, root, key(root, "", to), content);
                } catch (SdkException e) {
                    throw failed(e);
                }
            }
        };
    }

    /** A put that the client repeats after a lost answer meets what it has put itself: the same bytes. */
    private static boolean put(S3Client client, StoreUri.Bucket root, String key, byte[] content) {
        try {
            client.putObject(
                    request -> request.bucket(root.name()).key(key).ifNoneMatch("*"), RequestBody.fromBytes(content));
            return true;
        } catch (S3Exception e) {
            if (e.statusCode() != 412 && e.statusCode() != 409) {
                throw e;
            }
            byte[] present = client.getObjectAsBytes(
                            request -> request.bucket(root.name()).key(key))
                    .asByteArrayUnsafe();
            return Arrays.equals(present, content);
        }
    }

    /** Whether a location below the root stays below it when links of a file system are followed. */
    public boolean staysInside(StorageProfile home, String location) {
        if (!(home.place() instanceof StoreUri.Folder root)) {
            return true;
        }
        try {
            Path real = root.path().toRealPath();
            return root.path().resolve(location).toRealPath().startsWith(real);
        } catch (NoSuchFileException e) {
            // Nothing is there that could lead elsewhere.
            return true;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private ListObjectsV2Response list(
            StorageProfile home, StoreUri.Bucket root, String prefix, int most, @Nullable String token) {
        S3Client client = clients.of(home.serverOptions());
        try {
            return client.listObjectsV2(ListObjectsV2Request.builder()
                    .bucket(root.name())
                    .prefix(prefix)
                    .delimiter("/")
                    .maxKeys(most)
                    .continuationToken(token)
                    .build());
        } catch (SdkException e) {
            throw failed(e);
        }
    }

    private static String key(StoreUri.Bucket root, String location, String name) {
        StringBuilder key = new StringBuilder(root.prefix());
        if (!location.isEmpty()) {
            key.append(key.isEmpty() ? "" : "/").append(location);
        }
        return key.append(key.isEmpty() ? "" : "/").append(name).toString();
    }

    private static void each(Path folder, Consumer<Path> found) {
        if (!Files.isDirectory(folder)) {
            // Most datasets have no branches, and a failure for each would cost more than the look.
            return;
        }
        try (Stream<Path> inside = Files.list(folder)) {
            inside.forEach(found);
        } catch (NoSuchFileException | NotDirectoryException e) {
            // A folder that is not there holds nothing.
        } catch (IOException | UncheckedIOException e) {
            throw failed(e);
        }
    }

    private static void add(List<Found> files, Path path) {
        try {
            BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
            if (file.isRegularFile()) {
                String tag =
                        file.size() + "-" + file.lastModifiedTime().to(TimeUnit.NANOSECONDS) + "-" + file.fileKey();
                files.add(new Found(String.valueOf(path.getFileName()), tag, file.size()));
            }
        } catch (NoSuchFileException e) {
            // It went away since the folder was listed.
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static CatalogException failed(Exception e) {
        return CatalogException.unavailable("The storage of a warehouse cannot be read; try again.", e);
    }
}
