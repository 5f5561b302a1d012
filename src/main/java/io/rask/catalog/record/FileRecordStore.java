package io.rask.catalog.record;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.RecordStore.Revalidated.Absent;
import io.rask.catalog.record.RecordStore.Revalidated.Changed;
import io.rask.catalog.record.RecordStore.Revalidated.Unchanged;
import io.rask.catalog.record.RecordStore.WriteOutcome.Lost;
import io.rask.catalog.record.RecordStore.WriteOutcome.Unknown;
import io.rask.catalog.record.RecordStore.WriteOutcome.Written;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records as files in one folder, for one machine or a file system with working locks; several processes may share the folder.
 * The etag is the SHA-256 of the content. Files become visible whole: a record is written to a temporary file, forced to disk,
 * and then linked (create) or moved (replace) into place.
 */
public final class FileRecordStore implements RecordStore {
    private final RecordFolder folder;

    /** Nothing is touched before the first operation, so a folder that is not there yet does not stop the start. */
    public FileRecordStore(Path root) {
        this.folder = new RecordFolder(root.toAbsolutePath().normalize());
    }

    @Override
    public Optional<StoredBytes> read(RecordKey key) {
        try {
            folder.open();
            return readFile(key);
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    /**
     * Reads and hashes the content: for files of a few kilobytes that costs some microseconds and is right, where a comparison
     * of time stamps would miss two writes within one tick of the file system's clock.
     */
    @Override
    public Revalidated readIfChanged(RecordKey key, String etag) {
        Optional<StoredBytes> stored = read(key);
        if (stored.isEmpty()) {
            return new Absent();
        }
        return stored.get().etag().equals(etag) ? new Unchanged() : new Changed(stored.get());
    }

    @Override
    public WriteOutcome createIfAbsent(RecordKey key, byte[] bytes) {
        Path temporary = prepare(key, bytes);
        try {
            link(key, temporary);
            folder.forceParent(folder.path(key));
            return new Written(etag(bytes));
        } catch (FileAlreadyExistsException e) {
            return new Lost();
        } catch (IOException e) {
            return new Unknown(e);
        } finally {
            folder.discard(temporary);
        }
    }

    @Override
    public WriteOutcome replaceIfMatch(RecordKey key, byte[] bytes, String etag) {
        Path temporary = prepare(key, bytes);
        try (FileLocks.Held ignored = FileLocks.lock(folder.path(key))) {
            Optional<StoredBytes> current = readFile(key);
            if (current.isEmpty() || !current.get().etag().equals(etag)) {
                return new Lost();
            }
            Files.move(temporary, folder.path(key), StandardCopyOption.ATOMIC_MOVE);
            folder.forceParent(folder.path(key));
            return new Written(etag(bytes));
        } catch (IOException e) {
            return new Unknown(e);
        } finally {
            folder.discard(temporary);
        }
    }

    @Override
    public Page list(String prefix, @Nullable String after, int limit) {
        try {
            folder.open();
            List<String> keys = folder.keys(prefix, after);
            List<Listed> entries = new ArrayList<>();
            for (String key : keys.subList(0, Math.min(limit, keys.size()))) {
                RecordKey recordKey = new RecordKey(key);
                readFile(recordKey).ifPresent(stored -> entries.add(new Listed(recordKey, stored.etag())));
            }
            return new Page(List.copyOf(entries), keys.size() > limit ? keys.get(limit - 1) : null);
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    @Override
    public void discard(RecordKey key) {
        RecordStore.requireSingleUse(key);
        folder.discard(folder.path(key));
    }

    @Override
    public void close() {}

    private Path prepare(RecordKey key, byte[] bytes) {
        RecordStore.requireFits(key, bytes);
        try {
            folder.open();
            folder.makeParent(folder.path(key));
            return folder.temporary(bytes);
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    /** Creating a link fails if the name is taken, in one step and on every process's behalf. */
    private void link(RecordKey key, Path temporary) throws IOException {
        Path target = folder.path(key);
        if (folder.canLink()) {
            Files.createLink(target, temporary);
            return;
        }
        try (FileLocks.Held ignored = FileLocks.lock(target)) {
            if (Files.exists(target)) {
                throw new FileAlreadyExistsException(target.toString());
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private Optional<StoredBytes> readFile(RecordKey key) throws IOException {
        Path path = folder.path(key);
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw new IOException(path + " is larger than a record may be");
            }
            byte[] bytes = Files.readAllBytes(path);
            return Optional.of(new StoredBytes(bytes, etag(bytes)));
        } catch (NoSuchFileException e) {
            folder.requirePresent();
            return Optional.empty();
        }
    }

    private static String etag(byte[] bytes) {
        return HexFormat.of().formatHex(RecordKey.sha256().digest(bytes));
    }

    private static CatalogException unavailable(IOException cause) {
        return CatalogException.unavailable("The folder of the catalog's records cannot be used right now.", cause);
    }
}
