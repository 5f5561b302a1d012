package io.rask.catalog.server;

import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.UTF8;
import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.ArrowStreams.vector;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.vector.types.pojo.Field;
import tools.jackson.databind.json.JsonMapper;

/** Requests that are almost right, or not right at all, from a seed. */
final class OddRequests {
    /** The tables and namespaces that requests may name; the test keeps them there. */
    static final String HOME = "fuzz";

    static final String WAREHOUSE = "lake-fuzz";
    static final String PROJECT = "acme";
    static final List<Field> COLUMNS =
            List.of(Field.nullable("id", INT64), Field.nullable("text", UTF8), vector("place", 2));

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final byte[] ROWS =
            ArrowStreams.of(COLUMNS, List.of(row(1, "one", List.of(0, 1)), row(9, null, null)));
    private static final List<String> VERBS = List.of("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND");
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/vnd.apache.arrow.stream",
            "text/plain",
            "application/octet-stream",
            "multipart/form-data",
            "application/x-www-form-urlencoded",
            "application/json; charset=utf-16",
            "application/json; charset=nope",
            "*/*",
            "x",
            ";",
            "\"");
    private static final List<String> TEXTS = List.of(
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
    private static final List<String> NUMBERS = List.of(
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
    private static final List<String> FIELDS = List.of(
            "id",
            "context",
            "mode",
            "properties",
            "version",
            "branch",
            "tag",
            "k",
            "vector",
            "vector_column",
            "filter",
            "prefilter",
            "columns",
            "offset",
            "with_row_id",
            "distance_type",
            "nprobes",
            "maximum_nprobes",
            "refine_factor",
            "ef",
            "lower_bound",
            "upper_bound",
            "full_text_query",
            "order_by",
            "fast_search",
            "bypass_vector_index",
            "predicate",
            "updates",
            "behavior",
            "location",
            "new_table_name",
            "new_namespace_id",
            "new_namespace",
            "limit",
            "page_token",
            "job_id",
            "project",
            "root",
            "namespace",
            "query",
            "verbose",
            "force",
            "delimiter",
            "on",
            "timeout",
            "when_matched_update_all",
            "when_matched_update_all_filt",
            "when_not_matched_insert_all",
            "when_not_matched_by_source_delete",
            "when_not_matched_by_source_delete_filt",
            "use_index",
            "include_declared",
            "with_table_uri",
            "load_detailed_metadata",
            "check_declared",
            "vend_credentials",
            "minimum_age_seconds",
            "target_rows_per_fragment",
            "unknown");
    private static final List<String> VALID = List.of(
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

    private final Random random;

    OddRequests(long seed) {
        this.random = new Random(seed);
    }

    /** A request as it goes on the wire. */
    record Odd(String method, String target, List<String> headers, byte[] body) {
        @Override
        public String toString() {
            String text = new String(body, 0, Math.min(body.length, 600), StandardCharsets.ISO_8859_1);
            return method + " " + target + " " + headers + " [" + body.length + "] " + text;
        }
    }

    /** @param pattern the address of a route, with names in braces */
    Odd next(String method, String pattern) {
        String verb = chance(25) ? any(VERBS) : method;
        List<String> headers = new ArrayList<>();
        byte[] body = verb.equals("GET") && !chance(10) ? new byte[0] : body(pattern);
        if (!chance(10)) {
            headers.add("Content-Type: " + (chance(8) ? any(TYPES) : isArrow(pattern) ? TYPES.get(1) : TYPES.get(0)));
        }
        if (chance(30)) {
            headers.add("Content-Encoding: " + any(List.of("gzip", "identity", "br", "x", "")));
        }
        if (chance(20)) {
            headers.add("Accept: " + any(List.of("text/plain", "application/xml", "*/*", "x", "image/png;q=0.1", "")));
        }
        if (chance(30)) {
            headers.add("x-request-timeout-ms: " + any(List.of("-1", "x", "99999999999999999999", "5000", "")));
        }
        return new Odd(verb, target(pattern), headers, body);
    }

    private static boolean isArrow(String pattern) {
        return pattern.endsWith("/create") && pattern.contains("/table/") || pattern.endsWith("insert");
    }

    private String target(String pattern) {
        StringBuilder target = new StringBuilder(chance(8) ? "/management" : "");
        String warehouse = chance(6) ? oddId() : WAREHOUSE;
        for (String part : pattern.substring(1).split("/", -1)) {
            target.append('/')
                    .append(
                            !part.startsWith("{")
                                    ? part
                                    : pattern.contains("/warehouses/")
                                            ? warehouse
                                            : pattern.contains("/projects/") ? oddId() : objectId(pattern));
        }
        if (chance(5)) {
            target.append('/');
        }
        String joint = "?";
        for (int i = isArrow(pattern) ? 2 : random.nextInt(3); i > 0; i--) {
            target.append(joint).append(any(FIELDS)).append('=').append(chance(3) ? encoded(text()) : any(NUMBERS));
            joint = "&";
        }
        if (pattern.endsWith("merge_insert") && !chance(4)) {
            target.append(joint).append("on=id&when_matched_update_all=true");
        }
        return target.toString();
    }

    private String objectId(String pattern) {
        boolean namespace = pattern.contains("/namespace/");
        return switch (random.nextInt(10)) {
            case 0 -> oddId();
            case 1 -> HOME + "$" + oddId();
            case 2 -> namespace ? HOME : HOME + "%24declared";
            default -> namespace ? HOME + "$n" + random.nextInt(3) : HOME + "$t" + random.nextInt(4);
        };
    }

    private String oddId() {
        return any(List.of(
                "$",
                "a",
                "..",
                ".",
                "%00",
                "%",
                "%ff",
                "%2e%2e",
                "%2F",
                "a;b",
                "a$$b",
                "-",
                "_control",
                encoded("☃"),
                "n".repeat(2_000),
                "a$".repeat(500) + "b",
                encoded(text()),
                "x%20y",
                "*"));
    }

    private byte[] body(String pattern) {
        if (isArrow(pattern) ^ chance(12)) {
            return arrow();
        }
        byte[] json = json().getBytes(StandardCharsets.UTF_8);
        return chance(15) ? Arrays.copyOf(json, random.nextInt(json.length + 1)) : json;
    }

    private byte[] arrow() {
        byte[] bytes = ROWS.clone();
        return switch (random.nextInt(5)) {
            case 0 -> bytes;
            case 1 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 2 -> {
                byte[] noise = new byte[random.nextInt(3_000)];
                random.nextBytes(noise);
                yield noise;
            }
            default -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    bytes[random.nextInt(bytes.length)] = (byte) (chance(2) ? random.nextInt() : random.nextInt(3) - 1);
                }
                yield bytes;
            }
        };
    }

    private String json() {
        return switch (random.nextInt(12)) {
            case 0 -> "";
            case 1 -> value(0);
            case 2 -> "[".repeat(20_000);
            case 3 -> object(0);
            default -> mutated(any(VALID));
        };
    }

    /** Puts other values in the place of some of a body's, wherever they are. */
    private String mutated(String valid) {
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
            text.insert(1, "\"" + any(FIELDS) + "\":" + value(1) + ",");
        }
        return text.toString();
    }

    private String object(int depth) {
        List<String> fields = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            fields.add("\"" + any(FIELDS) + "\":" + value(depth + 1));
        }
        return "{" + String.join(",", fields) + "}";
    }

    private String value(int depth) {
        return switch (random.nextInt(depth > 4 ? 6 : 10)) {
            case 0 -> "null";
            case 1 -> chance(2) ? "true" : "false";
            case 2, 3 -> any(NUMBERS);
            case 4, 5, 6 -> JSON.writeValueAsString(text());
            case 7 -> "[" + value(depth + 1) + "," + value(depth + 1) + "]";
            case 8 -> chance(2) ? "[]" : "{}";
            default -> object(depth);
        };
    }

    private String text() {
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

    /** Text for an address, short enough to reach the application. */
    private static String encoded(String text) {
        String all = URLEncoder.encode(text.substring(0, Math.min(1_500, text.length())), StandardCharsets.UTF_8);
        return all.length() > 3_000 ? RunningServer.id("x") : all;
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
