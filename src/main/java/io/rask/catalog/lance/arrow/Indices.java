package io.rask.catalog.lance.arrow;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** The indices of a dictionary-encoded column. */
final class Indices {
    private Indices() {}

    /** Whether each index that is there lies within a dictionary of the given size. */
    static boolean within(ArrowBuf data, ArrowType.Int type, long count, Validity valid, long size) {
        for (int i = 0; i < count; i++) {
            long index = at(data, type, i);
            if ((index < 0 || index >= size) && valid.has(i)) {
                return false;
            }
        }
        return true;
    }

    private static long at(ArrowBuf data, ArrowType.Int type, long i) {
        return switch (type.getBitWidth()) {
            case 8 -> type.getIsSigned() ? data.getByte(i) : data.getByte(i) & 0xFF;
            case 16 -> type.getIsSigned() ? data.getShort(i * 2) : data.getShort(i * 2) & 0xFFFF;
            case 32 -> type.getIsSigned() ? data.getInt(i * 4) : Integer.toUnsignedLong(data.getInt(i * 4));
            default -> data.getLong(i * 8);
        };
    }
}
