package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers over one store are one catalog: what one has answered, the other knows. */
class TwoServersTest {
    private static final int ROUNDS = 10;

    @TempDir
    static Path folder;

    private static RunningServer one;
    private static RunningServer two;

    @BeforeAll
    static void start() {
        one = RunningServer.on(folder, Map.of());
        two = RunningServer.on(folder, Map.of());
        one.makeNamespace("acme", "lake-one", "sales");
        one.post("/v1/warehouses", "{\"id\":\"lake-two\",\"project\":\"acme\"}").ok();
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
    }

    /** Lets each of the two be the one that writes, in turn. */
    private static void inTurn(BiConsumer<RunningServer, RunningServer> round) {
        for (int i = 0; i < ROUNDS; i++) {
            round.accept(i % 2 == 0 ? one : two, i % 2 == 0 ? two : one);
        }
    }

    private static String count(RunningServer server, String table) {
        return server.post(table + "/count_rows").ok().text();
    }

    @Test
    void aDeactivationIsSeenAtOnce() {
        one.makeNamespace("acme", "lake-switched", "switched");
        String table = "/v1/table/" + id("switched", "t");
        one.arrow(table + "/create", Rows.THREE).ok();
        inTurn((writer, reader) -> {
            assertThat(count(reader, table)).isEqualTo("3");
            writer.post("/v1/warehouses/lake-switched/deactivate").ok();
            refused(reader.post(table + "/count_rows"), 403, 15);
            refused(reader.post(table + "/describe"), 403, 15);
            refused(reader.arrow(table + "/insert", Rows.THREE), 403, 15);
            refused(reader.post("/v1/namespace/switched/describe"), 403, 15);
            writer.post("/v1/warehouses/lake-switched/activate").ok();
        });
        assertThat(count(one, table)).isEqualTo("3");
    }

    @Test
    void aTableIsSeenAtOnceAndSoIsItsDrop() {
        String table = "/v1/table/" + id("sales", "seen");
        inTurn((writer, reader) -> {
            writer.arrow(table + "/create", Rows.THREE).ok();
            assertThat(count(reader, table)).isEqualTo("3");
            assertThat(reader.get("/v1/namespace/sales/table/list").ok().text()).contains("\"seen\"");
            refused(reader.arrow(table + "/create", Rows.THREE), 409, 5);
            writer.post(table + "/drop").ok();
            refused(reader.post(table + "/describe"), 404, 4);
            refused(reader.arrow(table + "/insert", Rows.THREE), 404, 4);
            refused(reader.post(table + "/drop"), 404, 4);
            assertThat(reader.get("/v1/namespace/sales/table/list").ok().text()).doesNotContain("\"seen\"");
        });
    }

    @Test
    void rowsAreSeenAtOnce() {
        String table = "/v1/table/" + id("sales", "rows");
        one.arrow(table + "/create", ArrowStreams.longs("id")).ok();
        inTurn((writer, reader) -> {
            writer.arrow(table + "/insert?mode=overwrite", Rows.THREE).ok();
            assertThat(count(reader, table)).isEqualTo("3");
            writer.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
            assertThat(count(reader, table)).isEqualTo("4");
            writer.post(table + "/delete", "{\"predicate\":\"id = 1\"}").ok();
            assertThat(count(reader, table)).isEqualTo("3");
            writer.post(table + "/update", "{\"updates\":[[\"id\",\"7\"]]}").ok();
            assertThat(reader.post(table + "/count_rows", "{\"predicate\":\"id = 7\"}")
                            .ok()
                            .text())
                    .isEqualTo("3");
            assertThat(reader.post(table + "/describe").ok().json())
                    .isEqualTo(writer.post(table + "/describe").ok().json());
        });
    }

    @Test
    void aTableMadeAnewUnderTheSameNameIsTheNewOne() {
        String table = "/v1/table/" + id("sales", "anew");
        inTurn((writer, reader) -> {
            writer.arrow(table + "/create", Rows.THREE).ok();
            assertThat(count(reader, table)).isEqualTo("3");
            writer.post(table + "/drop").ok();
            writer.arrow(table + "/create", ArrowStreams.longs("key", 1)).ok();
            assertThat(count(reader, table)).isEqualTo("1");
            assertThat(reader.post(table + "/describe")
                            .ok()
                            .json()
                            .at("/schema/fields/0/name")
                            .asString())
                    .isEqualTo("key");
            reader.post(table + "/drop").ok();
        });
    }

    @Test
    void propertiesAreSeenAtOnce() {
        String namespace = "/v1/namespace/" + id("sales", "props");
        String table = "/v1/table/" + id("sales", "props-t");
        one.arrow(table + "/create", Rows.THREE).ok();
        int[] round = {0};
        inTurn((writer, reader) -> {
            String value = String.valueOf(round[0]++);
            String json = "{\"round\":\"" + value + "\"}";
            writer.post(namespace + "/create", "{\"mode\":\"overwrite\",\"properties\":" + json + "}")
                    .ok();
            writer.arrow(table + "/create?mode=overwrite&properties=" + id(json), Rows.THREE)
                    .ok();
            for (String path : List.of(namespace, table)) {
                assertThat(reader.post(path + "/describe")
                                .ok()
                                .json()
                                .at("/properties/round")
                                .asString())
                        .isEqualTo(value);
            }
        });
    }

    @Test
    void aNameBoundToAnotherWarehouseIsFoundThere() {
        String table = "/v1/table/" + id("moving", "t");
        inTurn((writer, reader) -> {
            for (String warehouse : List.of("lake-one", "lake-two")) {
                writer.post("/v1/warehouses/" + warehouse + "/namespaces", "{\"namespace\":\"moving\"}")
                        .ok();
                writer.arrow(table + "/create", Rows.THREE).ok();
                assertThat(reader.post(table + "/describe")
                                .ok()
                                .json()
                                .path("location")
                                .asString())
                        .contains("/" + warehouse + "/");
                writer.post("/v1/namespace/moving/drop", "{\"behavior\":\"cascade\"}")
                        .ok();
                refused(reader.post(table + "/describe"), 404, 4);
                refused(reader.post("/v1/namespace/moving/exists"), 404, 1);
            }
        });
    }

    @Test
    void containersAreSeenAtOnceAndSoIsTheirEnd() {
        inTurn((writer, reader) -> {
            writer.post("/v1/projects", "{\"id\":\"brief\"}").ok();
            reader.post("/v1/warehouses", "{\"id\":\"brief-lake\",\"project\":\"brief\"}")
                    .ok();
            refused(writer.delete("/v1/projects/brief"), 409, 3);
            writer.post("/v1/warehouses/brief-lake/namespaces", "{\"namespace\":\"brief-space\"}")
                    .ok();
            refused(reader.delete("/v1/warehouses/brief-lake"), 409, 3);
            reader.post("/v1/namespace/brief-space/drop").ok();
            writer.delete("/v1/warehouses/brief-lake").ok();
            refused(reader.post("/v1/warehouses/brief-lake/namespaces", "{\"namespace\":\"x\"}"), 404, 4);
            reader.delete("/v1/projects/brief").ok();
            refused(writer.get("/v1/projects/brief"), 404, 4);
            refused(writer.post("/v1/warehouses", "{\"id\":\"brief-lake\",\"project\":\"brief\"}"), 404, 4);
        });
    }
}
