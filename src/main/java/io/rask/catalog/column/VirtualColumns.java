package io.rask.catalog.column;

import io.rask.catalog.lance.ColumnChange;
import io.rask.catalog.lance.NewColumn;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.wire.Properties;
import io.rask.catalog.wire.VirtualColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Columns that a function outside the catalog fills. Their definition is kept as it was sent; the catalog never runs it, and refuses
 * what would need it to.
 */
@Component
final class VirtualColumns {
    private final JsonMapper json;

    VirtualColumns(JsonMapper json) {
        this.json = json;
    }

    /** @throws CatalogException code 13 for an incomplete definition, 0 when the function would have to run */
    NewColumn column(String name, VirtualColumn definition) {
        refuseToRun(definition);
        Entries.text("virtual_column.image", definition.image());
        Entries.text("virtual_column.udf", definition.udf());
        Entries.text("virtual_column.udf_name", definition.udfName());
        Entries.text("virtual_column.udf_version", definition.udfVersion());
        return new NewColumn.Virtual(
                inputs(definition.inputColumns()), outputs(name, definition), json.writeValueAsString(definition));
    }

    private static List<String> inputs(@Nullable List<@Nullable String> paths) {
        return Entries.required("virtual_column.input_columns", paths).stream()
                .map(path -> Entries.path("virtual_column.input_columns", path))
                .toList();
    }

    private static List<NewColumn.Output> outputs(String name, VirtualColumn definition) {
        Map<String, String> common = Properties.present(definition.fieldMetadata());
        if (definition.outputs() == null || definition.outputs().isEmpty()) {
            if (definition.dataType() == null) {
                throw CatalogException.invalid("The virtual column '" + name + "' lists no outputs.");
            }
            return List.of(new NewColumn.Output(name, definition.dataType(), common));
        }
        List<NewColumn.Output> outputs = new ArrayList<>();
        for (VirtualColumn.Output output : Entries.required("virtual_column.outputs", definition.outputs())) {
            String column = Entries.text("virtual_column.outputs.column", output.column());
            if (Boolean.FALSE.equals(output.nullable())) {
                throw CatalogException.invalid(
                        "Column '" + column + "' holds nulls until its function has run, so it must be nullable.");
            }
            Map<String, String> metadata = new java.util.HashMap<>(common);
            metadata.putAll(Properties.present(output.metadata()));
            outputs.add(new NewColumn.Output(column, output.dataType(), metadata));
        }
        return outputs;
    }

    /** @throws CatalogException code 0 when the function would have to run */
    ColumnChange.Virtual change(VirtualColumn definition) {
        refuseToRun(definition);
        return new ColumnChange.Virtual(
                definition.inputColumns() == null ? null : inputs(definition.inputColumns()),
                stored -> merged(stored, definition));
    }

    private String merged(String stored, VirtualColumn definition) {
        JsonNode before = json.readTree(stored);
        ObjectNode merged = before instanceof ObjectNode object ? object : json.createObjectNode();
        json.valueToTree(definition).properties().forEach(entry -> merged.set(entry.getKey(), entry.getValue()));
        return json.writeValueAsString(merged);
    }

    private static void refuseToRun(VirtualColumn definition) {
        if (Boolean.TRUE.equals(definition.autoBackfill())) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED,
                    "The catalog does not run functions of its users, so a virtual column cannot be filled by it; leave"
                            + " auto_backfill out and write the values.");
        }
    }
}
