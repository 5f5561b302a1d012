package io.rask.catalog.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

class QueryRequestTest {
    private static final JsonMapper JSON = WireJson.mapper();

    private static QueryRequest read(String fields) {
        return JSON.readValue("{\"k\":10" + (fields.isEmpty() ? "" : ",") + fields + "}", QueryRequest.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"vector\":null",
                "\"vector\":[]",
                "\"vector\":{}",
                "\"vector\":{\"single_vector\":[],\"multi_vector\":[]}",
                "\"vector\":{\"single_vector\":null,\"other\":{\"x\":[1]}}"
            })
    void aQueryWithoutNumbersHasNoVector(String fields) {
        assertThat(read(fields).vector().isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"vector\":[1,2.5]",
                "\"vector\":{\"single_vector\":[1,2.5],\"multi_vector\":[]}",
                "\"vector\":{\"multi_vector\":[[1,2.5]]}",
                "\"vector\":[[1,2.5]]"
            })
    void bothGrammarsGiveOneVector(String fields) {
        assertThat(read(fields).vector().vectors()).singleElement().isEqualTo(new float[] {1f, 2.5f});
    }

    @Test
    void severalVectorsKeepTheirOrder() {
        assertThat(read("\"vector\":[[1],[2],[3]]").vector().vectors())
                .containsExactly(new float[] {1}, new float[] {2}, new float[] {3});
        String many = "[" + "0.5,".repeat(999) + "7]";
        assertThat(read("\"vector\":" + many).vector().vectors().getFirst())
                .hasSize(1000)
                .endsWith(7f);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"vector\":5",
                "\"vector\":\"x\"",
                "\"vector\":[1,null]",
                "\"vector\":[1,\"2\"]",
                "\"vector\":[[1],2]",
                "\"vector\":[1,[2]]",
                "\"vector\":[[]]",
                "\"vector\":[1e39]",
                "\"vector\":[1e400]",
                "\"vector\":[NaN]",
                "\"vector\":{\"single_vector\":[1],\"multi_vector\":[[2]]}",
                "\"vector\":{\"single_vector\":5}",
                "\"full_text_query\":{\"string_query\":{\"query\":null,\"columns\":[\"a\"]}}",
                "\"full_text_query\":{\"string_query\":{\"columns\":[\"a\"]}}",
                "\"full_text_query\":{\"structured_query\":{\"query\":null}}",
                "\"full_text_query\":{\"structured_query\":{\"query\":{\"boolean\":{\"must\":[null]}}}}",
                "\"full_text_query\":{\"query\":{\"boost\":{\"positive\":null,\"negative\":{\"match\":{\"terms\":\"a\"}}}}}",
                "\"full_text_query\":{\"query\":{\"multi_match\":{\"match_queries\":[null]}}}",
                "\"columns\":5",
                "\"columns\":[1]",
                "\"columns\":[\"\"]",
                "\"columns\":{\"a\":1}",
                "\"columns\":{\"column_names\":[\"a\"],\"column_aliases\":{\"b\":\"c\"}}",
                "\"columns\":{\"column_names\":\"a\"}",
                "\"full_text_query\":\"x\"",
                "\"full_text_query\":{\"columns\":[\"a\"]}",
                "\"full_text_query\":{\"query\":{}}",
                "\"full_text_query\":{\"query\":{\"match\":{}}}",
                "\"full_text_query\":{\"query\":{\"match\":{\"terms\":\"x\"},\"phrase\":{\"terms\":\"x\"}}}",
                "\"full_text_query\":{\"query\":{\"match\":{\"terms\":\"x\",\"operator\":\"Nor\"}}}",
                "\"full_text_query\":{\"query\":{\"multi_match\":{}}}",
                "\"full_text_query\":{\"query\":{\"boost\":{\"positive\":{\"match\":{\"terms\":\"x\"}}}}}",
                "\"offset\":\"1\"",
                "\"offset\":9223372036854775808"
            })
    void whatFitsNoGrammarIsRefused(String fields) {
        assertThatThrownBy(() -> read(fields)).isInstanceOf(JacksonException.class);
    }

    @Test
    void theLargestKIsRead() {
        QueryRequest query = JSON.readValue("{\"k\":9223372036854775807}", QueryRequest.class);
        assertThat(query.k()).isEqualTo(Long.MAX_VALUE);
        assertThat(query.columns()).isEqualTo(new QueryColumns.All());
    }

    @Test
    void columnsAreReadInBothGrammars() {
        assertThat(read("\"columns\":[\"b\",\"a\"]").columns()).isEqualTo(new QueryColumns.Names(List.of("b", "a")));
        assertThat(read("\"columns\":[]").columns()).isEqualTo(new QueryColumns.Names(List.of()));
        assertThat(read("\"columns\":{\"column_names\":[\"a\"],\"column_aliases\":{}}")
                        .columns())
                .isEqualTo(new QueryColumns.Names(List.of("a")));
        assertThat(read("\"columns\":{\"column_aliases\":{\"x\":\"a.b\"}}").columns())
                .isEqualTo(new QueryColumns.Aliases(Map.of("x", "a.b")));
        assertThat(read("\"columns\":{\"x\":\"a + 1\"}").columns())
                .isEqualTo(new QueryColumns.Expressions(Map.of("x", "a + 1")));
        assertThat(read("\"columns\":{\"column_names\":[],\"column_aliases\":{}}")
                        .columns())
                .isEqualTo(new QueryColumns.All());
        assertThat(read("\"columns\":null").columns()).isEqualTo(new QueryColumns.All());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"string_query\":{\"query\":\"cat\",\"columns\":[\"a\"]},\"structured_query\":null}",
                "{\"query\":\"cat\",\"columns\":[\"a\"]}"
            })
    void textQueriesAreReadInBothGrammars(String query) {
        assertThat(read("\"full_text_query\":" + query).fullTextQuery())
                .isEqualTo(new FullTextQuery.Text("cat", List.of("a")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"structured_query\":{\"query\":{\"match\":{\"terms\":\"cat\",\"operator\":\"And\"}}}}",
                "{\"query\":{\"match\":{\"column\":null,\"terms\":\"cat\",\"operator\":\"AND\"},\"phrase\":null}}"
            })
    void structuredQueriesAreReadInBothGrammars(String query) {
        assertThat(read("\"full_text_query\":" + query).fullTextQuery())
                .isEqualTo(new FullTextQuery.Structured(
                        new FtsQuery.Match(null, "cat", null, null, null, FtsQuery.Operator.AND, null)));
    }

    @Test
    void structuredQueriesNest() {
        String match = "{\"match\":{\"terms\":\"a\"}}";
        FtsQuery a = new FtsQuery.Match(null, "a", null, null, null, null, null);
        FtsQuery phrase = new FtsQuery.Phrase("c", "b", 2);
        assertThat(read("\"full_text_query\":{\"query\":{\"boolean\":{\"must\":[" + match
                                + ",{\"phrase\":{\"column\":\"c\",\"terms\":\"b\",\"slop\":2}}],\"should\":[],\"must_not\":[{\"boost\":{\"positive\":"
                                + match + ",\"negative\":" + match + ",\"negative_boost\":0.5}}]}}}")
                        .fullTextQuery())
                .isEqualTo(new FullTextQuery.Structured(
                        new FtsQuery.Bool(List.of(), List.of(a, phrase), List.of(new FtsQuery.Boost(a, a, 0.5)))));
    }

    @Test
    void matchesOverSeveralColumnsAreReadInBothGrammars() {
        assertThat(severalColumns("{\"match_queries\":[{\"column\":\"x\",\"terms\":\"a\",\"boost\":2},"
                        + "{\"column\":\"y\",\"terms\":\"a\"}]}"))
                .isEqualTo(inBothColumns(null));
        // LanceDB's form has no word for fuzziness, and means none.
        assertThat(severalColumns("{\"query\":\"a\",\"columns\":[\"x\",\"y\"],\"boost\":[2]}"))
                .isEqualTo(inBothColumns(0));
    }

    private static @Nullable FullTextQuery severalColumns(String query) {
        return read("\"full_text_query\":{\"query\":{\"multi_match\":" + query + "}}")
                .fullTextQuery();
    }

    private static FullTextQuery inBothColumns(@Nullable Integer fuzziness) {
        return new FullTextQuery.Structured(new FtsQuery.MultiMatch(List.of(
                new FtsQuery.Match("x", "a", 2.0, fuzziness, null, null, null),
                new FtsQuery.Match("y", "a", null, fuzziness, null, null, null))));
    }

    @Test
    void anEmptyFullTextQueryIsNone() {
        assertThat(read("\"full_text_query\":{}").fullTextQuery()).isNull();
        assertThat(read("\"full_text_query\":{\"string_query\":null,\"structured_query\":null}")
                        .fullTextQuery())
                .isNull();
    }

    @Test
    void lanceDbsNameForNprobesIsRead() {
        assertThat(read("\"minimum_nprobes\":3").nprobes()).isEqualTo(3);
        assertThat(read("\"nprobes\":3,\"minimum_nprobes\":3").nprobes()).isEqualTo(3);
        assertThat(read("\"order_by\":[{\"column_name\":\"a\",\"ascending\":false}]")
                        .orderBy())
                .containsExactly(new QueryRequest.OrderBy("a", false, null));
    }
}
