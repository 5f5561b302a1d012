package io.rask.catalog.lance.arrow;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;

/**
 * One LZ4 frame of known decompressed size. Frames of independent blocks, which Rust and JavaScript clients write, go through the
 * fast decompressor; frames whose blocks refer to each other, which C++ writes beyond 64 KiB, through the slower general one.
 */
final class Lz4Frame {
    private static final LZ4SafeDecompressor BLOCKS =
            LZ4Factory.fastestInstance().safeDecompressor();
    private static final int MAGIC = 0x184D2204;
    private static final int VERSION_MASK = 0xC0;
    private static final int VERSION = 0x40;
    private static final int INDEPENDENT = 0x20;
    private static final int BLOCK_CHECKSUM = 0x10;
    private static final int CONTENT_SIZE = 0x08;
    private static final int DICTIONARY = 0x01;
    private static final int CHECKSUM_BYTES = 4;
    private static final int STORED = 0x80000000;

    private Lz4Frame() {}

    /** Fills the target; false when the frame is damaged or holds another number of bytes. */
    static boolean decompress(ByteBuffer frame, ByteBuffer target) {
        ByteBuffer from = frame.order(ByteOrder.LITTLE_ENDIAN);
        if (from.remaining() < 7 || from.getInt(0) != MAGIC) {
            return false;
        }
        int flags = from.get(4);
        if ((flags & VERSION_MASK) != VERSION || (flags & DICTIONARY) != 0) {
            return false;
        }
        try {
            if ((flags & INDEPENDENT) == 0) {
                return general(from, target);
            }
            from.position(4 + 2 + ((flags & CONTENT_SIZE) != 0 ? 8 : 0) + 1);
            return blocks(from, target, (flags & BLOCK_CHECKSUM) != 0 ? CHECKSUM_BYTES : 0);
        } catch (LZ4Exception | IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    private static boolean blocks(ByteBuffer from, ByteBuffer target, int checksum) {
        int filled = 0;
        while (from.remaining() >= 4) {
            int header = from.getInt();
            int length = header & ~STORED;
            if (header == 0) {
                return filled == target.capacity();
            }
            if (length > from.remaining() - checksum) {
                return false;
            }
            int room = target.capacity() - filled;
            if ((header & STORED) != 0) {
                if (length > room) {
                    return false;
                }
                target.put(filled, from, from.position(), length);
                filled += length;
            } else {
                filled += BLOCKS.decompress(from, from.position(), length, target, filled, room);
            }
            from.position(from.position() + length + checksum);
        }
        return false;
    }

    private static boolean general(ByteBuffer from, ByteBuffer target) throws IOException {
        byte[] chunk = new byte[64 << 10];
        try (InputStream in = new FramedLZ4CompressorInputStream(new Bytes(from))) {
            for (int got = in.read(chunk); got >= 0; got = in.read(chunk)) {
                if (got > target.remaining()) {
                    return false;
                }
                target.put(chunk, 0, got);
            }
        }
        return !target.hasRemaining();
    }

    /** The bytes of a buffer as a stream. */
    private static final class Bytes extends InputStream {
        private final ByteBuffer from;

        Bytes(ByteBuffer from) {
            this.from = from;
        }

        @Override
        public int read() {
            return from.hasRemaining() ? from.get() & 0xFF : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (!from.hasRemaining()) {
                return length == 0 ? 0 : -1;
            }
            int got = Math.min(length, from.remaining());
            from.get(target, offset, got);
            return got;
        }
    }
}
