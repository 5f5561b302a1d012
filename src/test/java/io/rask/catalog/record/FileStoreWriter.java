package io.rask.catalog.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rask.catalog.record.RecordStore.StoredBytes;
import io.rask.catalog.record.RecordStore.WriteOutcome;
import io.rask.catalog.testing.Race;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A process that writes to a folder other processes write to: it counts, and prints the keys it was the one to create. */
final class FileStoreWriter {
    static final int THREADS = 4;
    static final int INCREMENTS = 25;
    static final int KEYS = 40;

    private FileStoreWriter() {}

    static Process start(Path folder, int number) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FileStoreWriter.class.getName(),
                        folder.toString(),
                        String.valueOf(number))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] args) throws Exception {
        FileRecordStore store = new FileRecordStore(Path.of(args[0]));
        try (Race race = new Race(THREADS)) {
            List<Integer> done = race.run(runner -> {
                create(store, args[1]);
                count(store, RecordKey.of("race", "counter"), INCREMENTS);
                return runner;
            });
            if (done.size() != THREADS) {
                throw new IllegalStateException("Not all threads came to their end");
            }
        }
    }

    private static void create(FileRecordStore store, String by) {
        for (int i = 0; i < KEYS; i++) {
            RecordKey key = RecordKey.of("race", "key-" + i);
            if (store.createIfAbsent(key, by.getBytes(UTF_8)) instanceof WriteOutcome.Written) {
                System.out.println(key);
            }
        }
    }

    static void count(FileRecordStore store, RecordKey key, int increments) {
        for (int done = 0; done < increments; ) {
            StoredBytes before = store.read(key).orElseThrow();
            String after = String.valueOf(Integer.parseInt(new String(before.bytes(), UTF_8)) + 1);
            if (store.replaceIfMatch(key, after.getBytes(UTF_8), before.etag()) instanceof WriteOutcome.Written) {
                done++;
            }
        }
    }
}
