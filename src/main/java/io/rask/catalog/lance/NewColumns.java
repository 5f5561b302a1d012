package io.rask.catalog.lance;

import io.rask.catalog.lance.ColumnFiles.Computed;
import io.rask.catalog.lance.arrow.TypeRules;
import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;

/** What columns that are to be added come to, given the table as it is: those with values, and those that begin with nulls. */
final class NewColumns {
    private static final int MOST = 1_000;
    private static final int MOST_DEFINITION = 1 << 18;

    private final Dataset table;
    private final ColumnFiles files;
    private final Set<String> names;
    private final List<Computed> computed = new ArrayList<>();
    private final List<Field> empty = new ArrayList<>();

    private NewColumns(Dataset table, ColumnFiles files) {
        this.table = table;
        this.files = files;
        this.names = FieldPath.names(table.getSchema().getFields());
    }

    /**
     * @throws CatalogException code 13 for a name or an expression, 12 when an expression names a column that is not there, 20 for
     *     a type that cannot be stored
     */
    static NewColumns of(Dataset table, List<NewColumn> columns, ColumnFiles files) throws Exception {
        if (columns.isEmpty() || columns.size() > MOST) {
            throw CatalogException.invalid("Between 1 and " + MOST + " columns can be added at a time.");
        }
        NewColumns plan = new NewColumns(table, files);
        for (NewColumn column : columns) {
            switch (column) {
                case NewColumn.Expression expression ->
                    plan.computed.add(new Computed(
                            plan.typed(expression.name(), expression.sql(), Map.of()), plan.sql(expression.sql())));
                case NewColumn.Computed declared -> plan.declare(declared);
                case NewColumn.Virtual virtual -> plan.declare(virtual);
            }
        }
        plan.requireNewNames();
        return plan;
    }

    /** The columns with values. */
    List<Computed> computed() {
        return computed;
    }

    /** All columns, in the order of the ids they get. */
    List<Field> fields() {
        List<Field> fields = new ArrayList<>();
        computed.forEach(column -> fields.add(column.target()));
        fields.addAll(empty);
        return fields;
    }

    private String sql(String expression) {
        return SqlText.of(expression).forSelect(names);
    }

    private Field typed(String name, String expression, Map<String, String> metadata) throws Exception {
        Field found = files.type(table, name, sql(expression));
        return TypeRules.storable(
                new Field(name, new FieldType(true, found.getType(), null, metadata), found.getChildren()));
    }

    private void declare(NewColumn.Computed column) throws Exception {
        SqlText text = SqlText.of(column.sql());
        List<String> inputs = table.getSchema().getFields().stream()
                .map(Field::getName)
                .filter(text::names)
                .map(name -> new FieldPath(List.of(name)).canonical())
                .toList();
        empty.add(
                typed(column.name(), column.sql(), ColumnBindings.of(ColumnBindings.EXPRESSION, column.sql(), inputs)));
    }

    private void declare(NewColumn.Virtual column) {
        if (column.definition().length() > MOST_DEFINITION) {
            throw CatalogException.invalid(
                    "The definition of a virtual column is longer than " + MOST_DEFINITION + " characters.");
        }
        for (NewColumn.Output output : column.outputs()) {
            TableMetadata.check(output.metadata());
            Map<String, String> metadata = new HashMap<>(output.metadata());
            metadata.putAll(ColumnBindings.of(
                    ColumnBindings.FUNCTION, column.definition(), resolved(table.getSchema(), column.inputs())));
            Field field = TypeTree.field(output.name(), true, output.type());
            empty.add(new Field(
                    field.getName(), new FieldType(true, field.getType(), null, metadata), field.getChildren()));
        }
    }

    /** Paths in the form they are stored in; code 12 for one that leads nowhere. */
    static List<String> resolved(Schema schema, List<String> paths) {
        return paths.stream()
                .map(path -> {
                    FieldPath parsed = FieldPath.of(path);
                    parsed.in(schema);
                    return parsed.canonical();
                })
                .toList();
    }

    private void requireNewNames() {
        List<Field> fields = fields();
        TypeRules.checkTable(new Schema(fields));
        Set<String> taken = new HashSet<>();
        table.getSchema().getFields().forEach(field -> taken.add(field.getName()));
        for (Field field : fields) {
            if (UpdatePlan.ANCHOR.equals(field.getName()) || ColumnFiles.ORDER.equals(field.getName())) {
                throw CatalogException.invalid(
                        "Column '" + field.getName() + "' has a name that is reserved for the system.");
            }
            if (!taken.add(field.getName())) {
                throw CatalogException.invalid("The table has a column '" + field.getName() + "' already.");
            }
        }
    }
}
