package io.rask.catalog.lance.arrow;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** Which values of a column are there; all or none where the node says so, whatever its bitmap holds. */
record Validity(ArrowFieldNode node, ArrowBuf bits) {
    boolean has(int index) {
        return node.getNullCount() == 0
                || (node.getNullCount() < node.getLength() && BitVectorHelper.get(bits, index) == 1);
    }
}
