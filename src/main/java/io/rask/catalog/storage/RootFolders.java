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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.S3Object;

/** What lies in the folders directly below the root of a warehouse. Only looks. */
@Component
public final class RootFolders {
    private static final Logger log = LoggerFactory.getLogger(RootFolders.class);
    private static final int STEP = 1000;
    private static final int MOST_ASIDE = 10_000;
    private static final int MOST_UNREAD = 1_000;
    private static final Pattern ASIDE = Pattern.compile(".+/_versions/d(\\d+\\.manifest|-.*\\.tmp)");

    private final StoreClients clients;

    public RootFolders(StoreClients clients) {
        this.clients = clients;
    }

    /**
     * The files of one folder, at any depth.
     *
     * @param newest when the newest of them was written
     */
    public record Folder(long files, long bytes, Instant newest) {
        private static final Folder EMPTY = new Folder(0, 0, Instant.EPOCH);

        private Folder with(long size, Instant written) {
            return new Folder(files + 1, bytes + size, written.isAfter(newest) ? written : newest);
        }
    }

    /**
     * A file of a version that was made beside a table's line of versions, or what was to become one.
     *
     * @param path below the root
     */
    public record Aside(String path, long bytes, Instant written) {}

    /**
     * What was found.
     *
     * @param aside files of versions made aside, the first {@value #MOST_ASIDE} of them
     * @param unread paths below the root, the first {@value #MOST_UNREAD} of them, that could not be read: what is in them is not counted
     * @param cut whether there was more than was looked at or kept
     */
    public record Found(
            SortedMap<String, Folder> folders, List<Aside> aside, List<String> unread, long files, boolean cut) {
        /** Whether something in a folder directly below the root could not be read. */
        public boolean isUnread(String folder) {
            return unread.stream().anyMatch(path -> path.equals(folder) || path.startsWith(folder + "/"));
        }
    }

    /**
     * Walks over the files below a root, in no particular order.
     *
     * @param most how many files to look at
     * @param seen told now and then how many there were so far; what it throws ends the walk
     * @throws CatalogException code 17 when the store does not answer
     */
    public Found below(StorageProfile home, long most, LongConsumer seen) {
        Walk walk = new Walk(most, seen);
        switch (home.place()) {
            case StoreUri.Folder folder -> onDisk(folder.path(), walk);
            case StoreUri.Bucket bucket -> inBucket(home, bucket, walk);
        }
        return walk.found();
    }

    static final class Walk {
        private final SortedMap<String, Folder> folders = new TreeMap<>();
        private final long most;
        private final LongConsumer seen;
        private final List<Aside> aside = new ArrayList<>();
        private final List<String> unread = new ArrayList<>();
        private long files;
        private boolean cut;

        Walk(long most, LongConsumer seen) {
            this.most = most;
            this.seen = seen;
        }

        /** Counts a file by its path below the root; false when it was one too many. */
        boolean add(String path, long size, Instant written) {
            if (files >= most) {
                cut = true;
                return false;
            }
            files++;
            int slash = path.indexOf('/');
            if (slash > 0) {
                folders.merge(
                        path.substring(0, slash),
                        Folder.EMPTY.with(size, written),
                        (before, one) -> before.with(size, written));
            }
            if (ASIDE.matcher(path).matches()) {
                keep(new Aside(path, size, written));
            }
            if (files % STEP == 0) {
                seen.accept(files);
            }
            return true;
        }

        private void unread(String path) {
            if (unread.size() == MOST_UNREAD) {
                cut = true;
            } else {
                unread.add(path);
            }
        }

        Found found() {
            return new Found(folders, aside, unread, files, cut);
        }

        private void keep(Aside file) {
            if (aside.size() == MOST_ASIDE) {
                cut = true;
            } else {
                aside.add(file);
            }
        }
    }

    private static void onDisk(Path root, Walk walk) {
        try {
            Files.walkFileTree(root, new Visit(root, walk));
        } catch (IOException e) {
            throw CatalogException.unavailable("The root of the warehouse cannot be read.", e);
        }
    }

    /** Goes on after what it cannot read; only the root itself must be there. */
    static final class Visit extends SimpleFileVisitor<Path> {
        private final Path root;
        private final Walk walk;

        Visit(Path root, Walk walk) {
            this.root = root;
            this.walk = walk;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            boolean on = walk.add(
                    below(file),
                    attributes.size(),
                    attributes.lastModifiedTime().toInstant());
            return on ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return failed(file, e);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
            return e == null ? FileVisitResult.CONTINUE : failed(folder, e);
        }

        private FileVisitResult failed(Path path, IOException e) throws IOException {
            if (path.equals(root)) {
                throw e;
            }
            if (!(e instanceof NoSuchFileException)) {
                log.warn("{} cannot be read; what is in it is not looked at.", path, e);
                walk.unread(below(path));
            }
            // Otherwise it is gone since its folder was read.
            return FileVisitResult.CONTINUE;
        }

        private String below(Path path) {
            return root.relativize(path).toString().replace(path.getFileSystem().getSeparator(), "/");
        }
    }

    private void inBucket(StorageProfile home, StoreUri.Bucket bucket, Walk walk) {
        String prefix = bucket.prefix().isEmpty() ? "" : bucket.prefix() + "/";
        ListObjectsV2Request request = ListObjectsV2Request.builder()
                .bucket(bucket.name())
                .prefix(prefix)
                .build();
        S3Client client = clients.of(home.serverOptions());
        try {
            for (S3Object object : client.listObjectsV2Paginator(request).contents()) {
                if (!walk.add(object.key().substring(prefix.length()), object.size(), object.lastModified())) {
                    return;
                }
            }
        } catch (SdkException e) {
            throw CatalogException.unavailable("The root of the warehouse cannot be listed.", e);
        }
    }
}
