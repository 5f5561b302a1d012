package io.rask.catalog.lance.arrow;

import org.apache.arrow.memory.util.ArrowBufPointer;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.ElementAddressableVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;

/**
 * Writes the values of a dictionary out: a dictionary is a way to send a column, not a type of its own, and the library cannot
 * filter columns it stores that way.
 */
record DictionaryFit(Dictionary dictionary, Fit values, String path, long batchBytes) implements Fit {
    @Override
    public void fill(FieldVector source, FieldVector target) {
        Values.bound(size(source), batchBytes, path);
        try (FieldVector decoded = (FieldVector) DictionaryEncoder.decode(source, dictionary, target.getAllocator())) {
            values.fill(decoded, target);
        }
    }

    /** The bytes of all values written out. */
    private long size(FieldVector indices) {
        FieldVector words = dictionary.getVector();
        if (words instanceof BaseFixedWidthVector fixed) {
            return (long) indices.getValueCount() * Math.max(1, fixed.getTypeWidth());
        }
        ArrowBufPointer word = new ArrowBufPointer();
        long bytes = 0;
        for (int i = 0; i < indices.getValueCount(); i++) {
            if (!indices.isNull(i)) {
                ((ElementAddressableVector) words)
                        .getDataPointer((int) ((BaseIntVector) indices).getValueAsLong(i), word);
                bytes += word.getLength();
            }
        }
        return bytes;
    }
}
