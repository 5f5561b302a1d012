package io.rask.catalog.storage;

import io.rask.catalog.storage.StorageProbe.ProbeFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The probe of a root on a file system. */
final class ProbedFolder implements StorageProbe.Place {
    private final Path root;
    private final Path folder;

    ProbedFolder(Path root, String prefix) {
        this.root = root;
        this.folder = root.resolve(prefix);
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private static <T> T attempt(Work<T> work) {
        try {
            return unwrapped(work);
        } catch (AccessDeniedException e) {
            throw new ProbeFailure("the file system denies it", e);
        } catch (NoSuchFileException e) {
            throw new ProbeFailure("what was written is not there", e);
        } catch (IOException e) {
            throw new ProbeFailure("the file system failed", e);
        }
    }

    /** A stream tells its failures wrapped. */
    private static <T> T unwrapped(Work<T> work) throws IOException {
        try {
            return work.run();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public void put(String name, byte[] content) {
        attempt(() -> {
            if (!Files.isDirectory(root)) {
                // A folder made here could hide that the one which is meant is not mounted.
                throw new ProbeFailure("the root is not there", null);
            }
            Files.createDirectories(folder);
            return Files.write(folder.resolve(name), content);
        });
    }

    @Override
    public boolean putIfAbsent(String name, byte[] content) {
        return attempt(() -> {
            try {
                Files.write(folder.resolve(name), content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            }
        });
    }

    @Override
    public byte[] get(String name) {
        return attempt(() -> Files.readAllBytes(folder.resolve(name)));
    }

    @Override
    public String tag(String name) {
        throw new UnsupportedOperationException(noMatching());
    }

    @Override
    public boolean putIfMatch(String name, byte[] content, String tag) {
        throw new UnsupportedOperationException(noMatching());
    }

    @Override
    public String noMatching() {
        return "a file system has no such write, and tables there need none";
    }

    @Override
    public List<String> names() {
        return attempt(() -> {
            try (Stream<Path> files = Files.list(folder)) {
                List<String> names = new ArrayList<>();
                files.forEach(file -> names.add(String.valueOf(file.getFileName())));
                return names;
            }
        });
    }

    @Override
    public void delete(String name) {
        attempt(() -> Files.deleteIfExists(folder.resolve(name)));
    }

    /** The folder of all probes stays: another may be about to make its own in it. */
    @Override
    public void end() {
        attempt(() -> Files.deleteIfExists(folder));
    }
}
