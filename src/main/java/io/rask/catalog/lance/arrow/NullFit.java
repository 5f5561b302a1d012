package io.rask.catalog.lance.arrow;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Fills a column with nulls, as many as the source has values. */
record NullFit(String path, long batchBytes) implements Fit {
    @Override
    public void fill(FieldVector source, FieldVector target) {
        int count = source.getValueCount();
        Values.bound((long) count * width(target.getField()), batchBytes, path);
        if (!(target instanceof NullVector)) {
            target.setInitialCapacity(count);
            target.allocateNew();
        }
        target.setValueCount(count);
    }

    /** The bytes one null takes. */
    private static long width(Field field) {
        return switch (field.getType()) {
            case ArrowType.FixedSizeList list ->
                list.getListSize() * width(field.getChildren().get(0));
            case ArrowType.Struct ignored ->
                field.getChildren().stream().mapToLong(NullFit::width).sum();
            case ArrowType.Null ignored -> 0;
            default ->
                TypeLayout.getTypeLayout(field.getType()).getBufferLayouts().stream()
                                .mapToLong(layout -> layout.getTypeBitWidth())
                                .sum()
                        / 8;
        };
    }
}
