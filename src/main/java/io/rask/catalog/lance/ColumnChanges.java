package io.rask.catalog.lance;

import io.rask.catalog.lance.ColumnFiles.Computed;
import io.rask.catalog.lance.arrow.TypeRules;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;

/** What changes of columns come to, given the table as it is. All paths mean the table as it was before any of the changes. */
final class ColumnChanges {
    private static final int MOST = 1_000;

    private final Dataset table;
    private final Map<List<String>, ColumnChange> changes = new LinkedHashMap<>();
    private final ColumnIds.Numbering numbering;
    private final List<Field> fields = new ArrayList<>();
    private final List<Computed> computed = new ArrayList<>();
    private final List<FieldPath> required = new ArrayList<>();

    private ColumnChanges(Dataset table) {
        this.table = table;
        this.numbering = new ColumnIds.Numbering(ColumnIds.next(table));
    }

    /**
     * @throws CatalogException code 12 for a path that leads nowhere, 13 for a change that makes no sense, 20 for a type that cannot
     *     be stored, 19 for a column that another one is filled from, 0 for values that cannot be cast
     */
    static ColumnChanges of(Dataset table, List<ColumnChange> changes) {
        if (changes.isEmpty() || changes.size() > MOST) {
            throw CatalogException.invalid("Between 1 and " + MOST + " columns can be changed at a time.");
        }
        ColumnChanges plan = new ColumnChanges(table);
        Schema schema = table.getSchema();
        for (ColumnChange change : changes) {
            FieldPath path = FieldPath.of(change.path());
            path.in(schema);
            if (plan.changes.put(path.segments(), change) != null) {
                throw CatalogException.invalid("Column '" + path.canonical() + "' is changed twice.");
            }
            if (change.rename() != null
                    && !change.rename().equals(path.segments().getLast())) {
                ColumnBindings.requireFree(schema.getFields(), path);
            }
        }
        plan.build();
        return plan;
    }

    /** The columns as they become, each with its id. */
    List<Field> fields() {
        return fields;
    }

    /** The columns whose values are made anew. */
    List<Computed> computed() {
        return computed;
    }

    /** The fields that must hold no null from now on. */
    List<FieldPath> required() {
        return required;
    }

    private void build() {
        List<Field> before = ColumnIds.of(table);
        for (Field old : before) {
            List<String> path = List.of(old.getName());
            Field made = made(old, path);
            if (casts(old, path)) {
                Field numbered = numbering.number(ColumnIds.without(made));
                computed.add(new Computed(ColumnIds.without(made), values(old, path)));
                fields.add(numbered);
            } else {
                fields.add(made);
            }
        }
        checkNames(before);
    }

    private void checkNames(List<Field> before) {
        List<Field> changed = fields.stream()
                .filter(field -> before.stream().noneMatch(old -> old.getName().equals(field.getName())))
                .toList();
        if (!changed.isEmpty()) {
            TypeRules.checkTable(new Schema(changed));
            changed.forEach(field -> TypeRules.storable(
                    new Field(field.getName(), FieldType.nullable(new ArrowType.Bool()), List.of())));
        }
        requireDistinct(fields);
    }

    private static void requireDistinct(List<Field> siblings) {
        Set<String> names = new HashSet<>();
        for (Field field : siblings) {
            if (!names.add(field.getName())) {
                throw CatalogException.invalid("Two columns would be named '" + field.getName() + "'.");
            }
            if (field.getType() instanceof ArrowType.Struct) {
                requireDistinct(field.getChildren());
            }
        }
    }

    private Field made(Field old, List<String> path) {
        List<Field> children = old.getChildren().stream()
                .map(child -> made(child, inside(path, child)))
                .toList();
        ColumnChange change = changes.get(path);
        if (change == null) {
            return new Field(old.getName(), old.getFieldType(), children);
        }
        Field target = target(old, change);
        boolean nullable = change.nullable() == null ? old.isNullable() : change.nullable();
        if (old.isNullable() && !nullable) {
            required.add(new FieldPath(path));
        }
        return new Field(
                name(old, change),
                new FieldType(
                        nullable,
                        target == null ? old.getType() : target.getType(),
                        old.getDictionary(),
                        metadata(old, change, target != null)),
                target == null ? children : target.getChildren());
    }

    private static List<String> inside(List<String> path, Field child) {
        List<String> inside = new ArrayList<>(path);
        inside.add(child.getName());
        return List.copyOf(inside);
    }

    private static String name(Field old, ColumnChange change) {
        String name = change.rename();
        if (name == null || name.equals(old.getName())) {
            return old.getName();
        }
        TypeRules.storable(new Field(name, FieldType.nullable(new ArrowType.Bool()), List.of()));
        return name;
    }

    /** The new type, or null when there is none or it is the old one. */
    private @Nullable Field target(Field old, ColumnChange change) {
        if (change.type() == null) {
            return null;
        }
        Field target = TypeTree.field(old.getName(), old.isNullable(), change.type());
        if (sameType(old, target)) {
            return null;
        }
        if (Blobs.isBlob(old) || !Blobs.extension(old).isEmpty()) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED,
                    "Column '" + change.path() + "' holds blobs or values of an extension, which cannot be cast.");
        }
        if (old.getType() instanceof ArrowType.Struct || EngineTypes.nested(target) == null) {
            throw CatalogException.invalid("Column '" + change.path()
                    + "' cannot be cast from or to a struct; change the fields inside one by one.");
        }
        return target;
    }

    private static boolean sameType(Field one, Field other) {
        if (one.getDictionary() != null
                || !one.getType().equals(other.getType())
                || one.getChildren().size() != other.getChildren().size()) {
            return false;
        }
        for (int i = 0; i < one.getChildren().size(); i++) {
            if (!sameType(one.getChildren().get(i), other.getChildren().get(i))) {
                return false;
            }
        }
        return true;
    }

    private Map<String, String> metadata(Field old, ColumnChange change, boolean cast) {
        Map<String, String> metadata = new HashMap<>(old.getMetadata());
        if (cast) {
            // How the old type was stored says nothing about the new one.
            metadata.keySet().removeIf(key -> key.startsWith("lance-encoding:"));
        }
        if (change.virtual() != null) {
            String definition = metadata.get(ColumnBindings.FUNCTION);
            if (definition == null) {
                throw CatalogException.invalid("Column '" + change.path() + "' is no virtual column.");
            }
            metadata.put(ColumnBindings.FUNCTION, change.virtual().definition().apply(definition));
            if (change.virtual().inputs() != null) {
                List<String> inputs =
                        NewColumns.resolved(table.getSchema(), change.virtual().inputs());
                metadata.put(ColumnBindings.INPUTS, String.join("\n", inputs));
            }
        }
        return metadata;
    }

    /** Whether the values of the field, or of one inside it, become others. */
    private boolean casts(Field old, List<String> path) {
        ColumnChange change = changes.get(path);
        if (change != null && target(old, change) != null) {
            return true;
        }
        return old.getChildren().stream().anyMatch(child -> casts(child, inside(path, child)));
    }

    private String values(Field old, List<String> path) {
        String stored = new FieldPath(path).sql();
        ColumnChange change = changes.get(path);
        Field target = change == null ? null : target(old, change);
        if (target != null) {
            return "arrow_cast(" + stored + ", '" + EngineTypes.nested(target) + "')";
        }
        if (!casts(old, path)) {
            return stored;
        }
        if (!(old.getType() instanceof ArrowType.Struct)) {
            throw CatalogException.invalid("The elements of '" + new FieldPath(path).canonical()
                    + "' cannot be cast by themselves; change the type of the whole list.");
        }
        List<String> parts = new ArrayList<>();
        for (Field child : old.getChildren()) {
            List<String> inside = inside(path, child);
            ColumnChange renaming = changes.get(inside);
            String name = renaming == null ? child.getName() : name(child, renaming);
            parts.add("'" + name.replace("'", "''") + "', " + values(child, inside));
        }
        return "CASE WHEN " + stored + " IS NULL THEN NULL ELSE named_struct(" + String.join(", ", parts) + ") END";
    }
}
