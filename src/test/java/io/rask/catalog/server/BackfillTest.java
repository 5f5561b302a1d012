package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Computed columns get their values. */
@ExtendWith(SharedCatalog.Provider.class)
class BackfillTest {
    private static final String TWICE = "{\"column\":\"twice\"}";

    private final SharedCatalog catalog;
    private final RunningServer server;
    private final Backfilled table;

    BackfillTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.table = Backfilled.made(
                server, catalog.freshTable(), new long[] {1, 2, 3}, new long[] {4, 5}, new long[] {6, 7, 8});
    }

    private void assertResult(JsonNode result, long assigned, long remaining) {
        assertThat(result.path("rows_assigned").longValue())
                .as(result.toString())
                .isEqualTo(assigned);
        assertThat(result.path("rows_failed").longValue()).isZero();
        assertThat(result.path("rows_remaining").longValue()).isEqualTo(remaining);
    }

    @Test
    void everyRowOfAComputedColumnGetsItsValueInOneVersion() {
        server.post(table.address() + "/delete", "{\"predicate\":\"id = 2 or id = 5\"}")
                .ok();
        table.insert(9).ok();
        long before = table.version();

        JsonNode result = table.fill(TWICE);

        assertResult(result, 7, 0);
        assertThat(result.path("source_version").longValue()).isEqualTo(before);
        assertThat(result.path("published_version").longValue())
                .isEqualTo(before + 1)
                .isEqualTo(table.version());
        assertThat(table.count("twice = id * 2")).isEqualTo(7);
        assertThat(table.count("n = id")).isEqualTo(7);
        JsonNode schema = server.post(table.address() + "/describe?load_detailed_metadata=true")
                .ok()
                .json()
                .path("schema");
        assertThat(schema.at("/fields/2/metadata/rask:computed").asString()).isEqualTo("id * 2");
        String transaction = table.address().replace("/v1/table/", "/v1/transaction/") + "%24"
                + result.path("transaction_id").asString();
        assertThat(server.post(transaction + "/describe", "{}")
                        .ok()
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("Succeeded");
    }

    @Test
    void rowsThatMatchNoConditionKeepWhatTheyHave() {
        table.fill(TWICE);
        server.post(table.address() + "/update", "{\"predicate\":\"id < 3\",\"updates\":[[\"twice\",\"100\"]]}")
                .ok();
        table.insert(9, 10).ok();

        assertResult(table.fill("{\"column\":\"twice\",\"where\":\"twice IS NULL\"}"), 2, 0);

        assertThat(table.count("twice = 100 and id < 3")).isEqualTo(2);
        assertThat(table.count("twice = id * 2")).isEqualTo(8);
        long before = table.version();
        JsonNode nothing = table.fill("{\"column\":\"twice\",\"where\":\"id > 1000\"}");
        assertResult(nothing, 0, 0);
        assertThat(nothing.has("published_version")).isFalse();
        assertThat(table.version()).isEqualTo(before);
        assertResult(table.fill(TWICE), 10, 0);
        assertThat(table.count("twice = id * 2")).isEqualTo(10);
    }

    @Test
    void aConditionKeepsTheExpressionFromRowsItWouldFailOn() {
        server.post(
                        table.address() + "/add_columns",
                        "{\"new_columns\":[{\"name\":\"word\",\"expression\":"
                                + "\"CASE WHEN id = 4 THEN 'four' ELSE cast(id as string) END\"}]}")
                .ok();
        table.declare("number", "cast(word as bigint)");
        long before = table.version();

        JsonNode failed = table.ended(table.ask("{\"column\":\"number\"}"));

        assertThat(failed.path("job_state").asString()).isEqualTo("FAILED");
        assertThat(failed.at("/failure/code").asInt()).as(failed.toString()).isEqualTo(13);
        assertThat(failed.at("/failure/retryable").asBoolean()).isFalse();
        assertThat(table.version()).isEqualTo(before);
        assertResult(table.fill("{\"column\":\"number\",\"where\":\"word <> 'four'\"}"), 7, 0);
        assertThat(table.count("number = id")).isEqualTo(7);
        assertThat(table.count("number IS NULL and id = 4")).isEqualTo(1);
    }

    @Test
    void theWorkIsDoneInStepsThatLeaveNothingBehind() throws IOException {
        server.post(table.address() + "/delete", "{\"predicate\":\"id = 7\"}").ok();
        Answer asked = table.ask("{\"column\":\"twice\",\"checkpoint_size\":1,\"where\":\"id <> 4 and id <> 5\"}");
        JsonNode job = table.ended(asked);

        assertResult(job.path("result"), 5, 0);
        assertThat(table.count("twice = id * 2")).isEqualTo(5);
        List<Map<String, @Nullable Object>> steps = events(job).stream()
                .filter(event -> "progress".equals(event.get("state")))
                .toList();
        assertThat(steps).extracting(event -> event.get("rows_processed")).containsExactly(3L, 5L, 7L);
        Path location = Path.of(URI.create(server.post(table.address() + "/describe")
                .ok()
                .json()
                .path("location")
                .asString()));
        try (Stream<Path> versions = Files.list(location.resolve("_versions"))) {
            assertThat(versions.map(file -> String.valueOf(file.getFileName())))
                    .noneMatch(name -> name.startsWith("d"));
        }
        try (Stream<Path> kept = Files.walk(catalog.record("_jobs"))) {
            assertThat(kept.map(Path::toString).filter(name -> name.contains("/kept/")))
                    .noneMatch(name -> name.contains(job.path("job_id").asString()));
        }
    }

    private List<Map<String, @Nullable Object>> events(JsonNode job) {
        String body = "{\"job_id\":\"" + job.path("job_id").asString() + "\"}";
        return ArrowStreams.readStream(
                server.post("/v1/jobs/query_events", body).ok().bytes());
    }

    @Test
    void onlySoManyFragmentsOrWhatAVersionHadIsFilledAndTheRestIsTold() {
        assertResult(table.fill("{\"column\":\"twice\",\"num_frags\":2,\"task_size\":1}"), 5, 3);
        assertThat(table.count("twice = id * 2 and id < 6")).isEqualTo(5);
        assertThat(table.count("twice IS NULL")).isEqualTo(3);
        long version = table.version();
        table.insert(9).ok();

        JsonNode result =
                table.fill("{\"column\":\"twice\",\"where\":\"twice IS NULL\",\"read_version\":" + version + "}");

        assertResult(result, 3, 1);
        assertThat(table.count("twice IS NULL")).isEqualTo(1);
        refused(table.ask("{\"column\":\"twice\",\"read_version\":1000}"), 404, 11);
    }

    @Test
    void aBranchIsFilledApartFromMain() {
        server.post(table.address() + "/branches/create", "{\"name\":\"dev\"}").ok();
        server.arrow(table.address() + "/insert?branch=dev", ArrowStreams.longs("id", 20))
                .ok();

        assertResult(table.fill("{\"column\":\"twice\",\"branch\":\"dev\",\"checkpoint_size\":1}"), 9, 0);

        assertThat(table.count("twice = id * 2", "dev")).isEqualTo(9);
        assertThat(table.count("twice IS NULL")).isEqualTo(8);
        assertResult(table.fill(TWICE), 8, 0);
        assertThat(table.count("twice = id * 2")).isEqualTo(8);
    }

    @Test
    void anIndexOfTheColumnAnswersWithTheNewValues() {
        table.fill(TWICE);
        IndexedTable indexed = new IndexedTable(server, table.address());
        indexed.make("{\"column\":\"twice\",\"index_type\":\"BTREE\"}");
        indexed.make("{\"column\":\"id\",\"index_type\":\"BTREE\"}");
        server.post(table.address() + "/update", "{\"predicate\":\"id = 1\",\"updates\":[[\"id\",\"500\"]]}")
                .ok();

        assertResult(table.fill("{\"column\":\"twice\",\"where\":\"id = 500 or id = 4\"}"), 2, 0);

        assertThat(table.count("twice = 1000")).isEqualTo(1);
        assertThat(table.count("twice = 8")).isEqualTo(1);
        assertThat(table.count("twice = 2")).isZero();
        server.post(table.address() + "/update", "{\"predicate\":\"id = 2\",\"updates\":[[\"n\",\"0\"]]}")
                .ok();
        assertThat(table.count("twice = 4 and id = 2")).isEqualTo(1);
        JsonNode index = indexed.named("twice_idx");
        assertThat(index.path("num_indexed_rows").longValue()
                        + index.path("num_unindexed_rows").longValue())
                .isEqualTo(8);
    }

    @Test
    void structsListsAndRenamedColumnsAreFilledToo() {
        table.declare("pair", "named_struct('a', id, 'b', 'x')");
        table.declare("many", "[id, id + 1]");
        server.post(
                        table.address() + "/alter_columns",
                        "{\"alterations\":[{\"path\":\"twice\",\"rename\":\"Double it\"}]}")
                .ok();

        assertResult(table.fill("{\"column\":\"Double it\"}"), 8, 0);
        assertResult(table.fill("{\"column\":\"pair\"}"), 8, 0);
        assertResult(table.fill("{\"column\":\"many\",\"where\":\"id > 3\"}"), 5, 0);

        assertThat(table.count("`Double it` = id * 2")).isEqualTo(8);
        assertThat(table.count("pair.a = id and pair.b = 'x'")).isEqualTo(8);
        assertThat(table.count("many IS NULL")).isEqualTo(3);
        assertThat(table.count("array_length(many) = 2")).isEqualTo(5);
        server.post(table.address() + "/alter_columns", "{\"alterations\":[{\"path\":\"pair.b\",\"rename\":\"word\"}]}")
                .ok();
        refused(table.ask("{\"column\":\"pair\"}"), 400, 13);
    }

    @Test
    void whatCannotBeFilledIsRefusedWithItsCode() {
        server.post(table.address() + "/add_columns", """
                {"new_columns":[{"name":"seen","virtual_column":{"input_columns":["id"],"outputs":[{"column":"seen",
                "struct_field":"seen","data_type":{"type":"int64"},"nullable":true}],"image":"i","udf":"dQ==",
                "udf_name":"f","udf_version":"1"}}]}""").ok();
        refused(table.ask("{\"column\":\"nowhere\"}"), 404, 12);
        refused(table.ask("{\"column\":\"twice.x\"}"), 404, 12);
        refused(table.ask("{\"column\":\"id\"}"), 400, 13);
        refused(table.ask("{\"column\":\"twice`\"}"), 404, 12);
        refused(table.ask("{\"column\":\"`twice\"}"), 400, 13);
        Answer function = table.ask("{\"column\":\"seen\"}");
        refused(function, 501, 0);
        assertThat(function.json().path("error").asString()).contains("function");
        refused(table.ask("{\"column\":\"twice\",\"where\":\"absent = 1\"}"), 404, 12);
        refused(table.ask("{\"column\":\"twice\",\"where\":\"id +\"}"), 400, 13);
        refused(table.ask("{\"column\":\"twice\",\"where\":\" \"}"), 400, 13);
        refused(table.ask("{\"column\":\"twice\",\"where\":\"id\"}"), 400, 13);
        refused(table.ask("{\"column\":\"twice\",\"where\":\"id = 1; drop table x\"}"), 400, 13);
        refused(table.ask("{\"column\":\"twice\",\"branch\":\"nowhere\"}"), 404, 22);
        refused(server.post(catalog.freshTable() + "/backfill_column", TWICE), 404, 4);
        String declared = catalog.freshTable();
        server.post(declared + "/declare", "{}").ok();
        refused(server.post(declared + "/backfill_column", TWICE), 409, 19);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"concurrency\":0",
                "\"concurrency\":1025",
                "\"intra_applier_concurrency\":-1",
                "\"min_checkpoint_size\":0",
                "\"max_checkpoint_size\":100000001",
                "\"min_checkpoint_size\":10,\"max_checkpoint_size\":9",
                "\"batch_checkpoint_flush_interval_seconds\":0",
                "\"batch_checkpoint_flush_interval_seconds\":1e300",
                "\"read_version\":0",
                "\"task_size\":9223372036854775807",
                "\"num_frags\":0",
                "\"checkpoint_size\":-5",
                "\"commit_granularity\":0",
                "\"cluster\":\"big\"",
                "\"manifest\":\"one\"",
                "\"column\":\"\"",
                "\"where\":7"
            })
    void anOptionThatMakesNoSenseIsRefusedByName(String option) {
        String body = option.contains("\"column\"") ? "{" + option + "}" : "{\"column\":\"twice\"," + option + "}";
        Answer answer = table.ask(body);
        refused(answer, 400, 13);
        String field = option.substring(1, option.indexOf('"', 1));
        assertThat(answer.text()).contains(field);
    }

    @Test
    void optionsWithinTheirBoundsAreTaken() {
        assertResult(table.fill("""
                {"column":"twice","where":null,"concurrency":4,"intra_applier_concurrency":1,"min_checkpoint_size":1,
                "max_checkpoint_size":100,"batch_checkpoint_flush_interval_seconds":0.5,"task_size":10,"num_frags":100,
                "checkpoint_size":2,"commit_granularity":1,"cluster":null,"manifest":""}"""), 8, 0);
        assertThat(table.count("twice = id * 2")).isEqualTo(8);
    }
}
