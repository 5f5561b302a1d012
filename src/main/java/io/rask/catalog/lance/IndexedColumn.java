package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.List;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A column that an index can be made of. Checked before native code sees it.
 *
 * @param dimensions how many numbers a vector has; 0 when it holds none
 */
record IndexedColumn(FieldPath path, Field field, int dimensions) {
    private static final int MOST_DIMENSIONS = 65_536;

    /**
     * The column of an index to be made.
     *
     * @throws CatalogException code 12 for an unknown column, 13 when it cannot have that kind of index, 0 for a type whose index
     *     nobody has tried
     */
    static IndexedColumn of(NewIndex index, Schema schema) {
        FieldPath path = FieldPath.of(index.column());
        Field field = path.in(schema);
        requireReachable(path, schema);
        if (field.getDictionary() != null) {
            throw CatalogException.invalid(
                    "Column '" + path.canonical() + "' is encoded by a dictionary and cannot be indexed.");
        }
        return index.kind().isVector() ? vectors(index, path, field) : values(index.kind(), path, field);
    }

    /** Only fields of structs can be indexed by themselves: a list is indexed as a whole. */
    private static void requireReachable(FieldPath path, Schema schema) {
        List<String> segments = path.segments();
        for (int end = 1; end < segments.size(); end++) {
            FieldPath parent = new FieldPath(segments.subList(0, end));
            if (!(parent.in(schema).getType() instanceof ArrowType.Struct)) {
                throw CatalogException.invalid("Column '" + parent.canonical()
                        + "' is no struct; an index can be of it as a whole, but not of what is inside.");
            }
        }
    }

    private static IndexedColumn values(IndexKind kind, FieldPath path, Field field) {
        boolean fits = switch (kind) {
            case BTREE, BITMAP, ZONEMAP -> isOrdered(field.getType());
            case BLOOM_FILTER -> isOrdered(field.getType()) && !(field.getType() instanceof ArrowType.Bool);
            case LABEL_LIST -> isList(field.getType()) && isOrdered(element(field));
            case FTS -> isText(field.getType()) || (isList(field.getType()) && isText(element(field)));
            case NGRAM -> isText(field.getType());
            default -> false;
        };
        if (!fits) {
            throw CatalogException.invalid("Column '" + path.canonical() + "' cannot have an index of the type " + kind
                    + ", which is one of " + wanted(kind) + ".");
        }
        return new IndexedColumn(path, field, 0);
    }

    private static String wanted(IndexKind kind) {
        return switch (kind) {
            case LABEL_LIST -> "lists of plain values";
            case FTS -> "texts or lists of texts";
            case NGRAM -> "texts";
            case BLOOM_FILTER -> "plain values: numbers, texts, dates and times";
            default -> "plain values: numbers, texts, booleans, dates and times";
        };
    }

    private static boolean isOrdered(ArrowType type) {
        return switch (type) {
            case ArrowType.Int ignored -> true;
            case ArrowType.FloatingPoint number -> number.getPrecision() != FloatingPointPrecision.HALF;
            case ArrowType.Utf8 ignored -> true;
            case ArrowType.LargeUtf8 ignored -> true;
            case ArrowType.Bool ignored -> true;
            case ArrowType.Date ignored -> true;
            case ArrowType.Time ignored -> true;
            case ArrowType.Timestamp ignored -> true;
            default -> false;
        };
    }

    private static boolean isText(ArrowType type) {
        return type instanceof ArrowType.Utf8 || type instanceof ArrowType.LargeUtf8;
    }

    private static boolean isList(ArrowType type) {
        return type instanceof ArrowType.List || type instanceof ArrowType.LargeList;
    }

    private static ArrowType element(Field list) {
        return list.getChildren().get(0).getType();
    }

    private static IndexedColumn vectors(NewIndex index, FieldPath path, Field field) {
        IndexKind kind = index.kind();
        if (!(field.getType() instanceof ArrowType.FixedSizeList list)
                || !(element(field) instanceof ArrowType.FloatingPoint)
                || list.getListSize() < 1
                || list.getListSize() > MOST_DIMENSIONS) {
            throw CatalogException.invalid("Column '" + path.canonical() + "' cannot have an index of the type " + kind
                    + ", which is one of vectors: fixed-size lists of floats.");
        }
        if (index.vectors().metric() == DistanceMetric.HAMMING) {
            throw VectorIndexSettings.refused("distance_type", "must not be hamming for vectors of floats");
        }
        int dimensions = list.getListSize();
        if (kind == IndexKind.IVF_RQ && dimensions % 8 != 0) {
            throw CatalogException.invalid(
                    "An index of the type IVF_RQ needs vectors whose dimensions are a multiple of 8; column '"
                            + path.canonical() + "' has " + dimensions + ".");
        }
        requirePieces(index, dimensions);
        return new IndexedColumn(path, field, dimensions);
    }

    private static void requirePieces(NewIndex index, int dimensions) {
        Integer pieces = index.vectors().subVectors();
        if (pieces != null && dimensions % pieces != 0) {
            throw VectorIndexSettings.refused(
                    "num_sub_vectors", "must divide the " + dimensions + " dimensions of the column");
        }
        boolean halves = Integer.valueOf(4).equals(index.vectors().bits());
        if (halves && VectorIndexPlan.pieces(index.vectors(), dimensions) % 2 != 0) {
            throw VectorIndexSettings.refused("num_sub_vectors", "must be even when num_bits is 4");
        }
    }
}
