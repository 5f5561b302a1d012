package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** The name of an Arrow type as the engine's {@code arrow_cast} function reads it. */
final class ArrowCast {
    private ArrowCast() {}

    /** The name; code 19 for a type the function does not know. */
    static String typeOf(Field field) {
        return switch (field.getType()) {
            case ArrowType.Bool any -> "Boolean";
            case ArrowType.Int number -> (number.getIsSigned() ? "Int" : "UInt") + number.getBitWidth();
            case ArrowType.FloatingPoint number ->
                switch (number.getPrecision()) {
                    case HALF -> "Float16";
                    case SINGLE -> "Float32";
                    case DOUBLE -> "Float64";
                };
            case ArrowType.Utf8 any -> "Utf8";
            case ArrowType.LargeUtf8 any -> "LargeUtf8";
            case ArrowType.Binary any -> "Binary";
            case ArrowType.LargeBinary any -> "LargeBinary";
            case ArrowType.FixedSizeBinary binary -> "FixedSizeBinary(" + binary.getByteWidth() + ")";
            case ArrowType.Date date -> date.getUnit() == DateUnit.DAY ? "Date32" : "Date64";
            case ArrowType.Time time -> "Time" + time.getBitWidth() + "(" + unit(time.getUnit()) + ")";
            case ArrowType.Timestamp stamp -> "Timestamp(" + unit(stamp.getUnit()) + ", " + zone(stamp) + ")";
            case ArrowType.Duration span -> "Duration(" + unit(span.getUnit()) + ")";
            case ArrowType.Decimal decimal ->
                "Decimal" + decimal.getBitWidth() + "(" + decimal.getPrecision() + ", " + decimal.getScale() + ")";
            case ArrowType.List any -> "List(" + child(field) + ")";
            case ArrowType.LargeList any -> "LargeList(" + child(field) + ")";
            case ArrowType.FixedSizeList list -> "FixedSizeList(" + list.getListSize() + ", " + child(field) + ")";
            case ArrowType.Struct any ->
                field.getChildren().stream()
                        .map(part -> "\"" + part.getName() + "\": " + typeOf(part))
                        .collect(Collectors.joining(", ", "Struct(", ")"));
            default -> throw unsupported(field);
        };
    }

    private static String child(Field field) {
        return typeOf(field.getChildren().getFirst());
    }

    private static String zone(ArrowType.Timestamp stamp) {
        return stamp.getTimezone() == null ? "None" : "Some(\"" + stamp.getTimezone() + "\")";
    }

    private static String unit(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> "Second";
            case MILLISECOND -> "Millisecond";
            case MICROSECOND -> "Microsecond";
            case NANOSECOND -> "Nanosecond";
        };
    }

    private static CatalogException unsupported(Field field) {
        return CatalogException.of(
                ErrorCode.INVALID_TABLE_STATE,
                "The column '" + field.getName() + "' has a type that an update cannot set.");
    }
}
