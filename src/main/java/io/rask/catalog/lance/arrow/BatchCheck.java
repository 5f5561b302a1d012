package io.rask.catalog.lance.arrow;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Walks one batch along its schema: as many nodes and buffers as the types need, every count within its parent, every buffer as
 * long as its count demands, every offset, view and dictionary index inside what it points to.
 */
final class BatchCheck {
    /** Rows that cost no bytes: columns of nulls only. */
    private static final long FREE_ROWS = 1 << 20;

    private final RecordBatch batch;
    private final BatchBuffers buffers;
    private final Map<Long, Dictionary> dictionaries;
    private final List<ArrowFieldNode> nodes = new ArrayList<>();
    private int nextBuffer;
    private int nextVariadic;

    BatchCheck(RecordBatch batch, BatchBuffers buffers, Map<Long, Dictionary> dictionaries) {
        this.batch = batch;
        this.buffers = buffers;
        this.dictionaries = dictionaries;
    }

    /** The batch, ready to load; the caller closes it. */
    ArrowRecordBatch check(List<Field> fields) {
        long length = batch.length();
        long bytes = buffers.all().stream().mapToLong(ArrowBuf::capacity).sum();
        if (length < 0 || length > Integer.MAX_VALUE - 64 || length > FREE_ROWS + 8 * bytes) {
            throw malformed("it claims " + Long.toUnsignedString(length) + " rows in " + bytes + " bytes");
        }
        for (Field field : fields) {
            column(field, field.getName(), length, true);
        }
        if (nodes.size() != batch.nodesLength() || nextBuffer != buffers.count()) {
            throw malformed("it has more columns or buffers than its schema");
        }
        List<Long> variadic = new ArrayList<>();
        for (int i = 0; i < nextVariadic; i++) {
            variadic.add(batch.variadicBufferCounts(i));
        }
        return new ArrowRecordBatch(
                (int) length,
                nodes,
                List.copyOf(buffers.all()),
                NoCompressionCodec.DEFAULT_BODY_COMPRESSION,
                variadic,
                false);
    }

    /** Checks one column and returns its length: the given one exactly, or at least that many. */
    private long column(Field field, String path, long length, boolean exactly) {
        ArrowFieldNode node = node(path, length, exactly);
        long count = node.getLength();
        switch (field.getType()) {
            case ArrowType.Null ignored -> {}
            case ArrowType.Struct ignored -> {
                validity(node, path);
                field.getChildren().forEach(child -> column(child, path + "." + child.getName(), count, true));
            }
            case ArrowType.FixedSizeList list -> {
                validity(node, path);
                long elements = count * list.getListSize();
                column(field.getChildren().get(0), path, elements, false);
            }
            case ArrowType.List ignored -> list(field, node, path, Integer.BYTES);
            case ArrowType.LargeList ignored -> list(field, node, path, Long.BYTES);
            case ArrowType.Utf8 ignored -> variable(node, path, Integer.BYTES, true);
            case ArrowType.Binary ignored -> variable(node, path, Integer.BYTES, false);
            case ArrowType.LargeUtf8 ignored -> variable(node, path, Long.BYTES, true);
            case ArrowType.LargeBinary ignored -> variable(node, path, Long.BYTES, false);
            case ArrowType.Utf8View ignored -> views(node, path, true);
            case ArrowType.BinaryView ignored -> views(node, path, false);
            default -> fixed(field, node, path);
        }
        return count;
    }

    private ArrowFieldNode node(String path, long length, boolean exactly) {
        if (nodes.size() >= batch.nodesLength()) {
            throw malformed("it has fewer columns than its schema");
        }
        FieldNode claimed = batch.nodes(nodes.size());
        long count = claimed.length();
        long nulls = claimed.nullCount();
        boolean fits = exactly ? count == length : count >= length;
        if (!fits || count > Integer.MAX_VALUE - 64 || nulls < 0 || nulls > count) {
            throw malformed("column " + TypeRules.quoted(path) + " claims " + Long.toUnsignedString(count)
                    + " values with " + Long.toUnsignedString(nulls) + " nulls where " + length + " values belong");
        }
        ArrowFieldNode node = new ArrowFieldNode(count, nulls);
        nodes.add(node);
        return node;
    }

    /** The bitmap of nulls; it may be left out when all values are there, or none. */
    private ArrowBuf validity(ArrowFieldNode node, String path) {
        ArrowBuf bits = buffer(path);
        boolean uniform = node.getNullCount() == 0 || node.getNullCount() == node.getLength();
        if (bits.capacity() > 0 || !uniform) {
            require(bits, bitmap(node.getLength()), path);
        }
        return bits;
    }

    private void fixed(Field field, ArrowFieldNode node, String path) {
        ArrowBuf bits = validity(node, path);
        ArrowBuf data = buffer(path);
        int bitsEach = TypeLayout.getTypeLayout(field.getType())
                .getBufferLayouts()
                .get(1)
                .getTypeBitWidth();
        require(data, Math.ceilDiv(node.getLength() * (long) bitsEach, 8L), path);
        if (field.getDictionary() != null) {
            Dictionary dictionary = dictionaries.get(field.getDictionary().getId());
            long size = dictionary == null ? 0 : dictionary.getVector().getValueCount();
            Validity valid = new Validity(node, bits);
            if (!Indices.within(data, (ArrowType.Int) field.getType(), node.getLength(), valid, size)) {
                throw malformed("column " + TypeRules.quoted(path) + " points outside its dictionary");
            }
        }
    }

    private void list(Field field, ArrowFieldNode node, String path, int width) {
        validity(node, path);
        Offsets offsets = offsets(node, path, width);
        column(field.getChildren().get(0), path, offsets.last(), false);
    }

    private void variable(ArrowFieldNode node, String path, int width, boolean text) {
        validity(node, path);
        Offsets offsets = offsets(node, path, width);
        ArrowBuf data = buffer(path);
        require(data, offsets.last(), path);
        if (text && !Utf8.valid(data, offsets)) {
            throw malformed("column " + TypeRules.quoted(path) + " holds text that is not UTF-8");
        }
    }

    private Offsets offsets(ArrowFieldNode node, String path, int width) {
        int index = nextBuffer;
        ArrowBuf buffer = buffer(path);
        long count = node.getLength();
        if (count == 0 && buffer.capacity() < width) {
            // The format lets an empty column leave its only offset out; native code reads it all the same.
            buffers.replace(index, Decompression.zeros(buffers.allocator(), width));
            return Offsets.NONE;
        }
        require(buffer, (count + 1) * width, path);
        Offsets offsets = new Offsets(buffer, count, width);
        if (!offsets.ordered()) {
            throw malformed("the offsets of column " + TypeRules.quoted(path) + " are not in order");
        }
        return offsets;
    }

    private void views(ArrowFieldNode node, String path, boolean text) {
        ArrowBuf bits = validity(node, path);
        ArrowBuf views = buffer(path);
        require(views, node.getLength() * (long) Views.WIDTH, path);
        if (nextVariadic >= batch.variadicBufferCountsLength()) {
            throw malformed("column " + TypeRules.quoted(path) + " does not say how many buffers it has");
        }
        long parts = batch.variadicBufferCounts(nextVariadic++);
        if (parts < 0 || parts > buffers.count()) {
            throw malformed("column " + TypeRules.quoted(path) + " claims too many buffers");
        }
        List<ArrowBuf> data = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            data.add(buffer(path));
        }
        if (!Views.valid(views, node.getLength(), new Validity(node, bits), data, text)) {
            throw malformed(
                    "column " + TypeRules.quoted(path) + " points outside its buffers or holds text that is not UTF-8");
        }
    }

    private ArrowBuf buffer(String path) {
        if (nextBuffer >= buffers.count()) {
            throw malformed("column " + TypeRules.quoted(path) + " has too few buffers");
        }
        return buffers.get(nextBuffer++);
    }

    private static void require(ArrowBuf buffer, long bytes, String path) {
        if (buffer.capacity() < bytes) {
            throw malformed("column " + TypeRules.quoted(path) + " has a buffer of " + buffer.capacity()
                    + " bytes where " + bytes + " belong");
        }
    }

    static long bitmap(long count) {
        return Math.ceilDiv(count, 8L);
    }

    private static CatalogException malformed(String what) {
        return CatalogException.invalid("A record batch of the Arrow stream is malformed: " + what + ".");
    }
}
