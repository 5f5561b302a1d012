package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Queries that want to reach what is not theirs, or more than there is. The worker outlives them all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileViewTest {
    private static final Field X = Field.nullable("x", ArrowStreams.UTF8);

    private RunningServer server;
    private ViewedTables tables;
    private Path folder;
    private Path secret;

    @BeforeAll
    void start(@TempDir Path place) throws IOException {
        folder = place;
        secret = Files.writeString(folder.resolve("secret.csv"), "a,b\n1,2\n");
        server = RunningServer.on(
                folder,
                Map.of(
                        "lance.jobs.view-memory", "128MB",
                        "lance.jobs.view-spill", "0B",
                        "lance.jobs.view-timeout", "4s"));
        server.makeNamespace("acme", "lake-one", "sales");
        tables = new ViewedTables(server, "sales");
        tables.orders("orders", 1, "tea", 3.5, 2, "jam", 2.0);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM read_csv('FILE')",
                "SELECT a FROM read_csv_auto('FILE'), orders",
                "SELECT content FROM read_text('FILE'), orders",
                "SELECT content FROM read_blob('FILE')",
                "SELECT * FROM glob('/*')",
                "SELECT * FROM sniff_csv('FILE')",
                "SELECT * FROM parquet_scan('FILE')",
                "SELECT * FROM query('SELECT 1')",
                "SELECT * FROM query_table('orders')",
                "SELECT * FROM json_execute_serialized_sql('{}')",
                "SELECT * FROM arrow_scan_dumb(1, 2, 3)",
                "SELECT * FROM duckdb_settings()",
                "SELECT * FROM orders, pragma_version()",
                "SELECT * FROM orders WHERE id IN (SELECT count(*) FROM duckdb_secrets())",
                "SELECT getenv('PATH') AS x FROM orders",
                "SELECT current_setting('memory_limit') AS x FROM orders",
                "SELECT item AS x FROM orders WHERE main.current_setting('temp_directory') <> ''",
                "SELECT version() AS x FROM orders",
                "SELECT now()::VARCHAR AS x FROM orders",
                "SELECT random()::VARCHAR AS x FROM orders",
                "SELECT current_user AS x FROM orders",
                "SELECT json_serialize_sql('SELECT 1') AS x FROM orders",
                "SELECT write_log('x') AS x FROM orders",
                "SELECT repeat('abcdefgh', 100000000) AS x FROM orders",
                "SELECT lpad('a', 1000000000, 'b') AS x FROM orders",
                "SELECT pg_get_viewdef(1) AS x FROM orders",
                "SELECT item AS x FROM orders; SELECT 1",
                "SELECT item AS x FROM orders; DROP TABLE orders",
                "ATTACH 'FILE' AS other",
                "COPY orders TO 'FILE'",
                "COPY (SELECT 1) TO 'FILE'",
                "CREATE TABLE other (x INT)",
                "CREATE TABLE other AS SELECT item FROM orders",
                "INSERT INTO orders VALUES (1)",
                "DELETE FROM orders",
                "PRAGMA database_list",
                "SET memory_limit = '100GB'",
                "RESET lock_configuration",
                "INSTALL httpfs",
                "LOAD httpfs",
                "CALL pragma_version()",
                "EXPLAIN SELECT item FROM orders",
                "DESCRIBE orders",
                "SHOW TABLES",
                "SUMMARIZE orders",
                "EXPORT DATABASE 'FILE'",
                "VACUUM",
                "CHECKPOINT",
                "USE sales",
                "PREPARE p AS SELECT 1",
                "BEGIN",
                "SELECT ? AS x FROM orders",
                "SELECT $1 AS x FROM orders",
                "SELECT item AS x FROM orders USING SAMPLE 10%",
                "SELECT item AS x FROM orders TABLESAMPLE 1 ROWS",
                "SELECT item AS x FROM orders AT (VERSION => 1)",
                "PIVOT orders ON item USING sum(price)",
                "SELECT 'a' AS x",
                "VALUES ('a')",
                "SELECT item AS x FROM orders, (DESCRIBE orders)",
                "",
                "--",
                "SELECT",
            })
    void aQueryThatWantsAnythingButTablesIsRefused(String sql) {
        Answer answer = tables.create("v", sql.replace("FILE", secret.toString()), true, X);
        refused(answer, 400, 13);
        assertThat(answer.text()).doesNotContain(folder.toString()).doesNotContain("t0 AS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT item AS x FROM 'FILE'",
                "SELECT item AS x FROM \"FILE\"",
                "SELECT item AS x FROM duckdb_settings",
                "SELECT item AS x FROM information_schema.tables",
                "SELECT item AS x FROM pg_catalog.pg_tables",
                "SELECT item AS x FROM sqlite_master",
                "SELECT item AS x FROM temp.t0",
                "SELECT item AS x FROM t0",
                "SELECT item AS x FROM c0",
                "WITH duckdb_views AS (SELECT * FROM duckdb_views) SELECT view_name AS x FROM duckdb_views",
                "WITH a AS (SELECT item AS x FROM orders), b AS (SELECT * FROM later), later AS (SELECT 1) SELECT x FROM a, b",
            })
    void aNameOfTheEnginesOwnIsATableThatIsNotThere(String sql) {
        assertThat(tables.create("v", sql.replace("FILE", secret.toString()), true, X)
                        .code())
                .isIn(4, 13, 1);
    }

    @Test
    void aQueryWithoutEndIsBoundedInTimeAndSpaceAndTheWorkerGoesOn() {
        for (String sql : new String[] {
            "SELECT sum(a.x * b.y) AS x FROM orders, range(100000000000) a(x), range(1000000000) b(y)",
            "WITH RECURSIVE r AS (SELECT id AS n FROM orders UNION ALL SELECT n + 1 FROM r) SELECT count(*) AS x FROM r",
            "SELECT list(a.x) AS x FROM orders, range(1000000000) a(x)",
            "SELECT id, list_sum(range(1000000000)) AS x FROM orders",
            "SELECT DISTINCT a.x AS x FROM orders, range(10000000000) a(x)",
            "SELECT a.x::VARCHAR || b.y::VARCHAR AS x FROM orders, range(100000000) a(x), range(100000000) b(y) ORDER BY x",
        }) {
            JsonNode ended = tables.ended(tables.begin("endless", sql));
            assertThat(ended.path("attempts").asInt()).as(sql + ended).isEqualTo(1);
            assertThat(ended.at("/failure/code").asInt()).as(sql + ended).isEqualTo(13);
            assertThat(ended.at("/failure/message").asString())
                    .containsAnyOf("view-timeout", "view-memory", "query fails");
        }
        assertThat(server.post(tables.view("endless") + "/describe").status()).isEqualTo(404);
        tables.made("after", "SELECT id FROM orders");
        assertThat(tables.values("after", "id")).containsExactly(1L, 2L);
    }

    @Test
    void aQueryThatIsNestedDeepIsRefusedAndTheWorkerGoesOn() {
        for (String sql : new String[] {
            "SELECT " + "(".repeat(10_000) + "id" + ")".repeat(10_000) + " AS x FROM orders",
            "SELECT " + "- ".repeat(10_000) + "id AS x FROM orders",
            "SELECT id" + " + 1".repeat(8_000) + " AS x FROM orders",
            "SELECT id AS x FROM orders WHERE " + "NOT ".repeat(5_000) + "true",
            // Not too deep for the engine itself, but for one or the other bound of ours.
            "SELECT id AS x FROM orders WHERE " + "NOT ".repeat(900) + "true",
            "SELECT id AS x FROM orders WHERE " + "NOT ".repeat(600) + "true",
            "SELECT id AS x FROM orders WHERE " + "NOT ".repeat(450) + "true",
            "SELECT " + "- ".repeat(700) + "id AS x FROM orders",
            "SELECT id AS x FROM " + "(SELECT * FROM ".repeat(1_500) + "orders" + ")".repeat(1_500),
            "SELECT " + "[".repeat(5_000) + "id" + "]".repeat(5_000) + " AS x FROM orders",
            "SELECT id AS x FROM orders" + " UNION ALL SELECT id FROM orders".repeat(800),
        }) {
            JsonNode ended = tables.ended(tables.begin("deep", sql));
            assertThat(ended.path("attempts").asInt())
                    .as(ended.path("failure").toString())
                    .isEqualTo(1);
            assertThat(ended.at("/failure/code").asInt())
                    .as(ended.path("failure").toString())
                    .isEqualTo(13);
        }
        tables.made("shallow", "SELECT id FROM orders");
        assertThat(tables.values("shallow", "id")).containsExactly(1L, 2L);
    }
}
