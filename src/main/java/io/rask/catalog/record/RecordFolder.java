package io.rask.catalog.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder below a {@link FileRecordStore}: a marker that tells an empty folder from one that went away, temporary files, and
 * the walk over the keys. Names that begin with a dot are the folder's own and never keys.
 */
final class RecordFolder {
    private static final Logger LOG = LoggerFactory.getLogger(RecordFolder.class);
    private static final String MARKER = ".records";
    private static final String TEMPORARY = ".tmp";
    /** Far longer than any write takes, so that the file of a live process is never taken for a leftover. */
    private static final Duration STALE = Duration.ofHours(1);

    private static final boolean WINDOWS = System.getProperty("os.name", "").startsWith("Windows");

    private final Path root;
    private volatile boolean opened;
    private volatile boolean links;

    RecordFolder(Path root) {
        this.root = root;
    }

    Path path(RecordKey key) {
        return root.resolve(key.value());
    }

    /** Makes the folder on first use. Later it is only looked for: made anew, an unmounted disk would be an empty catalog. */
    void open() throws IOException {
        if (opened) {
            return;
        }
        synchronized (this) {
            if (!opened) {
                Files.createDirectories(root.resolve(TEMPORARY));
                createMarker();
                links = probeLinks();
                removeStale();
                opened = true;
            }
        }
    }

    /** @throws IOException if the folder that was opened is not there any more, so that "absent" means nothing */
    void requirePresent() throws IOException {
        if (!Files.exists(root.resolve(MARKER))) {
            throw new IOException(root + " is not the folder it was at the start: " + MARKER + " is missing");
        }
    }

    /** Whether the file system has hard links; some network and container mounts have none. */
    boolean canLink() {
        return links;
    }

    /** A file with this content, forced to disk, in the folder's own file system. */
    Path temporary(byte[] bytes) throws IOException {
        Path file = root.resolve(TEMPORARY).resolve(UUID.randomUUID().toString());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer content = ByteBuffer.wrap(bytes);
            while (content.hasRemaining()) {
                channel.write(content);
            }
            channel.force(true);
            return file;
        } catch (IOException e) {
            discard(file);
            throw e;
        }
    }

    void discard(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("Cannot remove {}; the next start tries again", file, e);
        }
    }

    void makeParent(Path file) throws IOException {
        Path parent = parent(file);
        if (Files.isDirectory(parent)) {
            return;
        }
        requirePresent();
        Files.createDirectories(parent);
        for (Path made = parent; made.startsWith(root) && !made.equals(root); made = parent(made)) {
            forceParent(made);
        }
    }

    /** Forces the entry of a file in its folder to disk; without it, a crash of the machine could undo a link or a move. */
    void forceParent(Path file) throws IOException {
        if (WINDOWS) {
            return; // a folder cannot be opened there, and the file system journals its entries
        }
        try (FileChannel channel = FileChannel.open(parent(file), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** All keys with the prefix and behind {@code after}, sorted. */
    List<String> keys(String prefix, @Nullable String after) throws IOException {
        requirePresent();
        List<String> keys = new ArrayList<>();
        Path start =
                root.resolve(prefix.substring(0, prefix.lastIndexOf('/') + 1)).normalize();
        if (!start.startsWith(root) || !Files.isDirectory(start)) {
            return keys;
        }
        Files.walkFileTree(start, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
                return isOwn(dir) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String key = root.relativize(file)
                        .toString()
                        .replace(file.getFileSystem().getSeparator(), "/");
                boolean inPage = key.startsWith(prefix) && (after == null || key.compareTo(after) > 0);
                if (inPage && RecordKey.isKey(key)) {
                    keys.add(key);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult
                            .CONTINUE; // a temporary file of another process, gone since the folder was read
                }
                throw e;
            }
        });
        keys.sort(null);
        return keys;
    }

    private boolean isOwn(Path dir) {
        return !dir.equals(root) && String.valueOf(dir.getFileName()).startsWith(".");
    }

    private void createMarker() throws IOException {
        try {
            Files.createFile(root.resolve(MARKER));
        } catch (FileAlreadyExistsException e) {
            LOG.debug("{} was opened before", root);
        }
    }

    private boolean probeLinks() throws IOException {
        Path file = temporary(new byte[0]);
        Path link = file.resolveSibling(file.getFileName() + ".link");
        try {
            Files.createLink(link, file);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            LOG.info("{} has no hard links; records are created under a lock", root);
            return false;
        } finally {
            discard(link);
            discard(file);
        }
    }

    private void removeStale() throws IOException {
        Instant limit = Instant.now().minus(STALE);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(root.resolve(TEMPORARY))) {
            for (Path file : files) {
                if (isOlder(file, limit)) {
                    discard(file);
                }
            }
        }
    }

    private static boolean isOlder(Path file, Instant limit) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(limit);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static Path parent(Path file) {
        Path parent = file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(file + " has no folder");
        }
        return parent;
    }
}
