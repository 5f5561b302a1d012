package io.rask.catalog.server;

import static io.rask.catalog.testing.ArrowStreams.DOUBLE;
import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.UTF8;
import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.ArrowStreams.vector;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A table of four rows in a database of its own, asked as LanceDB's clients ask. */
record FruitTable(RunningServer database, String address) {
    static final List<Field> COLUMNS = List.of(
            Field.nullable("id", INT64),
            Field.nullable("Name", UTF8),
            Field.nullable("price", DOUBLE),
            vector("place", 2));

    static final byte[] FOUR = ArrowStreams.of(
            COLUMNS,
            List.of(
                    row(1L, "red apple", 1.5, List.of(0f, 0f)),
                    row(2L, "green apple", 2.5, List.of(1f, 0f)),
                    row(3L, "red pear", null, List.of(5f, 5f)),
                    row(4L, "yellow plum", 4.5, List.of(9f, 9f))));

    static FruitTable made(SharedCatalog catalog) {
        RunningServer database = catalog.server()
                .asking("x-lancedb-database", catalog.freshNamespace().namespace());
        String address = "/v1/table/fruits";
        database.arrow(address + "/create/?mode=create", FOUR).ok();
        return new FruitTable(database, address);
    }

    List<Map<String, @Nullable Object>> query(String body) {
        return ArrowStreams.read(database.post(address + "/query/", body).ok().bytes());
    }

    List<@Nullable Object> values(String column, String body) {
        List<@Nullable Object> values = new ArrayList<>();
        query(body).forEach(found -> values.add(found.get(column)));
        return values;
    }

    JsonNode json(String operation, String body) {
        return database.post(address + operation, body).ok().json();
    }
}
