package io.rask.catalog.lance.arrow;

import com.google.flatbuffers.Table;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads an Arrow IPC stream from outside. Every length, offset, count and text is checked before a vector is made of it, so the
 * batches are safe to hand to native code. LZ4 and ZSTD bodies are accepted; a stream may end with or without its end marker.
 */
public final class IpcReader extends ArrowReader {
    private final IpcMessages messages;
    private final IpcLimits limits;
    private final InputStream in;
    private long rows;
    private long dictionaryBytes;
    private @Nullable CatalogException failure;

    private IpcReader(InputStream in, BufferAllocator allocator, IpcLimits limits) {
        super(allocator);
        this.in = in;
        this.limits = limits;
        this.messages = new IpcMessages(in, limits);
    }

    /**
     * Opens a stream and reads its schema.
     *
     * @throws CatalogException code 13 when this is no Arrow stream, code 20 when a type cannot be stored
     */
    public static IpcReader open(InputStream in, BufferAllocator allocator, IpcLimits limits) {
        IpcReader reader = new IpcReader(in, allocator, limits);
        try {
            reader.ensureInitialized();
            return reader;
        } catch (IOException | RuntimeException e) {
            throw understood(e);
        }
    }

    /** Rows read so far. */
    public long rows() {
        return rows;
    }

    /** Why reading stopped, when it stopped with a failure: native code passes on only its text. */
    public Optional<CatalogException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        try {
            prepareLoadNextBatch();
            return load();
        } catch (IOException | RuntimeException e) {
            failure = understood(e);
            throw new IOException(failure.text(), failure);
        }
    }

    private boolean load() throws IOException {
        for (Message message = messages.next(); message != null; message = messages.next()) {
            switch (message.headerType()) {
                case MessageHeader.RecordBatch -> {
                    loadRows(message);
                    return true;
                }
                case MessageHeader.DictionaryBatch -> loadDictionary(message);
                default ->
                    throw CatalogException.invalid(
                            "The Arrow stream holds a message that is neither a record batch nor a dictionary.");
            }
        }
        return false;
    }

    private void loadRows(Message message) throws IOException {
        RecordBatch batch = header(message, new RecordBatch());
        List<Field> fields = getVectorSchemaRoot().getSchema().getFields();
        ArrowRecordBatch checked = checked(message, batch, fields);
        rows = Math.addExact(rows, checked.getLength());
        loadRecordBatch(checked);
    }

    private void loadDictionary(Message message) throws IOException {
        DictionaryBatch batch = header(message, new DictionaryBatch());
        Dictionary dictionary = dictionaries.get(batch.id());
        if (dictionary == null) {
            throw CatalogException.invalid("The Arrow stream holds a dictionary that no column uses.");
        }
        Field field = dictionary.getVector().getField();
        ArrowRecordBatch values = checked(message, batch.data(), List.of(field));
        dictionaryBytes = batch.isDelta() ? dictionaryBytes + values.computeBodyLength() : values.computeBodyLength();
        if (dictionaryBytes > limits.batchBytes()) {
            values.close();
            throw CatalogException.invalid("The dictionaries of the stream are larger than " + limits.batchBytes()
                    + " bytes; send plain values.");
        }
        loadDictionary(new ArrowDictionaryBatch(batch.id(), values, batch.isDelta()));
    }

    private ArrowRecordBatch checked(Message message, RecordBatch batch, List<Field> fields) throws IOException {
        try (ArrowBuf body = messages.body(message, allocator);
                BatchBuffers buffers = BatchBuffers.of(batch, body, allocator, limits)) {
            return new BatchCheck(batch, buffers, dictionaries).check(fields);
        }
    }

    private static <T extends Table> T header(Message message, T table) {
        if (message.header(table) == null) {
            throw CatalogException.invalid("A message of the Arrow stream has no header.");
        }
        return table;
    }

    @Override
    protected Schema readSchema() throws IOException {
        Message message = messages.next();
        if (message == null || message.headerType() != MessageHeader.Schema || message.bodyLength() != 0) {
            throw CatalogException.invalid("The Arrow stream does not begin with a schema.");
        }
        return IpcSchema.read(header(message, new org.apache.arrow.flatbuf.Schema()));
    }

    @Override
    public long bytesRead() {
        return messages.bytesRead();
    }

    @Override
    protected void closeReadSource() throws IOException {
        in.close();
    }

    /** What a failure of reading means to the one who sent the body. */
    private static CatalogException understood(Exception e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof CatalogException known) {
                return known;
            }
        }
        if (e instanceof IOException) {
            return CatalogException.of(
                    ErrorCode.INVALID_INPUT, "The request body could not be read to its end; nothing was written.", e);
        }
        if (e instanceof OutOfMemoryException) {
            return CatalogException.of(
                    ErrorCode.THROTTLING,
                    "The server has no memory for the batch now; try again or send smaller batches.",
                    e);
        }
        return CatalogException.of(
                ErrorCode.INVALID_INPUT, "The body is not a valid Arrow IPC stream: its metadata is malformed.", e);
    }
}
