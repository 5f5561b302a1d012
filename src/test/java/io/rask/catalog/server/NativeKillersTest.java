package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.Indices;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What ends the process when it reaches the library, sent to every door behind which it could: the server answers, and goes on. */
@ExtendWith(SharedCatalog.Provider.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NativeKillersTest {
    private static final int ROWS = 300;

    private final RunningServer server;
    private final String table;

    NativeKillersTest(SharedCatalog catalog) {
        this.server = catalog.server();
        this.table = catalog.freshTable();
        server.arrow(table + "/create", rows(0, ROWS)).ok();
        String location =
                server.post(table + "/describe").ok().json().path("location").asString();
        Indices.make(Clones.folder(location).toString(), "id", "text", "place");
    }

    private static byte[] rows(int from, int to) {
        return ArrowStreams.of(
                OddRequests.COLUMNS,
                IntStream.range(from, to)
                        .mapToObj(i -> row(i, "word " + i, List.of(i % 7, i % 11)))
                        .toList());
    }

    @AfterEach
    void theServerGoesOnAndNothingChanged() {
        assertThat(server.post(table + "/count_rows", "{\"predicate\":\"id >= 0\"}")
                        .ok()
                        .text())
                .isEqualTo(String.valueOf(ROWS));
    }

    private static String quoted(String text) {
        return JsonMapper.shared().writeValueAsString(text);
    }

    /** The doors that take a condition, with the condition in it. No row they could change matches. */
    private Map<String, Answer> sent(String condition) {
        String sql = quoted(condition);
        String filtered = "{\"k\":5,\"vector\":[],\"filter\":" + sql + "}";
        String near =
                "{\"k\":5,\"vector\":[1,1],\"vector_column\":\"place\",\"prefilter\":true,\"filter\":" + sql + "}";
        String words =
                "{\"k\":5,\"vector\":[],\"full_text_query\":{\"columns\":[\"text\"],\"query\":\"word\"},\"filter\":"
                        + sql + "}";
        Map<String, Answer> answers = new LinkedHashMap<>();
        answers.put("count", server.post(table + "/count_rows", "{\"predicate\":" + sql + "}"));
        answers.put("query", server.post(table + "/query", filtered));
        answers.put("near", server.post(table + "/query", near));
        answers.put("near after", server.post(table + "/query", near.replace("\"prefilter\":true,", "")));
        answers.put(
                "words before", server.post(table + "/query", words.replace("{\"k\"", "{\"prefilter\":true,\"k\"")));
        answers.put("fast", server.post(table + "/query", near.replace("\"prefilter\":true", "\"fast_search\":true")));
        answers.put("words", server.post(table + "/query", words));
        answers.put("explain", server.post(table + "/explain_plan", "{\"query\":" + near + "}"));
        answers.put("analyze", server.post(table + "/analyze_plan", filtered));
        String never = quoted("id < 0 and (" + condition + ")");
        answers.put("delete", server.post(table + "/delete", "{\"predicate\":" + never + "}"));
        answers.put(
                "update",
                server.post(table + "/update", "{\"predicate\":" + never + ",\"updates\":[[\"text\",\"'x'\"]]}"));
        if (condition.length() < 1_500) {
            String merge = table + "/merge_insert?on=id&when_matched_update_all=true";
            String source = id(condition.replace("id", "source.id").replace("text", "source.text"));
            answers.put("merge", server.arrow(merge + "&when_matched_update_all_filt=" + source, rows(1, 2)));
            answers.put(
                    "merge delete",
                    server.arrow(
                            merge + "&when_not_matched_by_source_delete=true&when_not_matched_by_source_delete_filt="
                                    + id("id < 0 and (" + condition + ")"),
                            rows(1, 2)));
        }
        return answers;
    }

    private void requireAnswers(String condition) {
        sent(condition).forEach((door, answer) -> {
            String what = door + ", " + condition.length() + " characters of "
                    + condition.substring(0, Math.min(60, condition.length())) + ": " + answer.status() + " "
                    + (answer.status() == 200 ? "" : answer.text());
            assertThat(answer.status()).as(what).isIn(200, 400, 404, 501);
            if (answer.status() != 200) {
                assertThat(answer.code()).as(what).isIn(0, 12, 13);
                refused(answer, answer.status(), answer.code());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " or id = 1",
                " and id = 1",
                " or not id = 1",
                " or text like '%x%'",
                " or id in (1, 2, 3)",
                " or id between 1 and 2",
                " is null",
                " = true",
                " or (id = 1 and id = 2)",
                " or b'01' = b'01'",
                " or x'01' = x'01'",
                " + 1",
                " - -1",
                " % 2",
                " | 1",
                " :: bigint",
                " <> 1"
            })
    void aChainOfAnyLengthIsAnswered(String link) {
        for (int length : new int[] {60, 400, 3_000}) {
            requireAnswers("id = 1" + link.repeat(length));
        }
    }

    @Test
    void textsChainedAndNestedAreAnswered() {
        for (int depth : new int[] {9, 60, 400, 3_000}) {
            requireAnswers("text" + " || text".repeat(depth) + " = 'x'");
            requireAnswers("(".repeat(depth) + "id = 1" + ")".repeat(depth));
            requireAnswers("abs(".repeat(depth) + "id" + ")".repeat(depth) + " = 1");
            requireAnswers("not ".repeat(depth) + "id = 1");
            requireAnswers("-".repeat(depth) + "id = 1");
            requireAnswers("- ".repeat(depth) + "id = 1");
            requireAnswers("case when id = 1 then ".repeat(depth) + "true" + " end".repeat(depth));
            requireAnswers("cast(".repeat(depth) + "id" + " as bigint)".repeat(depth) + " = 1");
            requireAnswers("[".repeat(depth) + "1" + "]".repeat(depth) + " is null");
            requireAnswers("place" + "[0]".repeat(depth) + " = 1");
            requireAnswers("id in (" + "1, ".repeat(depth) + "1)");
            requireAnswers("coalesce(" + "id, ".repeat(depth) + "id) = 1");
            requireAnswers("b'" + "0".repeat(depth) + "' = b'1'");
            requireAnswers("\"" + "x".repeat(depth) + "\" = 1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "b'' = text",
                "b'xyz' = text",
                "text = b'01'",
                "b'01'",
                "X'0' = text",
                "x'zz' = text",
                "id = 1; drop table x",
                "regexp_match(text, '(a+)+$')",
                "regexp_match(text, '(((((a{1000}){1000}){1000}){1000})')",
                "repeat(text, 2000000000) = 'x'",
                "lpad(text, 2147483647, 'x') = 'x'",
                "id / 0 = 1",
                "id % 0 = 1",
                "-9223372036854775808 / -1 = id",
                "abs(-9223372036854775808) = id",
                "id << 99999 = 1",
                "id = 99999999999999999999999999999999999999999",
                "cast('x' as date) = cast('y' as date)",
                "cast(1e300 as int) = id",
                "array_has(place, 1.0)",
                "place[99999999999] = 1",
                "place = [1.0, 2.0]",
                "place[9223372036854775807] > 0",
                "date '9999999-01-01' > date '0001-01-01'",
                "interval '99999999999 years' > interval '1 day'",
                "timestamp '2020-01-01' + interval '999999999 years' > timestamp '2020-01-01'",
                "id = (select 1)",
                "_rowid = 18446744073709551615",
                "_distance < 1",
                "_score > 1",
                "`_DISTANCE` < 1 or _Score > 1",
                "_rowaddr = 1",
                "json_extract(text, '$') = 'x'",
                "contains_tokens(text, 'word')",
                "random() > 2"
            })
    void aConditionThatIsStrangeIsAnswered(String condition) {
        requireAnswers(condition);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"k\":2147483647",
                "\"k\":4294967295",
                "\"k\":4294967296",
                "\"k\":9223372036854775807",
                "\"k\":100000000",
                "\"k\":5,\"refine_factor\":2000000000",
                "\"k\":5,\"refine_factor\":4294967295",
                "\"k\":5,\"refine_factor\":4294967296",
                "\"k\":2147483647,\"refine_factor\":2000000000",
                "\"k\":5,\"offset\":9223372036854775807",
                "\"k\":9223372036854775807,\"offset\":9223372036854775807",
                "\"k\":5,\"nprobes\":2147483647",
                "\"k\":5,\"nprobes\":4294967297",
                "\"k\":5,\"nprobes\":0",
                "\"k\":5,\"maximum_nprobes\":9223372036854775807",
                "\"k\":5,\"ef\":9223372036854775807",
                "\"k\":5,\"ef\":0",
                "\"k\":0",
                "\"k\":5,\"lower_bound\":1e308,\"upper_bound\":-1e308",
                "\"k\":5,\"lower_bound\":1e400",
                "\"k\":5,\"distance_type\":\"hamming\"",
                "\"k\":5,\"distance_type\":\"cosine\",\"bypass_vector_index\":true",
                "\"k\":5,\"version\":9223372036854775807",
                "\"k\":5,\"columns\":[]"
            })
    void numbersOfAnySizeAreAnsweredOnAnIndexedTable(String numbers) {
        String with = "{" + numbers + ",\"vector_column\":\"place\",\"vector\":";
        for (String vector : List.of("[1,1]", "[[1,1],[2,2]]", "[1e38,-1e38]", "[3.5e38,1]", "[]", "[0,0]")) {
            String query = with + vector + "}";
            for (Answer answer : List.of(
                    server.post(table + "/query", query),
                    server.post(table + "/explain_plan", "{\"query\":" + query + "}"),
                    server.post(table + "/analyze_plan", query))) {
                assertThat(answer.status()).as(query + answer.status()).isIn(200, 400, 404, 501);
                if (answer.status() != 200) {
                    assertThat(answer.code()).as(query + answer.text()).isIn(0, 11, 13);
                }
            }
        }
    }

    @Test
    void expressionsOfAnUpdateOfAnyDepthAreAnswered() {
        for (int depth : new int[] {60, 3_000}) {
            for (String expression : List.of(
                    "text" + " || text".repeat(depth),
                    "concat(".repeat(depth) + "text" + ", 'x')".repeat(depth),
                    "case when id = 1 then ".repeat(depth) + "'x'" + " end".repeat(depth),
                    "b'" + "01".repeat(depth) + "'",
                    "(".repeat(depth) + "text" + ")".repeat(depth))) {
                Answer answer = server.post(
                        table + "/update",
                        "{\"predicate\":\"id < 0\",\"updates\":[[\"text\"," + quoted(expression) + "]]}");
                assertThat(answer.status()).as(answer.text()).isIn(200, 400);
                assertThat(Set.of(-1, 12, 13)).as(answer.text()).contains(answer.code());
            }
        }
    }
}
