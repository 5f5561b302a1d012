package io.rask.catalog.lance;

import java.io.EOFException;
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
 */
public record VersionManifest(
        long readerFeatures,
        long writerFeatures,
        List<String> bases,
        long number,
        long timestampMillis,
        String branch) {
    /** How many bytes at the end of the file say where the message begins. */
    public static final int FOOTER = 16;

    /** What this library knows: deletion files, row ids, the second format, table config, bases, commits without a file. */
    private static final long KNOWN_FEATURES = 0x3f;

    private static final byte[] MAGIC = "LANC".getBytes(StandardCharsets.US_ASCII);
    private static final int MOST_BASE_BYTES = 1 << 16;

    private static final int NUMBER = 3;
    private static final int TIMESTAMP = 7;
    private static final int READER_FEATURES = 9;
    private static final int WRITER_FEATURES = 10;
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
     * Reads the message.
     *
     * @param file the file from {@link #begin} on; not closed here
     * @throws IOException when the message is damaged or cut off
     */
    public static VersionManifest read(InputStream file) throws IOException {
        long length = Integer.toUnsignedLong(
                ByteBuffer.wrap(exactly(file, 4)).order(ByteOrder.LITTLE_ENDIAN).getInt());
        Fields fields = new Fields(file, length);
        long reader = 0;
        long writer = 0;
        long number = 0;
        long timestamp = 0;
        String branch = "";
        List<String> bases = new ArrayList<>();
        while (fields.next()) {
            switch (fields.number) {
                case NUMBER -> number = fields.number();
                case TIMESTAMP -> timestamp = millis(fields);
                case BRANCH -> branch = fields.text();
                case READER_FEATURES -> reader = fields.number();
                case WRITER_FEATURES -> writer = fields.number();
                case BASE_PATHS -> bases.add(path(fields));
                default -> fields.skip();
            }
        }
        return new VersionManifest(reader, writer, bases, number, timestamp, branch);
    }

    private static long millis(Fields outer) throws IOException {
        long length = outer.length();
        Fields timestamp = new Fields(outer.input, length);
        long millis = 0;
        while (timestamp.next()) {
            switch (timestamp.number) {
                case SECONDS -> millis += timestamp.number() * 1000;
                case NANOS -> millis += timestamp.number() / 1_000_000;
                default -> timestamp.skip();
            }
        }
        outer.left -= length;
        return millis;
    }

    private static String path(Fields outer) throws IOException {
        long length = outer.length();
        Fields base = new Fields(outer.input, length);
        String path = "";
        while (base.next()) {
            if (base.number == PATH_OF_BASE) {
                path = base.text();
            } else {
                base.skip();
            }
        }
        outer.left -= length;
        return path;
    }

    private static byte[] exactly(InputStream input, int count) throws IOException {
        byte[] bytes = input.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("the manifest file is cut off");
        }
        return bytes;
    }

    /** The fields of one protocol-buffers message, one after the other. */
    private static final class Fields {
        private static final int VARINT = 0;
        private static final int EIGHT_BYTES = 1;
        private static final int BYTES = 2;
        private static final int FOUR_BYTES = 5;

        private final InputStream input;
        private long left;
        private int number;
        private int type;

        Fields(InputStream input, long length) {
            this.input = input;
            this.left = length;
        }

        boolean next() throws IOException {
            if (left == 0) {
                return false;
            }
            long tag = varint();
            number = (int) (tag >>> 3);
            type = (int) (tag & 7);
            return true;
        }

        long number() throws IOException {
            require(VARINT);
            return varint();
        }

        String text() throws IOException {
            long length = length();
            if (length > MOST_BASE_BYTES) {
                throw new IOException("the manifest file names a path of " + length + " bytes");
            }
            left -= length;
            return new String(exactly(input, (int) length), StandardCharsets.UTF_8);
        }

        long length() throws IOException {
            require(BYTES);
            long length = varint();
            if (length < 0 || length > left) {
                throw new EOFException("the manifest file is cut off");
            }
            return length;
        }

        void skip() throws IOException {
            long count = switch (type) {
                case VARINT -> {
                    varint();
                    yield 0;
                }
                case EIGHT_BYTES -> 8;
                case BYTES -> length();
                case FOUR_BYTES -> 4;
                default -> throw new IOException("the manifest file is damaged");
            };
            if (count > left) {
                throw new EOFException("the manifest file is cut off");
            }
            input.skipNBytes(count);
            left -= count;
        }

        private void require(int wanted) throws IOException {
            if (type != wanted) {
                throw new IOException("the manifest file is damaged");
            }
        }

        private long varint() throws IOException {
            long value = 0;
            for (int shift = 0; shift < 64; shift += 7) {
                int next = left == 0 ? -1 : input.read();
                if (next < 0) {
                    throw new EOFException("the manifest file is cut off");
                }
                left--;
                value |= (long) (next & 0x7f) << shift;
                if (next < 0x80) {
                    return value;
                }
            }
            throw new IOException("the manifest file is damaged");
        }
    }
}
