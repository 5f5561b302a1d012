package io.rask.catalog.lance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** An Arrow schema as the tree of maps and lists that a JSON answer holds; the type names follow the client's dialect. */
final class SchemaTree {
    private final SchemaDialect dialect;

    private SchemaTree(SchemaDialect dialect) {
        this.dialect = dialect;
    }

    static Map<String, Object> of(Schema schema, SchemaDialect dialect) {
        SchemaTree tree = new SchemaTree(dialect);
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("fields", tree.fields(schema.getFields()));
        if (schema.getCustomMetadata() != null && !schema.getCustomMetadata().isEmpty()) {
            node.put("metadata", schema.getCustomMetadata());
        }
        return node;
    }

    private List<Map<String, Object>> fields(List<Field> fields) {
        return fields.stream().map(this::field).toList();
    }

    private Map<String, Object> field(Field field) {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("name", field.getName());
        node.put("nullable", field.isNullable());
        node.put("type", type(field));
        if (!field.getMetadata().isEmpty()) {
            node.put("metadata", field.getMetadata());
        }
        return node;
    }

    private Map<String, Object> type(Field field) {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("type", name(field));
        if (!field.getChildren().isEmpty() && field.getDictionary() == null) {
            node.put("fields", fields(field.getChildren()));
        }
        switch (field.getType()) {
            case ArrowType.FixedSizeList list -> node.put("length", list.getListSize());
            case ArrowType.FixedSizeBinary binary -> node.put("length", binary.getByteWidth());
            case ArrowType.Decimal decimal
            when dialect == SchemaDialect.NAMESPACE ->
                node.put("length", decimal.getPrecision() * 1000L + decimal.getScale());
            default -> {}
        }
        return node;
    }

    private String name(Field field) {
        boolean lance = dialect == SchemaDialect.LANCE;
        if (field.getDictionary() != null) {
            String value = name(field.getType(), lance);
            String key = name(field.getDictionary().getIndexType(), lance);
            return lance
                    ? "dict:" + value + ":" + key + ":" + field.getDictionary().isOrdered()
                    : value;
        }
        return name(field.getType(), lance);
    }

    private static String name(ArrowType type, boolean lance) {
        return switch (type) {
            case ArrowType.Null any -> "null";
            case ArrowType.Bool any -> "bool";
            case ArrowType.Int number -> (number.getIsSigned() ? "int" : "uint") + number.getBitWidth();
            case ArrowType.FloatingPoint number -> floating(number.getPrecision(), lance);
            case ArrowType.Utf8 any -> lance ? "string" : "utf8";
            case ArrowType.LargeUtf8 any -> lance ? "large_string" : "large_utf8";
            case ArrowType.Binary any -> "binary";
            case ArrowType.LargeBinary any -> "large_binary";
            case ArrowType.FixedSizeBinary any -> "fixed_size_binary";
            case ArrowType.List any -> "list";
            case ArrowType.LargeList any -> "large_list";
            case ArrowType.FixedSizeList any -> "fixed_size_list";
            case ArrowType.Struct any -> "struct";
            case ArrowType.Map any -> "map";
            case ArrowType.Date date -> date(date.getUnit(), lance);
            case ArrowType.Time time -> "time" + time.getBitWidth() + (lance ? ":" + unit(time.getUnit()) : "");
            case ArrowType.Timestamp stamp -> "timestamp" + (lance ? zoned(stamp) : "");
            case ArrowType.Duration span -> "duration" + (lance ? ":" + unit(span.getUnit()) : "");
            case ArrowType.Decimal decimal -> decimal(decimal, lance);
            default -> type.getTypeID().name().toLowerCase(Locale.ROOT);
        };
    }

    private static String floating(FloatingPointPrecision precision, boolean lance) {
        return switch (precision) {
            case HALF -> lance ? "halffloat" : "float16";
            case SINGLE -> lance ? "float" : "float32";
            case DOUBLE -> lance ? "double" : "float64";
        };
    }

    private static String date(DateUnit unit, boolean lance) {
        return unit == DateUnit.DAY ? (lance ? "date32:day" : "date32") : (lance ? "date64:ms" : "date64");
    }

    private static String zoned(ArrowType.Timestamp stamp) {
        return ":" + unit(stamp.getUnit()) + ":" + (stamp.getTimezone() == null ? "-" : stamp.getTimezone());
    }

    private static String decimal(ArrowType.Decimal decimal, boolean lance) {
        return lance
                ? "decimal:" + decimal.getBitWidth() + ":" + decimal.getPrecision() + ":" + decimal.getScale()
                : "decimal" + decimal.getBitWidth();
    }

    private static String unit(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> "s";
            case MILLISECOND -> "ms";
            case MICROSECOND -> "us";
            case NANOSECOND -> "ns";
        };
    }
}
