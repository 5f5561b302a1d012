package io.rask.catalog.lance;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the manifest file of one version of a dataset says that the library does not tell: which features a reader and a writer
 * must know, and on which other places the version is based. A shallow clone and a branch are based on the dataset they were made
 * from; later versions keep its path (measured: {@code docs/decisions/0007}).
 *
 * @param readerFeatures bits a reader must know
 * @param writerFeatures bits a writer must know
 * @param bases the places as the writer named them: a path or a URI
 * @param number of the version
 * @param timestampMillis when it was made, in milliseconds since 1970
 * @param branch the branch it is on; empty for the main branch
 * @param transaction the name of the file of the transaction that made it; empty where it does not tell
 */
public record VersionManifest(
        long readerFeatures,
        long writerFeatures,
        List<String> bases,
        long number,
        long timestampMillis,
        String branch,
        String transaction) {
    /** How many bytes at the end of the file say where the message begins. */
    public static final int FOOTER = 16;

    /** What this library knows: deletion files, row ids, the second format, table config, bases, commits without a file. */
    private static final long KNOWN_FEATURES = 0x3f;

    private static final byte[] MAGIC = "LANC".getBytes(StandardCharsets.US_ASCII);

    private static final int NUMBER = 3;
    private static final int TIMESTAMP = 7;
    private static final int READER_FEATURES = 9;
    private static final int WRITER_FEATURES = 10;
    private static final int TRANSACTION = 12;
    private static final int BASE_PATHS = 18;
    private static final int PATH_OF_BASE = 4;
    private static final int BRANCH = 20;
    private static final int SECONDS = 1;
    private static final int NANOS = 2;

    public VersionManifest {
        bases = List.copyOf(bases);
    }

    /** Whether every feature the version uses is one this server reads and writes. */
    public boolean isSupported() {
        return ((readerFeatures | writerFeatures) & ~KNOWN_FEATURES) == 0;
    }

    /**
     * Where in the file the message begins.
     *
     * @param footer the last {@link #FOOTER} bytes
     * @throws IOException when this is no manifest file
     */
    public static long begin(byte[] footer) throws IOException {
        if (footer.length != FOOTER || !Arrays.equals(footer, 12, FOOTER, MAGIC, 0, MAGIC.length)) {
            throw new IOException("not a manifest file");
        }
        return ByteBuffer.wrap(footer).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    /**
     * Reads a whole file.
     *
     * @throws IOException when this is no manifest file
     */
    static VersionManifest of(byte[] file) throws IOException {
        long begin = begin(Arrays.copyOfRange(file, Math.max(0, file.length - FOOTER), file.length));
        if (begin < 0 || begin > file.length) {
            throw new IOException("the message begins outside of the file");
        }
        return read(new ByteArrayInputStream(file, (int) begin, file.length - (int) begin));
    }

    /**
     * Reads the message.
     *
     * @param file the file from {@link #begin} on; not closed here
     * @throws IOException when the message is damaged or cut off
     */
    public static VersionManifest read(InputStream file) throws IOException {
        MessageFields fields = MessageFields.ofMessage(file);
        long reader = 0;
        long writer = 0;
        long number = 0;
        long timestamp = 0;
        String branch = "";
        String transaction = "";
        List<String> bases = new ArrayList<>();
        while (fields.next()) {
            switch (fields.tag()) {
                case NUMBER -> number = fields.number();
                case TIMESTAMP -> timestamp = millis(fields);
                case BRANCH -> branch = fields.text();
                case TRANSACTION -> transaction = fields.text();
                case READER_FEATURES -> reader = fields.number();
                case WRITER_FEATURES -> writer = fields.number();
                case BASE_PATHS -> bases.add(path(fields));
                default -> fields.skip();
            }
        }
        return new VersionManifest(reader, writer, bases, number, timestamp, branch, transaction);
    }

    private static long millis(MessageFields outer) throws IOException {
        MessageFields timestamp = outer.inside();
        long millis = 0;
        while (timestamp.next()) {
            switch (timestamp.tag()) {
                case SECONDS -> millis += timestamp.number() * 1000;
                case NANOS -> millis += timestamp.number() / 1_000_000;
                default -> timestamp.skip();
            }
        }
        outer.passed(timestamp);
        return millis;
    }

    private static String path(MessageFields outer) throws IOException {
        MessageFields base = outer.inside();
        String path = "";
        while (base.next()) {
            if (base.tag() == PATH_OF_BASE) {
                path = base.text();
            } else {
                base.skip();
            }
        }
        outer.passed(base);
        return path;
    }
}
