package io.rask.catalog.lance.arrow;

import io.rask.catalog.problem.CatalogException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Schemas that come without rows. */
public final class SchemaText {
    private static final String ITEM = "item";

    private SchemaText() {}

    /**
     * Reads the columns of a table.
     *
     * @param text the schema as an Arrow IPC message, in Base64
     * @throws CatalogException code 13 when it is none, 20 when a column cannot be stored
     */
    public static Schema read(String text, BufferAllocator allocator, IpcLimits limits) throws IOException {
        byte[] message;
        try {
            message = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw CatalogException.invalid("The schema is no Base64.");
        }
        try (IpcReader stream = IpcReader.open(new ByteArrayInputStream(message), allocator, limits);
                FittedReader table = FittedReader.asTable(stream, key -> true, allocator, limits)) {
            return new Schema(table.schema().getFields());
        }
    }

    /**
     * The columns of a table for rows of a query.
     *
     * @throws CatalogException code 13 for a name that no column can have, 20 for a type that cannot be stored
     */
    public static Schema table(Schema rows) {
        TypeRules.checkStream(rows);
        List<Field> fields = rows.getFields().stream()
                .map(SchemaText::named)
                .map(TypeRules::storable)
                .toList();
        Schema table = new Schema(fields);
        TypeRules.checkTable(table);
        return table;
    }

    /** The engine calls the elements of lists and vectors as it likes, or nothing at all. */
    private static Field named(Field field) {
        boolean list = field.getType() instanceof ArrowType.List || field.getType() instanceof ArrowType.FixedSizeList;
        List<Field> children = field.getChildren().stream()
                .map(SchemaText::named)
                .map(child -> list ? new Field(ITEM, child.getFieldType(), child.getChildren()) : child)
                .toList();
        return new Field(field.getName(), field.getFieldType(), children);
    }
}
