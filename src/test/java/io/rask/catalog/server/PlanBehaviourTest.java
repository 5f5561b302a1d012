package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.UTF8;
import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.ArrowStreams.vector;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Server;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.Ref;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.InvertedIndexParams;
import org.lance.index.scalar.ScalarIndexParams;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How queries are carried out, and how large tables are. */
@ExtendWith(SharedCatalog.Provider.class)
class PlanBehaviourTest {
    private static final List<Field> COLUMNS =
            List.of(Field.nullable("id", INT64), Field.nullable("Name", UTF8), vector("place", 2));

    private final RunningServer server;
    private final SharedCatalog catalog;
    private final String table;
    private final String location;

    PlanBehaviourTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.table = catalog.freshTable();
        server.arrow(table + "/create", rows(1, 2, 3)).ok();
        this.location = URI.create(server.post(table + "/describe")
                        .ok()
                        .json()
                        .path("location")
                        .asString())
                .getPath();
    }

    private static byte[] rows(long... ids) {
        return ArrowStreams.of(
                COLUMNS,
                java.util.Arrays.stream(ids)
                        .mapToObj(i -> row(i, "hello " + i, List.of(i, i)))
                        .toList());
    }

    private void index() {
        try (Dataset dataset = Dataset.open(location)) {
            dataset.createIndex(IndexOptions.builder(
                            List.of("id"),
                            IndexType.BTREE,
                            IndexParams.builder()
                                    .setScalarIndexParams(ScalarIndexParams.create("btree"))
                                    .build())
                    .withIndexName("id_idx")
                    .build());
            dataset.createIndex(IndexOptions.builder(
                            List.of("Name"),
                            IndexType.INVERTED,
                            IndexParams.builder()
                                    .setScalarIndexParams(InvertedIndexParams.builder()
                                            .baseTokenizer("simple")
                                            .language("English")
                                            .build())
                                    .build())
                    .withIndexName("name_idx")
                    .build());
        }
    }

    private Answer explain(String query) {
        return server.post(table + "/explain_plan", "{\"query\":" + query + "}");
    }

    private String explained(String query) {
        Answer answer = explain(query).ok();
        assertThat(answer.text()).doesNotContain(location.substring(1), "/tmp", "plan-");
        return answer.json().asString();
    }

    private String analyzed(String query) {
        Answer answer = server.post(table + "/analyze_plan", query).ok();
        assertThat(answer.text()).doesNotContain(location.substring(1), "/tmp", "plan-");
        return answer.json().asString();
    }

    @Test
    void aPlanTellsWhetherAnIndexIsUsed() {
        String query = "{\"k\":10,\"vector\":[],\"filter\":\"id = 2\",\"columns\":[\"id\"]}";
        assertThat(explained(query)).contains("LanceRead", "projection=[id]").doesNotContain("ScalarIndexQuery");
        index();
        assertThat(explained(query)).contains("ScalarIndexQuery: query=[id = 2]@id_idx");
        assertThat(analyzed(query)).contains("ScalarIndexQuery").contains("output_rows=1");
    }

    @Test
    void scansAndVectorSearchesHavePlansInBothGrammars() {
        index();
        String near = "\"vector\":{\"single_vector\":[1,1]},\"vector_column\":\"place\",\"k\":2";
        Map<String, String> plans = new HashMap<>();
        plans.put("{\"k\":2,\"vector\":{\"single_vector\":[]}}", "range_before=Some(0..2)");
        plans.put("{\"k\":2,\"offset\":1,\"vector\":[]}", "range_before=Some(1..3)");
        plans.put("{\"k\":9223372036854775807,\"vector\":[],\"with_row_id\":true}", "row_id=true");
        plans.put("{" + near + "}", "KNNVectorDistance: metric=l2");
        plans.put("{" + near + ",\"distance_type\":\"cosine\",\"offset\":1}", "TopK(fetch=3)");
        plans.put("{" + near + ",\"lower_bound\":0.5}", "DistanceWindow: lower_bound=0.5");
        plans.put("{" + near + ",\"filter\":\"id > 1\",\"prefilter\":true}", "ScalarIndexQuery");
        plans.put("{\"vector\":[[1,1],[2,2]],\"vector_column\":\"place\",\"k\":2}", "Sequence: vectors=2");
        plans.put(
                "{\"vector\":[],\"k\":2,\"order_by\":[{\"column_name\":\"Name\",\"ascending\":false}]}",
                "DESC NULLS LAST");
        plans.put("{\"vector\":[],\"k\":2,\"columns\":{\"n\":\"id\"}}", "projection=[id]");
        plans.forEach((query, expected) -> {
            assertThat(explained(query)).as(query).contains(expected);
            assertThat(analyzed(query)).as(query).contains("output_rows=");
        });
    }

    @Test
    void versionsAndBranchesHavePlansOfTheirOwn() {
        server.arrow(table + "/insert", rows(4)).ok();
        try (Dataset dataset = Dataset.open(location)) {
            dataset.createBranch("dev/x", Ref.ofMain(1)).close();
        }
        assertThat(explained("{\"k\":9,\"vector\":[]}")).contains("num_fragments=2");
        assertThat(explained("{\"k\":9,\"vector\":[],\"version\":1}")).contains("num_fragments=1");
        assertThat(explained("{\"k\":9,\"vector\":[],\"branch\":\"dev/x\"}")).contains("num_fragments=1");
        assertThat(analyzed("{\"k\":9,\"vector\":[],\"branch\":\"dev/x\"}")).contains("output_rows=3");
        refused(explain("{\"k\":9,\"vector\":[],\"branch\":\"nope\"}"), 404, 22);
        refused(explain("{\"k\":9,\"vector\":[],\"version\":77}"), 404, 11);
        refused(
                server.post(table + "/explain_plan", "{\"branch\":\"nope\",\"query\":{\"k\":9,\"vector\":[]}}"),
                404,
                22);
    }

    @Test
    void theAnswerIsAJsonTextOrPlainTextForWhoAsksForExactlyThat() throws Exception {
        Answer answer = explain("{\"k\":1,\"vector\":[]}").ok();
        assertThat(answer.response().headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(answer.text()).startsWith("\"").endsWith("\"");
        HttpRequest plain = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + table + "/explain_plan"))
                .header("Accept", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("{\"query\":{\"k\":1,\"vector\":[]}}"))
                .build();
        var text = HttpClient.newHttpClient().send(plain, BodyHandlers.ofString());
        assertThat(text.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
        assertThat(text.body()).startsWith("LanceRead");
        assertThat(server.post(table + "/explain_plan/", "{\"verbose\":true,\"query\":{\"k\":1,\"vector\":[]}}")
                        .ok()
                        .json()
                        .isString())
                .isTrue();
        server.post(table + "/analyze_plan/?distributed_metrics=true", "{\"k\":1,\"vector\":[]}")
                .ok();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"k\":1,\"vector\":[],\"filter\":\"nope = 1\"}|404|12",
                "{\"k\":1,\"vector\":[],\"columns\":[\"nope\"]}|404|12",
                "{\"k\":1,\"vector\":[1],\"vector_column\":\"place\"}|400|13",
                "{\"k\":-1,\"vector\":[]}|400|13",
                "{\"k\":1,\"vector\":[],\"filter\":\"id = (select 1)\"}|400|13",
                "{\"id\":[\"other\"],\"k\":1,\"vector\":[]}|400|13",
                "null|400|13"
            })
    void aQueryThatMakesNoSenseHasNoPlan(String query, int status, int code) {
        Answer answer = explain(query);
        refused(answer, status, code);
        assertThat(answer.text()).doesNotContain("/tmp", "LanceError", "Namespace error");
    }

    @Test
    void hugeNumbersHavePlansToo() {
        index();
        analyzed("{\"k\":2147483647,\"vector\":[1,1],\"vector_column\":\"place\",\"refine_factor\":2000000000}");
        explained("{\"k\":9223372036854775807,\"vector\":[1,1],\"vector_column\":\"place\",\"nprobes\":2000000000}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "{}", "{\"branch\":null}"})
    void statisticsTellHowLargeATableIs(String body) {
        server.arrow(table + "/insert", rows(4)).ok();
        server.post(table + "/delete", "{\"predicate\":\"id = 1\"}").ok();
        index();
        JsonNode stats = server.post(table + "/stats", body).ok().json();
        assertThat(stats.path("num_rows").longValue()).isEqualTo(3);
        assertThat(stats.path("num_indices").longValue()).isEqualTo(2);
        assertThat(stats.path("total_bytes").longValue()).isPositive();
        JsonNode fragments = stats.path("fragment_stats");
        assertThat(fragments.path("num_fragments").longValue()).isEqualTo(2);
        assertThat(fragments.path("num_small_fragments").longValue()).isEqualTo(2);
        assertThat(fragments.path("lengths"))
                .isEqualTo(JsonMapper.shared()
                        .readTree("{\"min\":1,\"max\":2,\"mean\":1,\"p25\":1,\"p50\":1,\"p75\":2,\"p99\":2}"));
        assertThat(server.get(table + "/stats").ok().json()).isEqualTo(stats);
        assertThat(server.post(table + "/stats/").ok().json()).isEqualTo(stats);
    }

    @Test
    void statisticsHonourTheBranchAndAnEmptyTableHasNone() {
        try (Dataset dataset = Dataset.open(location)) {
            dataset.createBranch("dev", Ref.ofMain()).close();
        }
        server.arrow(table + "/insert?branch=dev", rows(9)).ok();
        assertThat(server.post(table + "/stats", "{\"branch\":\"dev\"}")
                        .ok()
                        .json()
                        .path("num_rows")
                        .longValue())
                .isEqualTo(4);
        assertThat(server.post(table + "/stats").ok().json().path("num_rows").longValue())
                .isEqualTo(3);
        refused(server.post(table + "/stats", "{\"branch\":\"nope\"}"), 404, 22);
        String empty = catalog.freshTable();
        server.arrow(empty + "/create", ArrowStreams.longs("id")).ok();
        assertThat(server.post(empty + "/stats").ok().text())
                .contains("\"num_rows\":0", "\"num_fragments\":0", "\"total_bytes\":0");
    }

    @Test
    void plansAreHadOfTablesInAStore() {
        try (S3Server store = S3Server.inMemory().withBucket("lance-catalog")) {
            Map<String, String> settings = new HashMap<>(store.settings());
            settings.put("lance.rest.root", "s3://lance-catalog");
            try (RunningServer remote = RunningServer.with(settings)) {
                remote.makeNamespace("acme", "lake-one", "sales");
                String there = "/v1/table/" + id("sales", "t");
                remote.arrow(there + "/create", rows(1, 2, 3)).ok();
                FaultRule strays = store.watch(
                        request -> request.isWrite() && request.path().contains("plan-"));
                for (String query : List.of(
                        "{\"k\":2,\"vector\":[],\"filter\":\"id > 1\",\"with_row_id\":true}",
                        "{\"k\":2,\"vector\":[],\"order_by\":[{\"column_name\":\"id\"}]}")) {
                    assertThat(remote.post(there + "/analyze_plan", query).ok().text())
                            .contains("LanceRead: uri=table", "output_rows=2")
                            .doesNotContain("lake-one");
                    remote.post(there + "/explain_plan", "{\"query\":" + query + "}")
                            .ok();
                }
                assertThat(strays.hits()).isZero();
            }
        }
    }
}
