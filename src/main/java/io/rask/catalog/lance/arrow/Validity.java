package io.rask.catalog.lance.arrow;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Which values of a column are there: those whose bit is set. Only where the bitmap is left out does the count of nulls decide, and
 * then for all values alike; this is how the vectors read it too.
 */
record Validity(ArrowFieldNode node, ArrowBuf bits) {
    boolean has(int index) {
        return bits.capacity() == 0 ? node.getNullCount() == 0 : BitVectorHelper.get(bits, index) == 1;
    }
}
