package io.rask.catalog.storage;

import io.rask.catalog.lance.NewestManifests;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Looks at manifest files in folders and buckets. Their names count down, so that the newest is the first; where they count up, as
 * those of old tables do, or where a bucket has no order, nothing is told.
 */
@Component
final class StoreNewestManifests implements NewestManifests {
    private static final String FOLDER = "_versions";
    private static final String SUFFIX = ".manifest";
    private static final Pattern COUNTS_DOWN = Pattern.compile("[0-9]{20}\\.manifest");
    private static final Pattern COUNTS_UP = Pattern.compile("[0-9]{1,19}\\.manifest");
    private static final String SCHEME = "s3://";
    private static final String UNORDERED = "--x-s3";

    private final StoreClients clients;

    StoreNewestManifests(StoreClients clients) {
        this.clients = clients;
    }

    @Override
    public Optional<Stamp> of(TableLocation table) {
        try {
            return table.uri().startsWith(SCHEME) ? inBucket(table) : inFolder(Path.of(table.uri(), FOLDER));
        } catch (IOException | SdkException e) {
            throw CatalogException.unavailable("The storage of a warehouse does not answer; try again.", e);
        }
    }

    private static Optional<Stamp> inFolder(Path folder) throws IOException {
        // The plain names of java.io take a fraction of the time of paths.
        String @Nullable [] names = folder.toFile().list();
        String first = null;
        for (String name : names == null ? new String[0] : names) {
            if (COUNTS_UP.matcher(name).matches()) {
                return Optional.empty();
            }
            if ((first == null || name.compareTo(first) < 0)
                    && COUNTS_DOWN.matcher(name).matches()) {
                first = name;
            }
        }
        if (first == null) {
            return Optional.empty();
        }
        try {
            BasicFileAttributes file = Files.readAttributes(folder.resolve(first), BasicFileAttributes.class);
            long modified = file.lastModifiedTime().to(TimeUnit.NANOSECONDS);
            return stamp(first, file.fileKey() + "-" + modified + "-" + file.size());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private Optional<Stamp> inBucket(TableLocation table) {
        String path = table.uri().substring(SCHEME.length());
        int slash = path.indexOf('/');
        String bucket = path.substring(0, slash);
        if (bucket.endsWith(UNORDERED)) {
            return Optional.empty();
        }
        String prefix = path.substring(slash + 1) + "/" + FOLDER + "/";
        List<S3Object> first = clients.of(table.storageOptions())
                .listObjectsV2(request -> request.bucket(bucket).prefix(prefix).maxKeys(1))
                .contents();
        if (first.isEmpty()) {
            return Optional.empty();
        }
        S3Object file = first.getFirst();
        return stamp(
                file.key().substring(prefix.length()), file.eTag() + "-" + file.lastModified() + "-" + file.size());
    }

    private static Optional<Stamp> stamp(String name, String tag) {
        return COUNTS_DOWN.matcher(name).matches()
                ? Optional.of(
                        new Stamp(~Long.parseUnsignedLong(name.substring(0, name.length() - SUFFIX.length())), tag))
                : Optional.empty();
    }
}
