package io.rask.catalog.lance.arrow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;

/** Whether bytes are UTF-8. Native code takes it for granted and reads out of bounds where it is not. */
final class Utf8 {
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    /** Checks all texts of a column, and that none begins inside a character. */
    static boolean valid(ArrowBuf data, Offsets offsets) {
        long first = offsets.first();
        long last = offsets.last();
        if (first == last) {
            return true;
        }
        ByteBuffer bytes = data.nioBuffer(first, (int) (last - first)).order(ByteOrder.LITTLE_ENDIAN);
        int length = bytes.capacity();
        if (ascii(bytes, 0, length) == length) {
            return true;
        }
        if (!valid(bytes, 0, length)) {
            return false;
        }
        for (long i = 0; i <= offsets.count(); i++) {
            int at = (int) (offsets.at(i) - first);
            if (at < length && isContinuation(bytes.get(at))) {
                return false;
            }
        }
        return true;
    }

    /** Checks one range; the buffer must be little-endian. */
    static boolean valid(ByteBuffer bytes, int from, int to) {
        int at = from;
        while (at < to) {
            at = ascii(bytes, at, to);
            if (at == to) {
                return true;
            }
            int length = sequence(bytes, at, to);
            if (length == 0) {
                return false;
            }
            at += length;
        }
        return true;
    }

    /** The first position that is not ASCII. */
    private static int ascii(ByteBuffer bytes, int from, int to) {
        int at = from;
        while (at + 8 <= to && (bytes.getLong(at) & HIGH_BITS) == 0) {
            at += 8;
        }
        while (at < to && bytes.get(at) >= 0) {
            at++;
        }
        return at;
    }

    /** The length of the well-formed sequence that begins with a byte beyond ASCII, or 0. */
    private static int sequence(ByteBuffer bytes, int at, int to) {
        int lead = bytes.get(at) & 0xFF;
        int length = lead >= 0xC2 && lead <= 0xDF
                ? 2
                : lead >= 0xE0 && lead <= 0xEF ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
        if (length == 0 || at + length > to) {
            return 0;
        }
        int second = bytes.get(at + 1) & 0xFF;
        int lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if (!isContinuation(bytes.get(at + i))) {
                return 0;
            }
        }
        return length;
    }

    private static boolean isContinuation(byte b) {
        return (b & 0xC0) == 0x80;
    }
}
