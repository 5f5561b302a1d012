package io.rask.catalog.lance.arrow;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/** Text and bytes from one layout into another: short or long offsets, or views. */
final class TextFits {
    private TextFits() {}

    private enum Layout {
        SHORT(Integer.BYTES),
        LONG(Long.BYTES),
        VIEW(0);

        private final int width;

        Layout(int width) {
            this.width = width;
        }
    }

    static @Nullable Fit plan(ArrowType source, ArrowType target, String path) {
        Layout from = layout(source);
        Layout to = layout(target);
        if (from == null || to == null || to == Layout.VIEW || isText(source) != isText(target)) {
            return null;
        }
        return from == Layout.VIEW ? views(to, path) : offsets(from, to, path);
    }

    private static Fit offsets(Layout from, Layout to, String path) {
        return (source, target) -> {
            List<ArrowBuf> buffers = source.getFieldBuffers();
            Offsets given = new Offsets(buffers.get(1), source.getValueCount(), from.width);
            try (ArrowBuf offsets = rewritten(given, to, target.getAllocator(), path)) {
                load(source, target, offsets, buffers.get(2));
            }
        };
    }

    private static Fit views(Layout to, String path) {
        return (source, target) -> {
            BaseVariableWidthViewVector views = (BaseVariableWidthViewVector) source;
            int count = views.getValueCount();
            long total = 0;
            for (int i = 0; i < count; i++) {
                total += views.isNull(i) ? 0 : views.getValueLength(i);
            }
            Values.bound(total, Integer.MAX_VALUE - 64, path);
            BufferAllocator allocator = target.getAllocator();
            try (ArrowBuf offsets = allocator.buffer((count + 1L) * to.width);
                    ArrowBuf data = allocator.buffer(Math.max(total, 1))) {
                copy(views, offsets, data, to);
                load(source, target, offsets, data);
            }
        };
    }

    /** Reads the views itself: Arrow's own pointer into them forgets where in its buffer a long value begins. */
    private static void copy(BaseVariableWidthViewVector views, ArrowBuf offsets, ArrowBuf data, Layout to) {
        ArrowBuf own = views.getDataBuffer();
        long at = 0;
        set(offsets, 0, 0, to);
        for (int i = 0; i < views.getValueCount(); i++) {
            if (!views.isNull(i)) {
                long view = (long) i * Views.WIDTH;
                int length = own.getInt(view);
                if (length <= Views.INLINE) {
                    data.setBytes(at, own, view + Views.VALUE, length);
                } else {
                    ArrowBuf part = views.getDataBuffers().get(own.getInt(view + Views.PART));
                    data.setBytes(at, part, own.getInt(view + Views.OFFSET), length);
                }
                at += length;
            }
            set(offsets, i + 1L, at, to);
        }
    }

    /** The same offsets in another width; the caller closes them. */
    static ArrowBuf rewritten(Offsets given, int width, BufferAllocator allocator, String path) {
        Values.bound(width == Integer.BYTES ? given.last() : 0, Integer.MAX_VALUE, path);
        ArrowBuf offsets = allocator.buffer((given.count() + 1) * width);
        for (long i = 0; i <= given.count(); i++) {
            if (width == Integer.BYTES) {
                offsets.setInt(i * width, (int) given.at(i));
            } else {
                offsets.setLong(i * width, given.at(i));
            }
        }
        return offsets;
    }

    private static ArrowBuf rewritten(Offsets given, Layout to, BufferAllocator allocator, String path) {
        return rewritten(given, to.width, allocator, path);
    }

    private static void set(ArrowBuf offsets, long index, long value, Layout to) {
        if (to == Layout.SHORT) {
            offsets.setInt(index * to.width, (int) value);
        } else {
            offsets.setLong(index * to.width, value);
        }
    }

    private static void load(FieldVector source, FieldVector target, ArrowBuf offsets, ArrowBuf data) {
        target.loadFieldBuffers(
                new ArrowFieldNode(source.getValueCount(), source.getNullCount()),
                List.of(source.getFieldBuffers().get(0), offsets, data));
    }

    private static boolean isText(ArrowType type) {
        return type instanceof ArrowType.Utf8
                || type instanceof ArrowType.LargeUtf8
                || type instanceof ArrowType.Utf8View;
    }

    private static @Nullable Layout layout(ArrowType type) {
        return switch (type) {
            case ArrowType.Utf8 ignored -> Layout.SHORT;
            case ArrowType.Binary ignored -> Layout.SHORT;
            case ArrowType.LargeUtf8 ignored -> Layout.LONG;
            case ArrowType.LargeBinary ignored -> Layout.LONG;
            case ArrowType.Utf8View ignored -> Layout.VIEW;
            case ArrowType.BinaryView ignored -> Layout.VIEW;
            default -> null;
        };
    }
}
