package io.rask.catalog.record;

import static io.rask.catalog.record.RecordStoreContract.bytes;
import static io.rask.catalog.record.RecordStoreContract.newFolder;
import static io.rask.catalog.record.RecordStoreContract.written;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.record.RecordStore.Listed;
import io.rask.catalog.testing.Race;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileRecordStoreTest implements RecordStoreContract, RecordsContract {
    @TempDir
    static Path shared;

    @TempDir
    Path own;

    /** A new store each time: two servers on one folder share nothing but the folder. */
    @Override
    public RecordStore store() {
        return new FileRecordStore(shared);
    }

    @Test
    void twoProcessesOnOneFolderLoseNothing() throws Exception {
        RecordKey counter = RecordKey.of("race", "counter");
        FileRecordStore store = new FileRecordStore(own);
        written(store.createIfAbsent(counter, bytes("0")));
        int processes = 3;
        List<Process> writers = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            writers.add(FileStoreWriter.start(own, i));
        }
        List<String> won = new ArrayList<>();
        for (Process writer : writers) {
            won.addAll(writer.inputReader(UTF_8).lines().toList());
            assertThat(writer.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(writer.exitValue()).isZero();
        }
        assertThat(store.read(counter).orElseThrow().bytes())
                .isEqualTo(bytes(String.valueOf(processes * FileStoreWriter.THREADS * FileStoreWriter.INCREMENTS)));
        assertThat(won)
                .as("each key was created by exactly one process")
                .hasSize(FileStoreWriter.KEYS)
                .doesNotHaveDuplicates();
    }

    @Test
    void temporaryFilesAndLocksAreInNoListing() throws IOException {
        FileRecordStore store = new FileRecordStore(own);
        RecordKey key = RecordKey.of("folder", "a");
        String etag = written(store.createIfAbsent(key, bytes("x"))).etag();
        written(store.replaceIfMatch(key, bytes("y"), etag));
        Files.writeString(own.resolve("folder/README"), "put here by hand");
        Files.writeString(own.resolve(".tmp/left-by-a-crash"), "x");
        assertThat(store.list("", null, 1000).entries()).extracting(Listed::key).containsExactly(key);
    }

    @Test
    void aWriteLeavesNoTemporaryFile() throws IOException {
        FileRecordStore store = new FileRecordStore(own);
        RecordKey key = RecordKey.of("folder", "a");
        String etag = written(store.createIfAbsent(key, bytes("x"))).etag();
        written(store.replaceIfMatch(key, bytes("y"), etag));
        assertThat(store.createIfAbsent(key, bytes("z"))).isInstanceOf(RecordStore.WriteOutcome.Lost.class);
        assertThat(store.replaceIfMatch(key, bytes("z"), etag)).isInstanceOf(RecordStore.WriteOutcome.Lost.class);
        try (Stream<Path> left = Files.list(own.resolve(".tmp"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void leftoversOfACrashAreRemovedAtTheNextStartAndFilesOfLiveProcessesAreNot() throws IOException {
        new FileRecordStore(own).read(RecordKey.of("any", "thing"));
        Path old = Files.writeString(own.resolve(".tmp/old"), "x");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        Path young = Files.writeString(own.resolve(".tmp/young"), "x");
        new FileRecordStore(own).read(RecordKey.of("any", "thing"));
        assertThat(old).doesNotExist();
        assertThat(young).exists();
    }

    @Test
    void aFolderThatWentAwayIsUnreachableNotEmptyAndComesBack() throws IOException {
        Path root = own.resolve("root");
        FileRecordStore store = new FileRecordStore(root);
        RecordKey key = RecordKey.of("folder", "a");
        String etag = written(store.createIfAbsent(key, bytes("x"))).etag();
        Path away = Files.move(root, own.resolve("away"));
        for (boolean emptyMountPoint : new boolean[] {false, true}) {
            if (emptyMountPoint) {
                Files.createDirectory(root);
            }
            RecordsContract.assertUnavailable(() -> store.read(key));
            RecordsContract.assertUnavailable(() -> store.readIfChanged(key, etag));
            RecordsContract.assertUnavailable(() -> store.list("folder/", null, 10));
            RecordsContract.assertUnavailable(() -> store.createIfAbsent(key, bytes("y")));
            assertThat(root.resolve("folder")).doesNotExist();
        }
        Files.delete(root);
        Files.move(away, root);
        assertThat(store.read(key)).isPresent();
        assertThat(store.list("folder/", null, 10).entries()).hasSize(1);
    }

    @Test
    void aRootThatCannotBeMadeIsUnreachableUntilItCan() throws IOException {
        Path blocker = Files.writeString(own.resolve("blocker"), "a file where a folder should be");
        FileRecordStore store = new FileRecordStore(blocker.resolve("root"));
        RecordsContract.assertUnavailable(() -> store.read(RecordKey.of("folder", "a")));
        Files.delete(blocker);
        assertThat(store.read(RecordKey.of("folder", "a"))).isEmpty();
    }

    @Test
    void twoNamesOfOneFolderShareTheirLocks() throws Exception {
        Path alias = Files.createSymbolicLink(own.resolve("alias"), Files.createDirectory(own.resolve("root")));
        FileRecordStore store = new FileRecordStore(own.resolve("root"));
        RecordKey key = RecordKey.of("folder", "counter");
        written(store.createIfAbsent(key, bytes("0")));
        try (Race race = new Race(8)) {
            race.run(runner -> {
                FileStoreWriter.count(runner % 2 == 0 ? store : new FileRecordStore(alias), key, 20);
                return runner;
            });
        }
        assertThat(store.read(key).orElseThrow().bytes()).isEqualTo(bytes("160"));
    }

    @Test
    void aReaderSeesWholeRecordsWhileTheyAreReplaced() throws Exception {
        RecordKey key = RecordKey.of(newFolder(), "big");
        written(store().createIfAbsent(key, filled(0)));
        try (Race race = new Race(4)) {
            race.run(runner -> {
                for (int i = 0; i < 50; i++) {
                    byte[] seen = store().read(key).orElseThrow().bytes();
                    assertThat(seen).isEqualTo(filled(seen[0]));
                    if (runner == 0) {
                        store().replaceIfMatch(
                                        key,
                                        filled(i),
                                        store().read(key).orElseThrow().etag());
                    }
                }
                return runner;
            });
        }
    }

    private static byte[] filled(int value) {
        byte[] bytes = new byte[100_000];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }
}
