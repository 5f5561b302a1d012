package io.rask.catalog.lance;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The manifest file of a version, under another number and as the work of another transaction. The file ends with the message,
 * which gives both, and a footer that says where the message begins; everything before stays where it is.
 */
final class VersionFile {
    private static final int VERSION = 3;
    private static final int TRANSACTION_FILE = 12;
    private static final int TRANSACTION_SECTION = 21;
    private static final int VARINT = 0;
    private static final int EIGHT_BYTES = 1;
    private static final int BYTES = 2;
    private static final int FOUR_BYTES = 5;

    private final byte[] bytes;
    private int at;

    private VersionFile(byte[] bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    /**
     * Rewrites a manifest file.
     *
     * @param file the whole file
     * @param version the number it gets
     * @param transaction the name of the file of the transaction that made it
     * @throws IllegalStateException when the file is none the library could have written
     */
    static byte[] as(byte[] file, long version, String transaction) {
        try {
            int footer = file.length - VersionManifest.FOOTER;
            int begin = Math.toIntExact(
                    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong(footer));
            int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(begin);
            if (begin + Integer.BYTES + length != footer) {
                throw new IllegalStateException("the message does not end at the footer");
            }
            byte[] message = new VersionFile(file, begin + Integer.BYTES).message(footer, version, transaction);
            return ByteBuffer.allocate(begin + Integer.BYTES + message.length + VersionManifest.FOOTER)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(file, 0, begin)
                    .putInt(message.length)
                    .put(message)
                    .put(file, footer, VersionManifest.FOOTER)
                    .array();
        } catch (IndexOutOfBoundsException | ArithmeticException e) {
            throw new IllegalStateException("the manifest file is damaged", e);
        }
    }

    private byte[] message(int end, long version, String transaction) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(end - at);
        boolean numbered = false;
        while (at < end) {
            int begin = at;
            long tag = varint();
            int number = (int) (tag >>> 3);
            skip((int) (tag & 7));
            switch (number) {
                case VERSION -> {
                    numbered = true;
                    write(out, (VERSION << 3) | VARINT);
                    write(out, version);
                }
                // The section holds the transaction that wrote the file; readers fall back on the file named.
                case TRANSACTION_FILE, TRANSACTION_SECTION -> {}
                default -> out.write(bytes, begin, at - begin);
            }
        }
        if (!numbered || at != end) {
            throw new IllegalStateException("the manifest file has no version");
        }
        byte[] name = transaction.getBytes(StandardCharsets.UTF_8);
        write(out, (TRANSACTION_FILE << 3) | BYTES);
        write(out, name.length);
        out.writeBytes(name);
        return out.toByteArray();
    }

    private void skip(int type) {
        switch (type) {
            case VARINT -> varint();
            case EIGHT_BYTES -> at += Long.BYTES;
            case BYTES -> {
                long length = varint();
                at = Math.addExact(at, Math.toIntExact(length));
            }
            case FOUR_BYTES -> at += Integer.BYTES;
            default -> throw new IllegalStateException("the manifest file is damaged");
        }
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalStateException("the manifest file is damaged");
    }

    private static void write(ByteArrayOutputStream out, long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            out.write((int) (left & 0x7f | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }
}
