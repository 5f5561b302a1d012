package io.rask.catalog.lance.arrow;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Which types and names a table can have. The list of types is one of permissions: several types that look harmless (vectors of
 * no element, fixed-size lists of text, fields of one name inside a struct) end the process when native code meets them.
 */
public final class TypeRules {
    private static final int MAX_NAME = 512;
    private static final int MAX_VECTOR = 1 << 20;
    private static final Set<String> RESERVED = Set.of(
            "_rowid",
            "_rowaddr",
            "_rowoffset",
            "_row_created_at_version",
            "_row_last_updated_at_version",
            "_distance",
            "_score");
    private static final Pattern ZONE = Pattern.compile("[A-Za-z][A-Za-z0-9/_+-]*");
    private static final Pattern OFFSET = Pattern.compile("[+-]\\d\\d:?\\d\\d");
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private TypeRules() {}

    /**
     * Checks the names of a schema that is to become a table's.
     *
     * @throws CatalogException code 13
     */
    public static void checkTable(Schema schema) {
        if (schema.getFields().isEmpty()) {
            throw CatalogException.invalid("A table needs at least one column.");
        }
        for (Field field : schema.getFields()) {
            if (field.getName().contains(".")) {
                throw CatalogException.invalid("Column " + quoted(field.getName())
                        + " has a dot in its name; dots address fields of a struct.");
            }
            if (RESERVED.contains(field.getName())) {
                throw CatalogException.invalid(
                        "Column " + quoted(field.getName()) + " has a name that is reserved for the system.");
            }
        }
    }

    /**
     * A field as it is stored: the type checked, with those inside it.
     *
     * @throws CatalogException code 13 for a name, 20 for a type that cannot be stored
     */
    public static Field storable(Field field) {
        checkStream(new Schema(List.of(field)));
        return normal(field);
    }

    private static Field normal(Field field) {
        return new Field(
                field.getName(),
                new FieldType(field.isNullable(), stored(field.getType()), field.getDictionary(), field.getMetadata()),
                field.getChildren().stream().map(TypeRules::normal).toList());
    }

    /** Checks the types and the shape of the names of a stream. */
    static void checkStream(Schema schema) {
        checkSiblings(schema.getFields(), "");
        schema.getFields().forEach(field -> check(field, field.getName()));
    }

    private static void checkSiblings(List<Field> fields, String parent) {
        Set<String> seen = new HashSet<>();
        for (Field field : fields) {
            String name = field.getName();
            if (name == null
                    || name.isEmpty()
                    || name.length() > MAX_NAME
                    || CONTROL.matcher(name).find()) {
                throw CatalogException.invalid(
                        "Every column needs a name of 1 to " + MAX_NAME + " characters without control characters.");
            }
            if (name.indexOf('`') >= 0) {
                // The library stores such a column and cannot read it again.
                throw CatalogException.invalid("Column " + quoted(parent + name) + " has a back-tick in its name.");
            }
            if (!seen.add(name)) {
                throw CatalogException.invalid("Column " + quoted(parent + name) + " occurs twice.");
            }
        }
    }

    private static void check(Field field, String path) {
        if (field.getDictionary() != null && !encodable(field)) {
            throw unsupported(path, "a dictionary can hold text, bytes and values of fixed width only");
        }
        switch (field.getType()) {
            case ArrowType.Struct ignored -> {
                checkSiblings(field.getChildren(), path + ".");
                field.getChildren().forEach(child -> check(child, path + "." + child.getName()));
            }
            case ArrowType.List ignored -> check(onlyChild(field, path), path);
            case ArrowType.LargeList ignored -> check(onlyChild(field, path), path);
            case ArrowType.FixedSizeList list -> checkVector(field, list, path);
            default -> checkLeaf(field, path);
        }
    }

    private static void checkVector(Field field, ArrowType.FixedSizeList list, String path) {
        if (list.getListSize() < 1 || list.getListSize() > MAX_VECTOR) {
            throw unsupported(path, "a fixed-size list must have 1 to " + MAX_VECTOR + " elements");
        }
        Field item = onlyChild(field, path);
        if (item.getType() instanceof ArrowType.FixedSizeList inner) {
            checkVector(item, inner, path);
        } else if (item.getDictionary() != null || !fixedWidth(item.getType())) {
            throw unsupported(path, "a fixed-size list can hold numbers, booleans, times and fixed-size binary only");
        } else {
            checkLeaf(item, path);
        }
    }

    private static boolean encodable(Field field) {
        int index = field.getDictionary().getIndexType().getBitWidth();
        return Set.of(8, 16, 32, 64).contains(index)
                && switch (field.getType()) {
                    case ArrowType.Utf8 ignored -> true;
                    case ArrowType.LargeUtf8 ignored -> true;
                    case ArrowType.Binary ignored -> true;
                    case ArrowType.LargeBinary ignored -> true;
                    default -> fixedWidth(field.getType());
                };
    }

    private static boolean fixedWidth(ArrowType type) {
        return switch (type) {
            case ArrowType.Bool ignored -> true;
            case ArrowType.Int ignored -> true;
            case ArrowType.FloatingPoint ignored -> true;
            case ArrowType.Decimal ignored -> true;
            case ArrowType.Date ignored -> true;
            case ArrowType.Time ignored -> true;
            case ArrowType.Timestamp ignored -> true;
            case ArrowType.Duration ignored -> true;
            case ArrowType.FixedSizeBinary ignored -> true;
            default -> false;
        };
    }

    private static void checkLeaf(Field field, String path) {
        if (!field.getChildren().isEmpty()) {
            throw unsupported(path, "its type has no children, yet the schema lists some");
        }
        if (!storable(field.getType())) {
            throw unsupported(path, "type " + field.getType() + " cannot be stored");
        }
    }

    private static boolean storable(ArrowType type) {
        return switch (type) {
            case ArrowType.Int number -> Set.of(8, 16, 32, 64).contains(number.getBitWidth());
            case ArrowType.Decimal decimal -> validDecimal(decimal);
            case ArrowType.FixedSizeBinary binary -> binary.getByteWidth() >= 1 && binary.getByteWidth() <= MAX_VECTOR;
            case ArrowType.Time time -> validTime(time);
            case ArrowType.Timestamp timestamp -> validZone(timestamp.getTimezone());
            case ArrowType.Utf8 ignored -> true;
            case ArrowType.LargeUtf8 ignored -> true;
            case ArrowType.Utf8View ignored -> true;
            case ArrowType.Binary ignored -> true;
            case ArrowType.LargeBinary ignored -> true;
            case ArrowType.BinaryView ignored -> true;
            case ArrowType.Null ignored -> true;
            default -> fixedWidth(type);
        };
    }

    private static boolean validDecimal(ArrowType.Decimal type) {
        int most = type.getBitWidth() == 128 ? 38 : 76;
        return (type.getBitWidth() == 128 || type.getBitWidth() == 256)
                && type.getPrecision() >= 1
                && type.getPrecision() <= most
                && type.getScale() >= 0
                && type.getScale() <= type.getPrecision();
    }

    /** The library takes the process down over a colon in a zone; offsets are stored without theirs. */
    private static boolean validZone(@Nullable String zone) {
        return zone == null
                || zone.isEmpty()
                || OFFSET.matcher(zone).matches()
                || ZONE.matcher(zone).matches();
    }

    /**
     * A type as it is stored: views as plain text and bytes, offsets of time zones without a colon, which the library cannot
     * store.
     */
    static ArrowType stored(ArrowType type) {
        return switch (type) {
            case ArrowType.Utf8View ignored -> new ArrowType.Utf8();
            case ArrowType.BinaryView ignored -> new ArrowType.Binary();
            case ArrowType.Timestamp timestamp ->
                new ArrowType.Timestamp(timestamp.getUnit(), stored(timestamp.getTimezone()));
            default -> type;
        };
    }

    private static @Nullable String stored(@Nullable String zone) {
        if (zone == null || zone.isEmpty()) {
            return null;
        }
        return OFFSET.matcher(zone).matches() ? zone.replace(":", "") : zone;
    }

    private static boolean validTime(ArrowType.Time type) {
        return switch (type.getUnit()) {
            case SECOND, MILLISECOND -> type.getBitWidth() == 32;
            case MICROSECOND, NANOSECOND -> type.getBitWidth() == 64;
        };
    }

    private static Field onlyChild(Field field, String path) {
        if (field.getChildren().size() != 1) {
            throw unsupported(path, "a list must have exactly one child");
        }
        return field.getChildren().get(0);
    }

    private static CatalogException unsupported(String path, String reason) {
        return CatalogException.of(
                ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR, "Column " + quoted(path) + ": " + reason + ".");
    }

    static String quoted(String name) {
        return "'" + (name.length() > 120 ? name.substring(0, 120) + "…" : name) + "'";
    }
}
