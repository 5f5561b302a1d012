package io.rask.catalog.lance;

import io.rask.catalog.lance.arrow.TypeRules;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/** A type as JSON bodies carry it, read in both dialects: the reverse of {@link SchemaTree}. */
final class TypeTree {
    private static final int MAX_DEPTH = 16;
    private static final int DECIMAL_SCALES = 1_000;
    private static final String ITEM = "item";

    private TypeTree() {}

    /**
     * A field of the type.
     *
     * @param type a text, or an object with {@code type}, {@code fields} and {@code length}
     * @throws CatalogException code 13 when it is no type, 20 when the type cannot be stored
     */
    static Field field(String name, boolean nullable, @Nullable Object type) {
        return TypeRules.storable(field(name, nullable, type, Map.of(), 0));
    }

    private static Field field(
            String name, boolean nullable, @Nullable Object type, Map<String, String> metadata, int depth) {
        if (depth > MAX_DEPTH) {
            throw CatalogException.invalid("The type is nested more than " + MAX_DEPTH + " deep.");
        }
        Map<?, ?> node = type instanceof Map<?, ?> map ? map : Map.of("type", String.valueOf(type));
        String[] words = text(node.get("type")).split(":", -1);
        List<Field> children = switch (words[0]) {
            case "struct" -> children(node.get("fields"), depth);
            case "list", "large_list" -> List.of(item(node.get("fields"), null, depth));
            case "fixed_size_list" -> List.of(item(node.get("fields"), words.length == 3 ? words[1] : null, depth));
            default -> List.of();
        };
        return new Field(name, new FieldType(nullable, type(words, node.get("length")), null, metadata), children);
    }

    private static String text(@Nullable Object type) {
        if (!(type instanceof String text) || text.isBlank()) {
            throw CatalogException.invalid(
                    "A data type is an object whose type is a name, such as {\"type\": \"int64\"}.");
        }
        // Time zones keep their letter case.
        int zone = text.toLowerCase(Locale.ROOT).startsWith("timestamp:") ? text.indexOf(':', 10) : -1;
        return zone < 0
                ? text.strip().toLowerCase(Locale.ROOT)
                : text.substring(0, zone).toLowerCase(Locale.ROOT) + text.substring(zone);
    }

    private static Field item(@Nullable Object fields, @Nullable String named, int depth) {
        if (named != null) {
            return field(ITEM, true, named, Map.of(), depth + 1);
        }
        List<Field> children = children(fields, depth);
        if (children.size() != 1) {
            throw CatalogException.invalid("A list type has exactly one field, which says what its elements are.");
        }
        return children.get(0);
    }

    private static List<Field> children(@Nullable Object fields, int depth) {
        if (!(fields instanceof List<?> list) || list.isEmpty()) {
            throw CatalogException.invalid("A nested type lists its fields.");
        }
        List<Field> children = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof Map<?, ?> node) || !(node.get("name") instanceof String name)) {
                throw CatalogException.invalid("Every field of a nested type has a name and a type.");
            }
            children.add(
                    field(name, !Boolean.FALSE.equals(node.get("nullable")), node.get("type"), Map.of(), depth + 1));
        }
        return children;
    }

    private static ArrowType type(String[] words, @Nullable Object length) {
        String first = words[0];
        return switch (first) {
            case "bool", "boolean" -> new ArrowType.Bool();
            case "int8", "int16", "int32", "int64" ->
                new ArrowType.Int(Integer.parseInt(first.substring("int".length())), true);
            case "uint8", "uint16", "uint32", "uint64" ->
                new ArrowType.Int(Integer.parseInt(first.substring("uint".length())), false);
            case "float16", "halffloat" -> new ArrowType.FloatingPoint(FloatingPointPrecision.HALF);
            case "float32", "float" -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case "float64", "double" -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case "utf8", "string" -> new ArrowType.Utf8();
            case "large_utf8", "large_string" -> new ArrowType.LargeUtf8();
            case "binary" -> new ArrowType.Binary();
            case "large_binary" -> new ArrowType.LargeBinary();
            case "fixed_size_binary" -> new ArrowType.FixedSizeBinary(length(words, 1, length));
            case "date32" -> new ArrowType.Date(DateUnit.DAY);
            case "date64" -> new ArrowType.Date(DateUnit.MILLISECOND);
            case "time32" -> new ArrowType.Time(unit(words, TimeUnit.MILLISECOND), 32);
            case "time64" -> new ArrowType.Time(unit(words, TimeUnit.MICROSECOND), 64);
            case "duration" -> new ArrowType.Duration(unit(words, TimeUnit.MICROSECOND));
            case "timestamp" -> new ArrowType.Timestamp(unit(words, TimeUnit.MICROSECOND), zone(words));
            case "decimal128" -> decimal(128, length);
            case "decimal256" -> decimal(256, length);
            case "decimal" -> decimal(words);
            case "list" -> new ArrowType.List();
            case "large_list" -> new ArrowType.LargeList();
            case "fixed_size_list" -> new ArrowType.FixedSizeList(length(words, words.length - 1, length));
            case "struct" -> new ArrowType.Struct();
            default -> throw unknown(String.join(":", words));
        };
    }

    private static int length(String[] words, int at, @Nullable Object length) {
        if (at > 0 && at < words.length) {
            return number(words[at]);
        }
        return length instanceof Number number ? number(number.toString()) : number("");
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw CatalogException.invalid("The length of a type is missing or no whole number.");
        }
    }

    private static TimeUnit unit(String[] words, TimeUnit otherwise) {
        return switch (words.length < 2 ? "" : words[1]) {
            case "" -> otherwise;
            case "s" -> TimeUnit.SECOND;
            case "ms" -> TimeUnit.MILLISECOND;
            case "us" -> TimeUnit.MICROSECOND;
            case "ns" -> TimeUnit.NANOSECOND;
            default -> throw unknown(String.join(":", words));
        };
    }

    private static @Nullable String zone(String[] words) {
        String zone = String.join(":", List.of(words).subList(Math.min(2, words.length), words.length));
        return zone.isEmpty() || zone.equals("-") ? null : zone;
    }

    private static ArrowType decimal(int bits, @Nullable Object length) {
        if (!(length instanceof Number number)) {
            throw CatalogException.invalid(
                    "The length of a decimal is missing: it is the precision times 1000 plus the scale.");
        }
        int both = number(number.toString());
        return new ArrowType.Decimal(both / DECIMAL_SCALES, both % DECIMAL_SCALES, bits);
    }

    private static ArrowType decimal(String[] words) {
        if (words.length != 4) {
            throw unknown(String.join(":", words));
        }
        return new ArrowType.Decimal(number(words[2]), number(words[3]), number(words[1]));
    }

    private static CatalogException unknown(String name) {
        return CatalogException.of(
                ErrorCode.INVALID_INPUT,
                "There is no data type '" + (name.length() > 60 ? name.substring(0, 60) + "…" : name) + "'.");
    }
}
