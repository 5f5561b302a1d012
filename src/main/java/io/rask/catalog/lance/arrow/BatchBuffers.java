package io.rask.catalog.lance.arrow;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one batch, inside the body and decompressed. Each begins at an address that is a multiple of 16: native code
 * aborts the process on decimals at any other address, though the format allows them.
 */
final class BatchBuffers implements AutoCloseable {
    private static final int ALIGNMENT = 16;
    private static final long RAW = -1;
    private static final int LENGTH_BYTES = 8;

    private final List<ArrowBuf> buffers = new ArrayList<>();
    private final BufferAllocator allocator;
    private long bytes;

    private BatchBuffers(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    static BatchBuffers of(RecordBatch batch, ArrowBuf body, BufferAllocator allocator, IpcLimits limits) {
        int count = batch.buffersLength();
        if (count < 0 || count > limits.metadataBytes()) {
            throw malformed("its list of buffers is damaged");
        }
        BatchBuffers buffers = new BatchBuffers(allocator);
        try {
            for (int i = 0; i < count; i++) {
                buffers.add(batch.buffers(i), batch.compression(), body, limits);
            }
            return buffers;
        } catch (RuntimeException | Error e) {
            buffers.close();
            throw e;
        }
    }

    private void add(Buffer place, @Nullable BodyCompression compression, ArrowBuf body, IpcLimits limits) {
        long offset = place.offset();
        long length = place.length();
        if (offset < 0 || length < 0 || offset > body.capacity() || length > body.capacity() - offset) {
            throw malformed("a buffer lies outside its body");
        }
        if (compression != null && length > 0) {
            buffers.add(decompressed(body, offset, length, compression, limits));
        } else {
            buffers.add(aligned(body, offset, length));
        }
    }

    private ArrowBuf decompressed(
            ArrowBuf body, long offset, long length, BodyCompression compression, IpcLimits limits) {
        if (compression.method() != BodyCompressionMethod.BUFFER || length < LENGTH_BYTES) {
            throw malformed("a compressed buffer is damaged");
        }
        long size = body.getLong(offset);
        long start = offset + LENGTH_BYTES;
        long rest = length - LENGTH_BYTES;
        if (size == RAW) {
            return aligned(body, start, rest);
        }
        if (size < 0 || size > limits.batchBytes() - bytes) {
            throw CatalogException.invalid("A record batch of the stream is larger than " + limits.batchBytes()
                    + " bytes when decompressed. Send smaller batches.");
        }
        bytes += size;
        return Decompression.of(compression.codec()).decompress(body.slice(start, rest), size, allocator);
    }

    private ArrowBuf aligned(ArrowBuf body, long offset, long length) {
        if ((body.memoryAddress() + offset) % ALIGNMENT == 0) {
            ArrowBuf slice = body.slice(offset, length);
            slice.getReferenceManager().retain();
            return slice;
        }
        ArrowBuf copy = allocator.buffer(length);
        copy.setBytes(0, body, offset, length);
        return copy.slice(0, length);
    }

    BufferAllocator allocator() {
        return allocator;
    }

    int count() {
        return buffers.size();
    }

    ArrowBuf get(int index) {
        return buffers.get(index);
    }

    /** Puts a buffer in the place of another, which it closes. */
    void replace(int index, ArrowBuf buffer) {
        buffers.set(index, buffer).close();
    }

    List<ArrowBuf> all() {
        return buffers;
    }

    private static CatalogException malformed(String what) {
        return CatalogException.invalid("A record batch of the Arrow stream is malformed: " + what + ".");
    }

    @Override
    public void close() {
        buffers.forEach(ArrowBuf::close);
        buffers.clear();
    }
}
