package io.rask.catalog.lance.arrow;

import io.rask.catalog.problem.CatalogException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.util.TransferPair;

/** Lists of any layout into lists and vectors. */
final class ListFits {
    private ListFits() {}

    /** @param items how the elements are filled */
    static Fit toList(Fit items) {
        return (source, target) -> {
            int width = target instanceof LargeListVector ? Long.BYTES : Integer.BYTES;
            Offsets given = offsets(source);
            ArrowBuf offsets = given.buffer() == null || given.width() != width || source.getValueCount() == 0
                    ? rewrittenOffsets(source, width, target)
                    : retained(given.buffer());
            try (offsets) {
                target.loadFieldBuffers(
                        node(source), List.of(source.getFieldBuffers().get(0), offsets));
            }
            items.fill(child(source), child(target));
        };
    }

    /** @param items how the elements are filled */
    static Fit vectorToVector(Fit items) {
        return (source, target) -> {
            target.loadFieldBuffers(node(source), source.getFieldBuffers().subList(0, 1));
            items.fill(child(source), child(target));
        };
    }

    /** Refuses lists of another length than the table's vectors. */
    static Fit listToVector(Fit items, int size, String path) {
        return (source, target) -> {
            Offsets offsets = offsets(source);
            int count = source.getValueCount();
            for (int i = 0; i < count; i++) {
                long length = offsets.at(i + 1L) - offsets.at(i);
                if (length != size && !source.isNull(i)) {
                    throw CatalogException.invalid("Column " + TypeRules.quoted(path) + ": a vector has " + length
                            + " dimensions, the table's have " + size + ".");
                }
            }
            try (FieldVector elements = elements(source, offsets, size)) {
                target.loadFieldBuffers(node(source), source.getFieldBuffers().subList(0, 1));
                items.fill(elements, child(target));
            }
        };
    }

    /** The elements of all lists, with as many places for a missing list as for any other. */
    private static FieldVector elements(FieldVector source, Offsets offsets, int size) {
        FieldVector all = child(source);
        int count = source.getValueCount();
        boolean packed = offsets.last() - offsets.first() == (long) count * size;
        TransferPair pair = all.getTransferPair(all.getField(), all.getAllocator());
        FieldVector elements = (FieldVector) pair.getTo();
        if (packed && complete(source, offsets, size)) {
            pair.splitAndTransfer((int) offsets.first(), count * size);
            return elements;
        }
        elements.setInitialCapacity(count * size);
        elements.allocateNew();
        for (int i = 0; i < count; i++) {
            for (int d = 0; d < size && !source.isNull(i); d++) {
                elements.copyFromSafe((int) offsets.at(i) + d, i * size + d, all);
            }
        }
        elements.setValueCount(count * size);
        return elements;
    }

    private static boolean complete(FieldVector source, Offsets offsets, int size) {
        for (int i = 0; i < source.getValueCount(); i++) {
            if (offsets.at(i + 1L) - offsets.at(i) != size) {
                return false;
            }
        }
        return true;
    }

    private static ArrowBuf rewrittenOffsets(FieldVector source, int width, FieldVector target) {
        String path = source.getName();
        if (source instanceof FixedSizeListVector vector) {
            return regular(vector, width, target);
        }
        return TextFits.rewritten(offsets(source), width, target.getAllocator(), path);
    }

    private static ArrowBuf regular(FixedSizeListVector vector, int width, FieldVector target) {
        int count = vector.getValueCount();
        long size = vector.getListSize();
        Values.bound(width == Integer.BYTES ? count * size : 0, Integer.MAX_VALUE, vector.getName());
        ArrowBuf offsets = target.getAllocator().buffer((count + 1L) * width);
        for (long i = 0; i <= count; i++) {
            if (width == Integer.BYTES) {
                offsets.setInt(i * width, (int) (i * size));
            } else {
                offsets.setLong(i * width, i * size);
            }
        }
        return offsets;
    }

    private static Offsets offsets(FieldVector list) {
        if (list instanceof FixedSizeListVector || list.getValueCount() == 0) {
            return Offsets.NONE;
        }
        int width = list instanceof LargeListVector ? Long.BYTES : Integer.BYTES;
        return new Offsets(list.getOffsetBuffer(), list.getValueCount(), width);
    }

    private static ArrowBuf retained(ArrowBuf buffer) {
        buffer.getReferenceManager().retain();
        return buffer;
    }

    private static FieldVector child(FieldVector list) {
        return list.getChildrenFromFields().get(0);
    }

    private static ArrowFieldNode node(FieldVector source) {
        return new ArrowFieldNode(source.getValueCount(), source.getNullCount());
    }
}
