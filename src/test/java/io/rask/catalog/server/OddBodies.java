package io.rask.catalog.server;

import io.rask.catalog.server.OddRequests.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.databind.json.JsonMapper;

/** JSON bodies that are almost right, or not right at all. */
final class OddBodies {
    /** Words that mean something somewhere: names of fields, of what is there, of what could be. */
    static final List<String> NAMES = List.of(
            "id",
            "context",
            "name",
            "path",
            "type",
            "fields",
            "metadata",
            "version",
            "branch",
            "query",
            "columns",
            "t0",
            "main",
            "dev",
            "gold",
            "id_idx",
            "l2",
            "overwrite",
            "unknown");

    private static final JsonMapper JSON = JsonMapper.shared();
    static final List<String> TEXTS = List.of(
            "",
            " ",
            "t0",
            "id",
            "text",
            "place",
            "place.item",
            "nope",
            "true",
            "null",
            "..",
            "../../etc/passwd",
            "s3://b/x",
            "file:///etc",
            "a$b",
            "a\u0000b",
            "☃",
            "\ud83d\ude00",
            "%",
            "'",
            "\"",
            "create",
            "Overwrite",
            "exist_ok",
            "Cascade",
            "l2",
            "cosine",
            "30s",
            "-1s",
            "99999999999999999h",
            "1e400",
            "2026-01-01T00:00:00Z",
            "id = 1",
            "id > 1 and text like '%x%'",
            "source.id = target.id",
            "id in (1, 2, null)",
            "id = (select 1)",
            "cast(id as nothing)",
            "x'ff' = b'ff'",
            "text || text || 'x'",
            "id +",
            "regexp_match(text, '(a+)+$')",
            "array_has(place, 1)",
            "id / 0 = 1",
            "id = 9223372036854775807 + 1",
            "make_date(1,2,99)",
            "repeat(text, 1000000000) = 'x'",
            "lpad(text, 2000000000, 'x') = 'x'",
            "1=1 or 1=1; drop table x",
            "state = 'queued' or not attempt > 1");
    static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "2",
            "10",
            "-1",
            "2147483647",
            "2147483648",
            "4294967296",
            "-2147483649",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "1e309",
            "-0",
            "0.5",
            "1.5e3",
            "2000000000",
            "100000000",
            "123456789012345678901234567890123456789012345678901234567890");
    /** Bodies that fit many operations, or none. */
    private static final List<String> ANY = List.of(
            "{\"k\":5,\"vector\":[],\"filter\":\"id > 0\",\"columns\":[\"id\"],\"with_row_id\":true}",
            "{\"k\":3,\"vector\":[1,1],\"vector_column\":\"place\",\"prefilter\":true,\"filter\":\"id > 0\"}",
            "{\"k\":3,\"vector\":[[1,1],[0,0]],\"vector_column\":\"place\",\"nprobes\":2,\"refine_factor\":2}",
            "{\"k\":3,\"vector\":[],\"full_text_query\":{\"columns\":[\"text\"],\"query\":\"one\"}}",
            "{\"k\":3,\"vector\":[],\"full_text_query\":{\"string_query\":{\"query\":\"one\",\"columns\":[\"text\"]}}}",
            "{\"k\":3,\"vector\":[],\"order_by\":[{\"column_name\":\"id\",\"ascending\":false}],\"offset\":1}",
            "{\"query\":{\"k\":3,\"vector\":[1,1],\"vector_column\":\"place\"},\"verbose\":true}",
            "{\"predicate\":\"id = 1\",\"updates\":[[\"id\",\"id + 1\"],[\"text\",\"'x'\"]]}",
            "{\"mode\":\"create\",\"properties\":{\"a\":\"b\"}}",
            "{\"location\":\"nowhere\",\"mode\":\"Create\"}",
            "{\"new_table_name\":\"t1\",\"new_namespace_id\":[\"fuzz\"]}",
            "{\"version\":1,\"with_table_uri\":true,\"load_detailed_metadata\":true}",
            "{\"id\":\"acme2\",\"project\":\"acme\",\"root\":\"x\"}",
            "{\"namespace\":\"fuzz2\"}",
            "{\"job_id\":\"01890000-0000-7000-8000-000000000000\",\"filter\":\"state = 'x'\",\"limit\":1}",
            "{\"behavior\":\"Restrict\",\"mode\":\"Skip\"}");

    /** Bodies that fit an operation, by the end of its address. */
    private static final Map<String, List<String>> FITTING = Map.ofEntries(
            Map.entry("restore", List.of("{\"version\":1,\"branch\":\"dev\"}", "{\"version\":1}")),
            Map.entry(
                    "schema_metadata/update",
                    List.of("{\"a\":\"b\",\"c\":null}", "{\"metadata\":{\"a\":\"b\"},\"branch\":\"dev\"}")),
            Map.entry("version/list", List.of("{\"limit\":2,\"descending\":true,\"page_token\":\"2\"}")),
            Map.entry(
                    "version/create",
                    List.of(
                            "{\"version\":2,\"manifest_path\":\"_versions/x.manifest-1\",\"manifest_size\":100,\"e_tag\":\"x\","
                                    + "\"naming_scheme\":\"V2\",\"metadata\":{\"a\":\"b\"}}")),
            Map.entry("version/describe", List.of("{\"version\":1,\"branch\":\"dev\"}")),
            Map.entry(
                    "version/delete",
                    List.of(
                            "{\"ranges\":[{\"start_version\":1,\"end_version\":2},{\"start_version\":0,\"end_version\":-1}]}")),
            Map.entry(
                    "version/batch-create",
                    List.of(
                            "{\"entries\":[{\"id\":[\"fuzz\",\"t0\"],\"version\":2,\"manifest_path\":\"_versions/x\"}]}")),
            Map.entry(
                    "batch-commit",
                    List.of(
                            "{\"operations\":[{\"declare_table\":{\"id\":[\"fuzz\",\"d1\"]}},{\"deregister_table\":{\"id\":[\"fuzz\",\"t3\"]}}]}",
                            "{\"operations\":[{\"delete_table_versions\":{\"id\":[\"fuzz\",\"t1\"],\"ranges\":"
                                    + "[{\"start_version\":1,\"end_version\":2}]}},{\"create_table_version\":{\"id\":[\"fuzz\",\"t2\"],"
                                    + "\"version\":2,\"manifest_path\":\"_versions/x\"}}]}")),
            Map.entry(
                    "alter_columns",
                    List.of(
                            "{\"alterations\":[{\"path\":\"id\",\"data_type\":{\"type\":\"int32\"},\"nullable\":true},"
                                    + "{\"path\":\"text\",\"rename\":\"words\"}]}",
                            "{\"alterations\":[{\"path\":\"id\",\"data_type\":{\"type\":\"list\",\"fields\":[{\"name\":\"item\",\"type\":"
                                    + "{\"type\":\"int64\"}}]}}]}")),
            Map.entry(
                    "update_field_metadata",
                    List.of(
                            "{\"updates\":[{\"path\":\"id\",\"metadata\":{\"a\":\"b\",\"c\":null},\"replace\":true}]}")),
            Map.entry(
                    "drop_columns", List.of("{\"columns\":[\"text\"],\"branch\":\"dev\"}", "{\"columns\":[\"`id`\"]}")),
            Map.entry(
                    "add_columns",
                    List.of(
                            "{\"new_columns\":[{\"name\":\"twice\",\"expression\":\"id * 2\"},{\"name\":\"later\",\"computed\":\"id + 1\"}]}",
                            "{\"new_columns\":[{\"name\":\"v\",\"virtual_column\":{\"image\":\"i\",\"udf\":\"f\",\"udf_name\":\"f\","
                                    + "\"udf_version\":\"1\",\"input_columns\":[\"id\"],\"outputs\":[{\"column\":\"v\",\"data_type\":"
                                    + "{\"type\":\"int64\"}}]}}]}")),
            Map.entry(
                    "backfill_column",
                    List.of(
                            "{\"column\":\"later\",\"where\":\"id > 1\",\"concurrency\":2,\"task_size\":10,\"num_frags\":1,"
                                    + "\"commit_granularity\":1,\"min_checkpoint_size\":1,\"max_checkpoint_size\":10,\"read_version\":1}")),
            Map.entry(
                    "create_index",
                    List.of(
                            "{\"column\":\"place\",\"index_type\":\"IVF_PQ\",\"distance_type\":\"l2\",\"num_partitions\":1,"
                                    + "\"num_sub_vectors\":1,\"num_bits\":8,\"sample_rate\":2,\"max_iterations\":2,\"name\":\"p\"}",
                            "{\"column\":\"place\",\"index_type\":\"IVF_HNSW_SQ\",\"m\":4,\"ef_construction\":20,\"target_partition_size\":9}",
                            "{\"column\":\"text\",\"index_type\":\"FTS\",\"with_position\":true,\"base_tokenizer\":\"ngram\",\"language\":"
                                    + "\"English\",\"min_ngram_length\":2,\"max_ngram_length\":3,\"max_token_length\":40,\"stem\":true,"
                                    + "\"custom_stop_words\":[\"a\"],\"prefix_only\":false}")),
            Map.entry("create_scalar_index", List.of("{\"column\":\"id\",\"index_type\":\"BTREE\",\"name\":\"b\"}")),
            Map.entry(
                    "index/list", List.of("{\"version\":1,\"branch\":\"dev\",\"limit\":1,\"page_token\":\"id_idx\"}")),
            Map.entry("stats", List.of("{\"index_name\":\"id_idx\",\"version\":1}", "{\"branch\":\"dev\"}")),
            Map.entry(
                    "tags/create",
                    List.of("{\"tag\":\"new\",\"version\":1,\"branch\":\"dev\"}", "{\"tag\":\"x\",\"version\":1}")),
            Map.entry("tags/update", List.of("{\"tag\":\"gold\",\"version\":1}")),
            Map.entry("tags/version", List.of("{\"tag\":\"gold\"}")),
            Map.entry("tags/delete", List.of("{\"tag\":\"gold\"}")),
            Map.entry(
                    "branches/create",
                    List.of("{\"name\":\"a/b\",\"from_branch\":\"dev\",\"from_version\":1}", "{\"name\":\"x\"}")),
            Map.entry("branches/delete", List.of("{\"name\":\"dev\"}")),
            Map.entry(
                    "alter",
                    List.of(
                            "{\"actions\":[{\"setStatusAction\":{\"status\":\"Canceled\"}},{\"setPropertyAction\":{\"key\":\"a\",\"value\":"
                                    + "\"b\",\"mode\":\"Fail\"}},{\"unsetPropertyAction\":{\"key\":\"a\",\"mode\":\"Skip\"}}]}")),
            Map.entry(
                    "materialized_view/{id}/create",
                    List.of(
                            "{\"kind\":\"SQL\",\"source_query\":\"SELECT id FROM fuzz.t0 WHERE id > 1\",\"with_no_data\":true,\"output_schema\":"
                                    + "{\"fields\":[{\"name\":\"id\",\"nullable\":true,\"type\":{\"type\":\"int64\"}}]}}",
                            "{\"query\":\"SELECT a.id, b.text FROM fuzz.t0 a JOIN fuzz.t1 b ON a.id = b.id\",\"with_no_data\":false}",
                            "{\"query\":\"SELECT * FROM read_csv('/etc/passwd')\"}",
                            "{\"query\":\"COPY (SELECT 1) TO '/tmp/x'; SELECT 1\"}")),
            Map.entry(
                    "refresh",
                    List.of("{\"src_version\":1,\"concurrency\":1,\"max_rows_per_fragment\":10,\"output_limit\":5}")));

    private final Random random;

    OddBodies(Random random) {
        this.random = random;
    }

    private String valid(Route route) {
        if (chance(5)) {
            return any(ANY);
        }
        for (Map.Entry<String, List<String>> fitting : FITTING.entrySet()) {
            if (route.pattern().endsWith("/" + fitting.getKey())) {
                return any(fitting.getValue());
            }
        }
        return any(ANY);
    }

    String json(Route route) {
        return switch (random.nextInt(12)) {
            case 0 -> "";
            case 1 -> value(0);
            case 2 -> "[".repeat(20_000);
            case 3 -> object(0, route.fields());
            default -> mutated(valid(route), route.fields());
        };
    }

    /** Puts other values in the place of some of a body's, wherever they are. */
    private String mutated(String valid, List<String> fields) {
        StringBuilder text = new StringBuilder(valid);
        for (int i = random.nextInt(3); i > 0; i--) {
            int colon = text.indexOf(":", random.nextInt(text.length()));
            if (colon < 0) {
                continue;
            }
            int end = colon + 1;
            while (end < text.length() && ",}]".indexOf(text.charAt(end)) < 0) {
                end++;
            }
            text.replace(colon + 1, end, value(1));
        }
        if (chance(3)) {
            text.insert(1, "\"" + any(fields) + "\":" + value(1) + ",");
        }
        return text.toString();
    }

    private String object(int depth, List<String> fields) {
        List<String> members = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            members.add("\"" + any(fields) + "\":" + value(depth + 1));
        }
        return "{" + String.join(",", members) + "}";
    }

    private String value(int depth) {
        return switch (random.nextInt(depth > 4 ? 6 : 10)) {
            case 0 -> "null";
            case 1 -> chance(2) ? "true" : "false";
            case 2, 3 -> any(NUMBERS);
            case 4, 5, 6 -> JSON.writeValueAsString(text());
            case 7 -> "[" + value(depth + 1) + "," + value(depth + 1) + "]";
            case 8 -> chance(2) ? "[]" : "{}";
            default -> object(depth, NAMES);
        };
    }

    String text() {
        return switch (random.nextInt(12)) {
            case 0 -> "x".repeat(random.nextInt(20_000));
            case 1 -> "(".repeat(random.nextInt(400)) + "id = 1" + ")".repeat(random.nextInt(400));
            case 2 ->
                "id = 1"
                        + any(List.of(" or id = 2", " and id = 2", " + 1", "||'x'", "[0]", ".x", "::int"))
                                .repeat(random.nextInt(600));
            case 3 -> any(List.of("not ", "- ", "b'", "case when ", "cast(")).repeat(random.nextInt(600)) + "id = 1";
            default -> any(TEXTS);
        };
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
