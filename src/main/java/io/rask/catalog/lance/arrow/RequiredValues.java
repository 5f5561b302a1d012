package io.rask.catalog.lance.arrow;

import io.rask.catalog.problem.CatalogException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.StructVector;

/** Values that must not be null: the library refuses some of them, and stores others. */
final class RequiredValues {
    private RequiredValues() {}

    /** @throws CatalogException code 13 when a column or a part of one is null where its field does not allow it */
    static void check(FieldVector column) {
        if (!column.getField().isNullable() && column.getNullCount() > 0) {
            throw missing(column.getName());
        }
        children(column, column.getName());
    }

    private static void children(FieldVector parent, String path) {
        for (FieldVector child : parent.getChildrenFromFields()) {
            String childPath = parent instanceof StructVector ? path + "." + child.getName() : path;
            if (!child.getField().isNullable() && child.getNullCount() > 0 && isMissing(parent, child)) {
                throw missing(childPath);
            }
            children(child, childPath);
        }
    }

    /** Whether a part is null although the whole is there. */
    private static boolean isMissing(FieldVector parent, FieldVector child) {
        int each = switch (parent) {
            case StructVector ignored -> 1;
            case FixedSizeListVector vector -> vector.getListSize();
            default -> 0;
        };
        if (each == 0) {
            return true;
        }
        for (int i = 0; i < parent.getValueCount() * each; i++) {
            if (child.isNull(i) && !parent.isNull(i / each)) {
                return true;
            }
        }
        return false;
    }

    private static CatalogException missing(String path) {
        return CatalogException.invalid(
                "Column " + TypeRules.quoted(path) + " holds null where the table does not allow it.");
    }
}
