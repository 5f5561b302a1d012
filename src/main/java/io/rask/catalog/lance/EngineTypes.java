package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** The engine's names of types, as its cast function takes them. */
final class EngineTypes {
    private static final Pattern ZONE = Pattern.compile("[A-Za-z0-9/_+:-]+");

    private EngineTypes() {}

    /** The name of a type of single values, or null for lists, vectors and structs. */
    static @Nullable String name(ArrowType type) {
        return switch (type) {
            case ArrowType.Bool ignored -> "Boolean";
            case ArrowType.Int number -> (number.getIsSigned() ? "Int" : "UInt") + number.getBitWidth();
            case ArrowType.FloatingPoint number -> "Float" + bits(number.getPrecision());
            case ArrowType.Decimal decimal ->
                "Decimal" + decimal.getBitWidth() + "(" + decimal.getPrecision() + ", " + decimal.getScale() + ")";
            case ArrowType.Utf8 ignored -> "Utf8";
            case ArrowType.LargeUtf8 ignored -> "LargeUtf8";
            case ArrowType.Binary ignored -> "Binary";
            case ArrowType.LargeBinary ignored -> "LargeBinary";
            case ArrowType.FixedSizeBinary binary -> "FixedSizeBinary(" + binary.getByteWidth() + ")";
            case ArrowType.Date date -> date.getUnit().toString().equals("DAY") ? "Date32" : "Date64";
            case ArrowType.Time time -> "Time" + time.getBitWidth() + "(" + unit(time.getUnit()) + ")";
            case ArrowType.Duration duration -> "Duration(" + unit(duration.getUnit()) + ")";
            case ArrowType.Timestamp timestamp -> timestamp(timestamp);
            default -> null;
        };
    }

    /** The name of the type of a field, lists and vectors included, or null for what holds a struct. */
    static @Nullable String nested(Field field) {
        String inner = field.getChildren().isEmpty()
                ? null
                : nested(field.getChildren().get(0));
        return switch (field.getType()) {
            case ArrowType.List ignored -> inner == null ? null : "List(" + inner + ")";
            case ArrowType.LargeList ignored -> inner == null ? null : "LargeList(" + inner + ")";
            case ArrowType.FixedSizeList list ->
                inner == null ? null : "FixedSizeList(" + list.getListSize() + ", " + inner + ")";
            default -> name(field.getType());
        };
    }

    private static String timestamp(ArrowType.Timestamp type) {
        String zone = type.getTimezone();
        if (zone != null && !ZONE.matcher(zone).matches()) {
            throw CatalogException.invalid("A column with the time zone of this one cannot be updated.");
        }
        return "Timestamp(" + unit(type.getUnit()) + ", " + (zone == null ? "None" : "Some(\"" + zone + "\")") + ")";
    }

    private static int bits(FloatingPointPrecision precision) {
        return switch (precision) {
            case HALF -> 16;
            case SINGLE -> 32;
            case DOUBLE -> 64;
        };
    }

    private static String unit(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> "Second";
            case MILLISECOND -> "Millisecond";
            case MICROSECOND -> "Microsecond";
            case NANOSECOND -> "Nanosecond";
        };
    }
}
