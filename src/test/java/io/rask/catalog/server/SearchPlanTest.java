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
import io.rask.catalog.testing.S3Server;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.index.DistanceType;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.InvertedIndexParams;
import org.lance.index.scalar.ScalarIndexParams;
import org.lance.index.vector.VectorIndexParams;

/** The plans of every kind of query, of tables in a folder and in a store: 40 indexed rows, and 3 that came later. */
class SearchPlanTest {
    private static final String NEAR = "\"vector\":[20,20],\"vector_column\":\"place\"";
    private static final String WORDS =
            "\"vector\":[],\"full_text_query\":{\"columns\":[\"text\"],\"query\":\"hello\"}";

    @TempDir
    static Path folder;

    private static final Map<String, String> TABLES = new HashMap<>();
    private static final Map<String, String> LOCATIONS = new HashMap<>();
    private static S3Server store;
    private static RunningServer inStore;
    private static RunningServer inFolder;

    @BeforeAll
    static void start() {
        store = S3Server.inMemory().withBucket("lance-catalog");
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        inStore = RunningServer.with(settings);
        inFolder = RunningServer.on(folder, Map.of());
        fill(
                "store",
                Map.of(
                        "aws_endpoint", store.endpoint().toString(),
                        "allow_http", "true",
                        "aws_access_key_id", S3Server.ACCESS_KEY,
                        "aws_secret_access_key", S3Server.SECRET_KEY,
                        "aws_region", S3Server.REGION));
        fill("folder", Map.of());
    }

    @AfterAll
    static void stop() {
        inFolder.close();
        inStore.close();
        store.close();
    }

    private static RunningServer server(String place) {
        return place.equals("store") ? inStore : inFolder;
    }

    private static void fill(String place, Map<String, String> options) {
        RunningServer server = server(place);
        server.makeNamespace("acme", "lake-one", "sales");
        String table = "/v1/table/" + id("sales", "t");
        server.arrow(table + "/create", rows(0, 40)).ok();
        String location =
                server.post(table + "/describe").ok().json().path("location").asString();
        try (Dataset dataset = Dataset.open(
                place.equals("store") ? location : URI.create(location).getPath(),
                new ReadOptions.Builder().setStorageOptions(options).build())) {
            index(
                    dataset,
                    "id",
                    IndexType.BTREE,
                    IndexParams.builder().setScalarIndexParams(ScalarIndexParams.create("btree")));
            index(
                    dataset,
                    "text",
                    IndexType.INVERTED,
                    IndexParams.builder()
                            .setScalarIndexParams(InvertedIndexParams.builder()
                                    .baseTokenizer("simple")
                                    .language("English")
                                    .withPosition(true)
                                    .build()));
            index(
                    dataset,
                    "place",
                    IndexType.VECTOR,
                    IndexParams.builder().setVectorIndexParams(VectorIndexParams.ivfFlat(2, DistanceType.L2)));
        }
        server.arrow(table + "/insert", rows(40, 43)).ok();
        TABLES.put(place, table);
        LOCATIONS.put(place, location);
    }

    private static void index(Dataset dataset, String column, IndexType type, IndexParams.Builder params) {
        dataset.createIndex(IndexOptions.builder(List.of(column), type, params.build())
                .withIndexName(column + "_idx")
                .build());
    }

    private static byte[] rows(long from, long to) {
        List<Field> columns = List.of(Field.nullable("id", INT64), Field.nullable("text", UTF8), vector("place", 2));
        return ArrowStreams.of(
                columns,
                LongStream.range(from, to)
                        .mapToObj(i -> row(i, "hello world " + i, List.of(i, i)))
                        .toList());
    }

    private static String explained(String place, String query) {
        return told(place, "explain_plan", "{\"query\":" + query + "}");
    }

    private static String analyzed(String place, String query) {
        return told(place, "analyze_plan", query);
    }

    private static String told(String place, String operation, String body) {
        String text = server(place)
                .post(TABLES.get(place) + "/" + operation, body)
                .ok()
                .json()
                .asString();
        assertThat(text).doesNotContain("lake-one", "/tmp", "plan-");
        return text;
    }

    /** Queries, and how many rows they answer with and what their plans name. */
    private static Map<String, List<String>> queries() {
        Map<String, List<String>> plans = new TreeMap<>();
        plans.put("{\"k\":7,\"vector\":[]}", List.of("7", "LanceRead"));
        plans.put("{\"k\":7,\"vector\":[],\"filter\":\"id > 40\"}", List.of("2", "id_idx"));
        plans.put("{\"k\":7,\"offset\":3,\"vector\":[],\"with_row_id\":true}", List.of("7", "row_id=true"));
        plans.put(
                "{\"k\":3,\"vector\":[],\"order_by\":[{\"column_name\":\"id\",\"ascending\":false}]}",
                List.of("3", "DESC NULLS LAST"));
        plans.put("{\"k\":3," + NEAR + "}", List.of("3", "place_idx"));
        plans.put("{\"k\":3,\"offset\":1," + NEAR + ",\"with_row_id\":true}", List.of("3", "place_idx", "_rowid"));
        plans.put("{\"k\":3," + NEAR + ",\"filter\":\"id > 20\"}", List.of("3", "place_idx", "id_idx", "id > 20"));
        plans.put(
                "{\"k\":3," + NEAR + ",\"filter\":\"id > 20\",\"prefilter\":false}", List.of("1", "place_idx", "> 20"));
        plans.put("{\"k\":3," + NEAR + ",\"fast_search\":true}", List.of("3", "place_idx", "IndexedFragments: [0]"));
        plans.put(
                "{\"k\":3," + NEAR + ",\"order_by\":[{\"column_name\":\"id\"}]}",
                List.of("3", "place_idx", "Sort: [id ASC NULLS LAST]"));
        plans.put("{\"k\":3," + NEAR + ",\"lower_bound\":4}", List.of("3", "DistanceWindow: lower_bound=4.0"));
        plans.put(
                "{\"k\":3,\"vector\":[[1,1],[9,9]],\"vector_column\":\"place\"}",
                List.of("6", "Sequence: vectors=2", "place_idx"));
        plans.put("{\"k\":5," + WORDS + "}", List.of("5", "indices=[text_idx]", "match(column=text, terms=\"hello\""));
        plans.put(
                "{\"k\":5,\"offset\":2," + WORDS + ",\"with_row_id\":true}",
                List.of("5", "Limit: skip=2, fetch=5", "fetch=7", "_rowid"));
        plans.put(
                "{\"k\":5," + WORDS + ",\"filter\":\"id > 30\"}",
                List.of("5", "Prefilter: id > 30", "id_idx", "text_idx"));
        plans.put("{\"k\":99," + WORDS + ",\"fast_search\":true}", List.of("40", "IndexedFragments: [0]", "text_idx"));
        plans.put(
                "{\"k\":99," + WORDS + ",\"filter\":\"id > 30\",\"prefilter\":false}",
                List.of("12", "Filter: id > 30", "text_idx"));
        plans.put(
                "{\"k\":5," + WORDS + ",\"order_by\":[{\"column_name\":\"id\",\"nulls_first\":true}]}",
                List.of("5", "Sort: [id ASC NULLS FIRST]"));
        plans.put(
                structured("{\"phrase\":{\"column\":\"text\",\"terms\":\"hello world\"}}"),
                // The library looks for phrases in indexed rows only.
                List.of("40", "phrase(column=text, terms=\"hello world\", slop=0)", "text_idx"));
        plans.put(
                structured("{\"boolean\":{\"must\":[{\"match\":{\"column\":\"text\",\"terms\":\"hello\"}}],"
                        + "\"should\":[],\"must_not\":[{\"match\":{\"column\":\"text\",\"terms\":\"7\"}}]}}"),
                List.of("42", "boolean(MUST match(column=text", "MUST_NOT match(column=text, terms=\"7\""));
        plans.put(
                structured("{\"multi_match\":{\"match_queries\":[{\"column\":\"text\",\"terms\":\"hello\",\"boost\":2,"
                        + "\"fuzziness\":0}]}}"),
                List.of("43", "multi_match(columns=[text]", "boosts=[2.0]", "text_idx"));
        plans.put(
                structured("{\"boost\":{\"positive\":{\"match\":{\"column\":\"text\",\"terms\":\"hello\"}},"
                        + "\"negative\":{\"match\":{\"column\":\"text\",\"terms\":\"3\"}},\"negative_boost\":0.25}}"),
                List.of("43", "boost(positive=match(", "negative_boost=0.25"));
        return plans;
    }

    private static String structured(String query) {
        return "{\"k\":99,\"vector\":[],\"full_text_query\":{\"structured_query\":{\"query\":" + query + "}}}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"folder", "store"})
    void everyKindOfQueryHasAPlanThatNamesWhatItUses(String place) {
        queries().forEach((query, named) -> {
            String plan = explained(place, query);
            assertThat(plan).as(query).contains(named.subList(1, named.size()));
            assertThat(plan).as(query).doesNotContain("output_rows");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"folder", "store"})
    void anAnalysisCarriesTheQueryOutAndCountsItsRows(String place) {
        queries().forEach((query, named) -> {
            long answered = ArrowStreams.read(server(place)
                            .post(TABLES.get(place) + "/query", query)
                            .ok()
                            .bytes())
                    .size();
            assertThat(answered).as(query).isEqualTo(Long.parseLong(named.get(0)));
            String plan = analyzed(place, query);
            assertThat(plan).as(query).contains(named.subList(1, named.size()));
            if (plan.startsWith("AnalyzeQuery")) {
                assertThat(plan)
                        .as(query)
                        .startsWith("AnalyzeQuery: output_rows=" + answered + ", elapsed=")
                        .contains("bytes_read=", "index_comparisons=", "LanceScan");
            } else {
                assertThat(plan).as(query).contains("output_rows=");
            }
        });
    }

    @Test
    void anIndexThatIsNotUsedIsNotNamed() {
        for (String query : List.of(
                "{\"k\":3," + NEAR + ",\"bypass_vector_index\":true}",
                "{\"k\":3," + NEAR + ",\"distance_type\":\"cosine\"}")) {
            assertThat(explained("store", query)).contains("every row compared").doesNotContain("place_idx");
            assertThat(analyzed("store", query)).contains("output_rows=3").doesNotContain("partitions_searched");
        }
        assertThat(analyzed("store", "{\"k\":3," + NEAR + "}")).contains("partitions_searched");
    }

    @ParameterizedTest
    @ValueSource(strings = {"folder", "store"})
    void aQueryThatIsRefusedHasNoPlan(String place) {
        String table = TABLES.get(place);
        for (String query : List.of(
                "{\"k\":3,\"vector\":[1],\"vector_column\":\"place\"}",
                "{\"k\":3," + NEAR + ",\"lower_bound\":1,\"order_by\":[{\"column_name\":\"id\"}]}",
                "{\"k\":3," + NEAR + ",\"filter\":\"_distance < 1\"}",
                structured("{\"match\":{\"column\":\"id\",\"terms\":\"hello\"}}"))) {
            refused(server(place).post(table + "/query", query), 400, 13);
            refused(server(place).post(table + "/explain_plan", "{\"query\":" + query + "}"), 400, 13);
            refused(server(place).post(table + "/analyze_plan", query), 400, 13);
        }
    }

    @Test
    void plansWriteNothingWhereTheTableIs() throws IOException {
        FaultRule writes =
                store.watch(request -> request.isWrite() && request.path().contains("lake-one"));
        Path table = Path.of(URI.create(LOCATIONS.get("folder")).getPath());
        Map<String, Long> before = files(table);
        for (String place : List.of("store", "folder")) {
            queries().keySet().forEach(query -> {
                explained(place, query);
                analyzed(place, query);
            });
        }
        assertThat(writes.hits()).isZero();
        assertThat(files(table)).isEqualTo(before);
    }

    private static Map<String, Long> files(Path table) throws IOException {
        Map<String, Long> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(table.getParent())) {
            for (Path file : all.toList()) {
                files.put(
                        file.toString(),
                        Files.isDirectory(file)
                                ? 0
                                : Files.getLastModifiedTime(file).toMillis());
            }
        }
        return files;
    }
}
