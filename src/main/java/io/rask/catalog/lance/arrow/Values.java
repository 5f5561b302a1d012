package io.rask.catalog.lance.arrow;

import io.rask.catalog.problem.CatalogException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;

/** Loops over the values of columns of fixed width. */
final class Values {
    private Values() {}

    /** Converts one value that is there. */
    @FunctionalInterface
    interface Each {
        /** False when the value does not fit. */
        boolean convert(int index);
    }

    /** Gives the target room for all values of the source and converts those that are there. */
    static void convert(FieldVector source, BaseFixedWidthVector target, String path, Each each) {
        int count = source.getValueCount();
        target.allocateNew(count);
        boolean complete = source.getNullCount() == 0;
        for (int i = 0; i < count; i++) {
            if (complete || !source.isNull(i)) {
                if (!each.convert(i)) {
                    throw CatalogException.invalid("Column " + TypeRules.quoted(path) + ": value " + source.getObject(i)
                            + " does not fit the column's type "
                            + target.getField().getType() + ".");
                }
                BitVectorHelper.setBit(target.getValidityBuffer(), i);
            }
        }
        target.setValueCount(count);
    }

    static long number(ArrowBuf data, int width, int index) {
        return width == Integer.BYTES ? data.getInt((long) index * width) : data.getLong((long) index * width);
    }

    /** Refuses to fill more memory than one batch may take. */
    static void bound(long bytes, long most, String path) {
        if (bytes > most) {
            throw CatalogException.invalid("Column " + TypeRules.quoted(path) + " takes more than " + most
                    + " bytes for one batch; send smaller batches.");
        }
    }
}
