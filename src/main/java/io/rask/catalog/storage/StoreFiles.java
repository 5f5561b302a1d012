package io.rask.catalog.storage;

import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/**
 * Looks at the files below the root of a warehouse as the store has them. Code 17 whenever the store fails: what cannot be read
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
                                    .key(root.prefix().isEmpty() ? location : root.prefix() + "/" + location)
                                    .range("bytes=" + from + "-" + (to - 1)));
            };
        } catch (IOException | SdkException e) {
            throw failed(e);
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
