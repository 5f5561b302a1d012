package io.rask.catalog.lance.arrow;

import org.apache.arrow.vector.FieldVector;

/** Fills an empty vector of a table's type from a vector of the stream, value by value the same; the source may be emptied. */
@FunctionalInterface
interface Fit {
    /**
     * @throws io.rask.catalog.problem.CatalogException code 13 when a value has no equal in the table's type
     */
    void fill(FieldVector source, FieldVector target);

    /** Hands the buffers over: both vectors have one type. */
    static void transfer(FieldVector source, FieldVector target) {
        source.makeTransferPair(target).transfer();
    }
}
