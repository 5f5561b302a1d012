package io.rask.catalog.lance.arrow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;

/** The views of a column of texts or bytes: each holds its value itself or says where in which buffer it is. */
final class Views {
    static final int WIDTH = 16;
    /** The longest value that stands in the view itself. */
    static final int INLINE = 12;
    /** Where in a view its value begins, the number of the buffer of a longer one, and the place there. */
    static final int VALUE = 4;

    static final int PART = 8;
    static final int OFFSET = 12;

    private Views() {}

    static boolean valid(ArrowBuf views, long count, Validity valid, List<ArrowBuf> data, boolean text) {
        List<ByteBuffer> parts = data.stream()
                .map(part -> part.nioBuffer(0, (int) part.capacity()).order(ByteOrder.LITTLE_ENDIAN))
                .toList();
        ByteBuffer own = views.nioBuffer(0, (int) (count * WIDTH)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            if (valid.has(i) && !valid(own, i * WIDTH, parts, text)) {
                return false;
            }
        }
        return true;
    }

    private static boolean valid(ByteBuffer views, int at, List<ByteBuffer> parts, boolean text) {
        int length = views.getInt(at);
        if (length < 0) {
            return false;
        }
        if (length <= INLINE) {
            return !text || Utf8.valid(views, at + VALUE, at + VALUE + length);
        }
        int part = views.getInt(at + PART);
        int offset = views.getInt(at + OFFSET);
        if (part < 0 || part >= parts.size() || offset < 0) {
            return false;
        }
        ByteBuffer bytes = parts.get(part);
        return offset <= bytes.capacity() - length && (!text || Utf8.valid(bytes, offset, offset + length));
    }
}
