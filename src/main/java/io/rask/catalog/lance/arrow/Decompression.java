package io.rask.catalog.lance.arrow;

import com.github.luben.zstd.Zstd;
import io.rask.catalog.problem.CatalogException;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** The two codecs of Arrow bodies. The size of the result is known and bounded before a byte is decompressed. */
enum Decompression {
    LZ4_FRAME {
        @Override
        boolean fill(ArrowBuf from, ArrowBuf to, long size) {
            return Lz4Frame.decompress(from.nioBuffer(0, (int) from.capacity()), to.nioBuffer(0, (int) size));
        }
    },
    ZSTD {
        @Override
        boolean fill(ArrowBuf from, ArrowBuf to, long size) {
            return Zstd.decompressUnsafe(to.memoryAddress(), size, from.memoryAddress(), from.capacity()) == size;
        }
    };

    static Decompression of(byte codec) {
        return switch (codec) {
            case CompressionType.LZ4_FRAME -> LZ4_FRAME;
            case CompressionType.ZSTD -> ZSTD;
            default ->
                throw CatalogException.invalid(
                        "The Arrow stream is compressed with an unknown codec; LZ4_FRAME and ZSTD are accepted.");
        };
    }

    /** Fills the target; false when the source is damaged or of another size. */
    abstract boolean fill(ArrowBuf from, ArrowBuf to, long size);

    /** The decompressed bytes; the caller closes them. */
    ArrowBuf decompress(ArrowBuf from, long size, BufferAllocator allocator) {
        ArrowBuf to = allocator.buffer(size);
        boolean filled = false;
        try {
            filled = fill(from, to, size);
        } finally {
            if (!filled) {
                to.close();
            }
        }
        if (!filled) {
            throw CatalogException.invalid(
                    "A record batch of the Arrow stream is malformed: a compressed buffer is damaged.");
        }
        return to.slice(0, size);
    }

    /** Some bytes of zero; the caller closes them. */
    static ArrowBuf zeros(BufferAllocator allocator, int size) {
        ArrowBuf zeros = allocator.buffer(size);
        zeros.setZero(0, size);
        return zeros.slice(0, size);
    }
}
