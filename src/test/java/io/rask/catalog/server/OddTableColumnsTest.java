package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.ForeignTables;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Columns of tables that other tools made, in ways this server does not. */
@ExtendWith(SharedCatalog.Provider.class)
class OddTableColumnsTest {
    private final SharedCatalog catalog;
    private final RunningServer server;

    OddTableColumnsTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
    }

    private String registered(SharedCatalog.Home home) {
        server.post(home.table("t") + "/register", "{\"location\":\"foreign\"}").ok();
        return home.table("t");
    }

    @Test
    void aTableWithDictionariesIsLeftAlone() throws Exception {
        SharedCatalog.Home home = catalog.freshNamespace();
        ForeignTables.withDictionary(catalog.root(home.warehouse()).resolve("foreign"));
        String table = registered(home);
        refused(
                server.post(table + "/add_columns", "{\"new_columns\":[{\"name\":\"x\",\"expression\":\"1\"}]}"),
                501,
                0);
        refused(
                server.post(
                        table + "/update_field_metadata",
                        "{\"updates\":[{\"path\":\"d\",\"metadata\":{\"a\":\"b\"}}]}"),
                501,
                0);
        for (String update : List.of("[\"d\",\"'b'\"]", "[\"id\",\"2\"]")) {
            refused(server.post(table + "/update", "{\"updates\":[" + update + "]}"), 501, 0);
            refused(server.post(table + "/update", "{\"predicate\":\"id = 1\",\"updates\":[" + update + "]}"), 501, 0);
        }
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("1");
    }

    @Test
    void theColumnsOfATableWithOldVersionNamesAreLeftAlone() throws Exception {
        SharedCatalog.Home home = catalog.freshNamespace();
        ForeignTables.withOldNames(
                ArrowStreams.longs("id", 1, 2), catalog.root(home.warehouse()).resolve("foreign"));
        String table = registered(home);
        refused(
                server.post(table + "/add_columns", "{\"new_columns\":[{\"name\":\"x\",\"expression\":\"id\"}]}"),
                501,
                0);
        refused(
                server.post(table + "/alter_columns", "{\"alterations\":[{\"path\":\"id\",\"rename\":\"x\"}]}"),
                501,
                0);
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("2");
    }

    @Test
    void theValuesOfADictionaryAreTextsWithRowsAndWithoutAny() throws Exception {
        SharedCatalog.Home home = catalog.freshNamespace();
        ForeignTables.withDictionary(catalog.root(home.warehouse()).resolve("foreign"));
        String table = registered(home);
        for (String columns : List.of("[\"d\"]", "{\"d\":\"d\"}", "{\"loud\":\"upper(d)\",\"both\":\"d || d\"}")) {
            Schema some = schema(table, columns, "d IS NOT NULL", 1);
            assertThat(some.getFields())
                    .as(columns)
                    .allSatisfy(column -> assertThat(column.getType()).isInstanceOf(ArrowType.Utf8.class));
            assertThat(schema(table, columns, "d IS NULL", 0)).as(columns).isEqualTo(some);
        }
    }

    private Schema schema(String table, String columns, String filter, int rows) throws IOException {
        byte[] answer = server.post(
                        table + "/query",
                        "{\"k\":9,\"vector\":[],\"columns\":" + columns + ",\"filter\":\"" + filter + "\"}")
                .ok()
                .bytes();
        assertThat(ArrowStreams.read(answer)).hasSize(rows);
        try (BufferAllocator allocator = new RootAllocator();
                ArrowFileReader reader =
                        new ArrowFileReader(new ByteArrayReadableSeekableByteChannel(answer), allocator)) {
            return reader.getVectorSchemaRoot().getSchema();
        }
    }

    @Test
    void fragmentsThatLostARowOrAllKeepTheirPlaces() {
        String table = catalog.freshTable();
        server.arrow(table + "/create", ArrowStreams.longs("id", 1, 2, 3)).ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 11)).ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 21, 22)).ok();
        server.post(table + "/delete", "{\"predicate\":\"id in (3, 11, 21)\"}").ok();
        server.post(table + "/alter_columns", "{\"alterations\":[{\"path\":\"id\",\"data_type\":{\"type\":\"utf8\"}}]}")
                .ok();
        server.post(table + "/add_columns", "{\"new_columns\":[{\"name\":\"x\",\"expression\":\"id\"}]}")
                .ok();
        assertThat(ArrowStreams.read(server.post(table + "/query", "{\"k\":10,\"vector\":[],\"filter\":\"x = id\"}")
                        .ok()
                        .bytes()))
                .extracting(row -> row.get("id"))
                .containsExactly("1", "2", "22");
    }
}
