package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.fragment.DataFile;
import org.lance.schema.LanceField;

/**
 * The numbers by which a table knows its columns, whatever their names. The library takes them from the metadata of a field, and
 * does not store them there.
 */
final class ColumnIds {
    private static final String KEY = "lance:field_id";

    private ColumnIds() {}

    /**
     * The columns of a table, and the fields inside them, with their ids.
     *
     * @throws CatalogException code 0 when the table holds dictionaries, for which the library tells no ids
     */
    static List<Field> of(Dataset table) {
        try {
            List<Field> fields = table.getSchema().getFields();
            if (fields.stream().anyMatch(ColumnIds::hasDictionary)) {
                throw new IllegalArgumentException("a column is dictionary-encoded");
            }
            return zipped(fields, table.getLanceSchema().fields());
        } catch (IllegalArgumentException e) {
            // The only thing wrong with what is asked here can be a type that cannot be told.
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED,
                    "The table has columns of a kind, such as dictionary-encoded ones, beside which columns cannot be"
                            + " changed here.",
                    e);
        }
    }

    /** Whether the table may hold dictionaries: the schema the library tells shows such a column as the numbers it is kept as. */
    static boolean mayHoldDictionaries(Dataset table) {
        if (table.getSchema().getFields().stream().noneMatch(ColumnIds::holdsNumbers)) {
            return false;
        }
        try {
            return table.getLanceSchema().fields().isEmpty();
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    private static boolean holdsNumbers(Field field) {
        return field.getType() instanceof ArrowType.Int
                || field.getChildren().stream().anyMatch(ColumnIds::holdsNumbers);
    }

    private static boolean hasDictionary(Field field) {
        return field.getDictionary() != null || field.getChildren().stream().anyMatch(ColumnIds::hasDictionary);
    }

    private static List<Field> zipped(List<Field> fields, List<LanceField> stored) {
        if (fields.size() != stored.size()) {
            // The elements of a vector are no field of their own.
            return fields;
        }
        List<Field> marked = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            Field field = fields.get(i);
            List<Field> children = zipped(field.getChildren(), stored.get(i).getChildren());
            marked.add(marked(field, stored.get(i).getId(), children));
        }
        return marked;
    }

    static int id(Field field) {
        String id = field.getMetadata().get(KEY);
        return id == null ? -1 : Integer.parseInt(id);
    }

    private static Field marked(Field field, int id, List<Field> children) {
        Map<String, String> metadata = new HashMap<>(field.getMetadata());
        metadata.put(KEY, String.valueOf(id));
        return new Field(
                field.getName(),
                new FieldType(field.isNullable(), field.getType(), field.getDictionary(), metadata),
                children);
    }

    /** The field and those inside it, without ids. */
    static Field without(Field field) {
        Map<String, String> metadata = new HashMap<>(field.getMetadata());
        metadata.remove(KEY);
        return new Field(
                field.getName(),
                new FieldType(field.isNullable(), field.getType(), field.getDictionary(), metadata),
                field.getChildren().stream().map(ColumnIds::without).toList());
    }

    /** The ids of all columns, each before those of the fields inside it, dictionaries or not. */
    static List<Integer> known(Dataset table) {
        List<Integer> ids = new ArrayList<>();
        table.getLanceSchema().fields().forEach(field -> add(field, ids));
        return ids;
    }

    private static void add(LanceField field, List<Integer> ids) {
        ids.add(field.getId());
        field.getChildren().forEach(child -> add(child, ids));
    }

    /** A number that no column of the table ever had, as far as its files tell. */
    static int next(Dataset table) {
        int most = known(table).stream().reduce(-1, Math::max);
        for (Fragment fragment : table.getFragments()) {
            for (DataFile file : fragment.metadata().getFiles()) {
                for (int id : file.getFields()) {
                    most = Math.max(most, id);
                }
            }
        }
        return most + 1;
    }

    /** Gives new numbers to fields, each before those inside it: the order in which a file numbers its columns. */
    static final class Numbering {
        private int next;

        Numbering(int first) {
            this.next = first;
        }

        int next() {
            return next;
        }

        Field number(Field field) {
            int id = next++;
            boolean vector = field.getType() instanceof ArrowType.FixedSizeList;
            List<Field> children = vector
                    ? field.getChildren()
                    : field.getChildren().stream().map(this::number).toList();
            return marked(field, id, children);
        }
    }
}
