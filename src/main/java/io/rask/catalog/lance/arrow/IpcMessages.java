package io.rask.catalog.lance.arrow;

import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an Arrow IPC stream, one after the other: a marker, the length of the metadata, the metadata, a body. Memory is
 * taken as bytes arrive, never because a length says so.
 */
final class IpcMessages {
    private static final int CONTINUATION = -1;
    private static final byte[] FILE_MAGIC = "ARRO".getBytes(StandardCharsets.US_ASCII);
    private static final int FIRST_CHUNK = 8 << 20;
    private static final int COPY_CHUNK = 64 << 10;

    private final InputStream in;
    private final IpcLimits limits;
    private final byte[] chunk = new byte[COPY_CHUNK];
    private boolean begun;
    private long bytes;

    IpcMessages(InputStream in, IpcLimits limits) {
        this.in = in;
        this.limits = limits;
    }

    /** The metadata of the next message, or null at the end of the stream. */
    @Nullable
    Message next() throws IOException {
        byte[] marker = read(4);
        if (marker.length == 0 && begun) {
            return null;
        }
        checkMarker(marker);
        begun = true;
        int length = number(exactly(4));
        if (length == 0) {
            return null;
        }
        if (length < 0 || length > limits.metadataBytes()) {
            throw CatalogException.invalid("The body is not an Arrow stream: a message claims metadata of "
                    + Integer.toUnsignedLong(length) + " bytes; at most " + limits.metadataBytes()
                    + " are accepted.");
        }
        byte[] metadata = exactly(length);
        return Message.getRootAsMessage(ByteBuffer.wrap(metadata).order(ByteOrder.LITTLE_ENDIAN));
    }

    private void checkMarker(byte[] marker) {
        if (marker.length == 0) {
            throw CatalogException.invalid(
                    "The body is empty; an Arrow IPC stream is expected (a stream with a schema and no batch is an empty table).");
        }
        if (marker.length == 4 && number(marker) == CONTINUATION) {
            return;
        }
        if (!begun && Arrays.equals(marker, FILE_MAGIC)) {
            throw CatalogException.invalid(
                    "The body is an Arrow IPC file; send an Arrow IPC stream (application/vnd.apache.arrow.stream).");
        }
        throw begun && marker.length < 4
                ? truncated()
                : CatalogException.invalid(
                        "The body is not an Arrow IPC stream: a message does not begin with the marker FF FF FF FF.");
    }

    /** Reads the body that follows a message; the caller closes it. */
    ArrowBuf body(Message message, BufferAllocator allocator) throws IOException {
        long length = message.bodyLength();
        if (length < 0 || length > limits.batchBytes()) {
            throw CatalogException.invalid("A record batch of the stream claims " + Long.toUnsignedString(length)
                    + " bytes; at most " + limits.batchBytes() + " are accepted. Send smaller batches.");
        }
        ArrowBuf body = allocator.buffer(Math.min(length, FIRST_CHUNK));
        try {
            long filled = 0;
            while (filled < length) {
                int wanted = (int) Math.min(COPY_CHUNK, length - filled);
                int got = in.read(chunk, 0, wanted);
                if (got < 0) {
                    throw truncated();
                }
                if (filled + got > body.capacity()) {
                    body = grown(body, filled, Math.min(length, body.capacity() * 2), allocator);
                }
                body.setBytes(filled, chunk, 0, got);
                filled += got;
            }
            bytes += length;
            return body.slice(0, length);
        } catch (IOException | RuntimeException | Error e) {
            body.close();
            throw e;
        }
    }

    private static ArrowBuf grown(ArrowBuf old, long filled, long capacity, BufferAllocator allocator) {
        ArrowBuf larger = allocator.buffer(capacity);
        larger.setBytes(0, old, 0, filled);
        old.close();
        return larger;
    }

    long bytesRead() {
        return bytes;
    }

    private byte[] exactly(int length) throws IOException {
        byte[] read = read(length);
        if (read.length < length) {
            throw truncated();
        }
        return read;
    }

    private byte[] read(int length) throws IOException {
        byte[] read = in.readNBytes(length);
        bytes += read.length;
        return read;
    }

    private static int number(byte[] four) {
        return ByteBuffer.wrap(four).order(ByteOrder.LITTLE_ENDIAN).getInt();
    }

    private static CatalogException truncated() {
        return CatalogException.invalid("The Arrow stream ends in the middle of a message; nothing was written.");
    }
}
