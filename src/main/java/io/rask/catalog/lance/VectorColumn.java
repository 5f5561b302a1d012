package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A column that can be searched by vectors. Checked before a search begins: given a vector it cannot compare, the library answers
 * with an ordinary scan of the whole table.
 *
 * @param path its path
 * @param size the number of elements of one vector
 * @param elements what an element is
 * @param many whether a row holds several vectors
 */
record VectorColumn(FieldPath path, int size, Elements elements, boolean many) {
    /** What vectors are made of. */
    enum Elements {
        FLOAT,
        SIGNED_BYTE,
        UNSIGNED_BYTE
    }

    /**
     * The column of a search.
     *
     * @throws CatalogException code 12 for an unknown column; 13 when it holds no vectors, when its vectors have another length
     *     than the given ones, when the metric does not fit, when several vectors are looked for in a column of several, or when
     *     the table leaves open which column is meant
     */
    static VectorColumn of(VectorSearch search, Schema schema) {
        VectorColumn column = search.column() == null ? only(schema) : named(search.column(), schema);
        column.checkVectors(search.vectors());
        column.checkMetric(search.metric());
        if (column.many && search.vectors().size() > 1) {
            throw CatalogException.invalid("Column '" + column.path.scan()
                    + "' holds several vectors a row; it can be searched by one vector at a time.");
        }
        return column;
    }

    private static VectorColumn named(String text, Schema schema) {
        FieldPath path = FieldPath.of(text);
        VectorColumn column = read(path, path.in(schema));
        if (column == null) {
            throw CatalogException.invalid(
                    "Column '" + text + "' holds no vectors; a fixed-size list of floats or bytes is needed.");
        }
        return column;
    }

    private static VectorColumn only(Schema schema) {
        List<VectorColumn> all = schema.getFields().stream()
                .map(field -> read(new FieldPath(List.of(field.getName())), field))
                .filter(column -> column != null)
                .toList();
        List<VectorColumn> floats = all.stream()
                .filter(column -> column.elements == Elements.FLOAT && !column.many)
                .toList();
        List<VectorColumn> candidates = floats.isEmpty() ? all : floats;
        if (candidates.size() == 1) {
            return candidates.get(0);
        }
        throw CatalogException.invalid(
                candidates.isEmpty()
                        ? "The table has no vector column."
                        : "The table has several vector columns; name the one to search: "
                                + String.join(
                                        ", ",
                                        candidates.stream()
                                                .map(column -> column.path.scan())
                                                .toList())
                                + ".");
    }

    private static @Nullable VectorColumn read(FieldPath path, Field field) {
        return switch (field.getType()) {
            case ArrowType.FixedSizeList list ->
                read(path, list.getListSize(), field.getChildren().get(0), false);
            case ArrowType.List ignored -> {
                Field item = field.getChildren().get(0);
                yield item.getType() instanceof ArrowType.FixedSizeList list
                        ? read(path, list.getListSize(), item.getChildren().get(0), true)
                        : null;
            }
            default -> null;
        };
    }

    private static @Nullable VectorColumn read(FieldPath path, int size, Field element, boolean many) {
        if (element.getType() instanceof ArrowType.FloatingPoint) {
            return new VectorColumn(path, size, Elements.FLOAT, many);
        }
        if (!many && element.getType() instanceof ArrowType.Int number && number.getBitWidth() == 8) {
            Elements bytes = number.getIsSigned() ? Elements.SIGNED_BYTE : Elements.UNSIGNED_BYTE;
            return new VectorColumn(path, size, bytes, false);
        }
        return null;
    }

    private void checkVectors(List<float[]> vectors) {
        for (float[] vector : vectors) {
            if (vector.length != size) {
                throw CatalogException.invalid("Column '" + path.scan() + "' holds vectors of " + size
                        + " dimensions; a query vector has " + vector.length + ".");
            }
            for (float element : vector) {
                if (!Float.isFinite(element)) {
                    throw CatalogException.invalid("A query vector holds a number that is not finite.");
                }
                if (elements != Elements.FLOAT && !isByte(element)) {
                    throw CatalogException.invalid("Column '" + path.scan()
                            + "' holds vectors of bytes; a query vector has the element " + element + ".");
                }
            }
        }
    }

    private boolean isByte(float element) {
        int lowest = elements == Elements.SIGNED_BYTE ? Byte.MIN_VALUE : 0;
        return element == (int) element && element >= lowest && element <= lowest + 255;
    }

    private void checkMetric(@Nullable DistanceMetric metric) {
        if (metric == DistanceMetric.HAMMING && elements != Elements.UNSIGNED_BYTE) {
            throw CatalogException.invalid("The Hamming distance counts differing bits of unsigned bytes; column '"
                    + path.scan() + "' holds other numbers. Use l2, cosine or dot.");
        }
    }
}
