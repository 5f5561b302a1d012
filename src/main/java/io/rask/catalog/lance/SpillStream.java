package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Bytes kept for a while to be read several times: in memory while they are few, in a file that no crash leaves behind otherwise. */
final class SpillStream extends OutputStream {
    private static final int MOST_IN_MEMORY = 4 << 20;

    private final long most;
    private ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private @Nullable FileChannel file;
    private long written;

    /** @param most how many bytes are taken at most */
    SpillStream(long most) {
        this.most = most;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        written += length;
        if (written > most) {
            throw new IOException(CatalogException.invalid(
                    "The rows are larger than " + most + " bytes when they are decompressed; send less at a time."));
        }
        if (file == null && memory.size() + length <= MOST_IN_MEMORY) {
            memory.write(bytes, offset, length);
            return;
        }
        FileChannel out = file == null ? spill() : file;
        ByteBuffer left = ByteBuffer.wrap(bytes, offset, length);
        while (left.hasRemaining()) {
            out.write(left);
        }
    }

    private FileChannel spill() throws IOException {
        Path path = Files.createTempFile("rows-", ".arrow");
        // On Unix the name is gone at once; the channel alone keeps the bytes.
        FileChannel opened = FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        file = opened;
        ByteBuffer begun = ByteBuffer.wrap(memory.toByteArray());
        while (begun.hasRemaining()) {
            opened.write(begun);
        }
        memory = new ByteArrayOutputStream(0);
        return opened;
    }

    /** The bytes from the beginning; one reader at a time, and nothing is written any more. */
    InputStream read() throws IOException {
        if (file == null) {
            return new ByteArrayInputStream(memory.toByteArray());
        }
        file.position(0);
        InputStream whole = Channels.newInputStream(file);
        // The reader closes what it reads; the bytes are still wanted.
        return new java.io.FilterInputStream(whole) {
            @Override
            public void close() {}
        };
    }

    /** Ends the writing alone. */
    @Override
    public void close() {}

    /** Lets the bytes go. */
    void discard() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
