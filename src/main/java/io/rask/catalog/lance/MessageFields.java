package io.rask.catalog.lance;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The fields of one protocol-buffers message, one after the other. */
final class MessageFields {
    private static final int VARINT = 0;
    private static final int EIGHT_BYTES = 1;
    private static final int BYTES = 2;
    private static final int FOUR_BYTES = 5;

    private static final int MOST_TEXT_BYTES = 1 << 16;

    private final InputStream input;
    private final long length;
    private long left;
    private int number;
    private int type;

    private MessageFields(InputStream input, long length) {
        this.input = input;
        this.length = length;
        this.left = length;
    }

    /** The fields of a message that begins with its length, in four bytes; the input is not closed here. */
    static MessageFields ofMessage(InputStream input) throws IOException {
        int length = ByteBuffer.wrap(exactly(input, 4))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
        return new MessageFields(input, Integer.toUnsignedLong(length));
    }

    /** The fields of a message that is the whole input, of so many bytes; the input is not closed here. */
    static MessageFields ofWhole(InputStream input, long length) {
        return new MessageFields(input, length);
    }

    /** The fields of the message that is the value of this one; read to its end before {@link #passed}. */
    MessageFields inside() throws IOException {
        return new MessageFields(input, length());
    }

    /** Goes on behind a message that was read. */
    void passed(MessageFields inside) {
        left -= inside.length;
    }

    /** The number of the field that {@link #next} came to. */
    int tag() {
        return number;
    }

    private static byte[] exactly(InputStream input, int count) throws IOException {
        byte[] bytes = input.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("the manifest file is cut off");
        }
        return bytes;
    }

    /** Goes to the next field; false at the end. Its value is to be read or skipped before the next. */
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
        if (length > MOST_TEXT_BYTES) {
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
