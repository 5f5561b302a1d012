package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.lance.Dataset;
import org.lance.WriteParams;

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
        String place = catalog.root(home.warehouse()).resolve("foreign").toString();
        try (BufferAllocator allocator = new RootAllocator();
                VarCharVector words = new VarCharVector("d", allocator);
                VarCharVector values = new VarCharVector("d", allocator)) {
            words.setSafe(0, new byte[] {'a'});
            words.setValueCount(1);
            values.setSafe(0, new byte[] {'a'});
            values.setValueCount(1);
            Dictionary dictionary = new Dictionary(words, new DictionaryEncoding(1, false, new ArrowType.Int(8, true)));
            MapDictionaryProvider provider = new MapDictionaryProvider(dictionary);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (FieldVector encoded = (FieldVector) DictionaryEncoder.encode(values, dictionary);
                    VectorSchemaRoot root = new VectorSchemaRoot(List.of(encoded));
                    ArrowStreamWriter writer = new ArrowStreamWriter(root, provider, bytes)) {
                root.setRowCount(1);
                writer.start();
                writer.writeBatch();
                writer.end();
            }
            try (ArrowStreamReader reader =
                            new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator);
                    ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
                Data.exportArrayStream(allocator, reader, stream);
                Dataset.write().allocator(allocator).uri(place).stream(stream)
                        .mode(WriteParams.WriteMode.CREATE)
                        .execute()
                        .close();
            }
        }
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
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("1");
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
