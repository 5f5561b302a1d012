package io.rask.catalog.lance;

import static io.rask.catalog.lance.ArrowRows.INT64;
import static io.rask.catalog.lance.ArrowRows.UTF8;
import static io.rask.catalog.lance.ArrowRows.field;
import static io.rask.catalog.lance.ArrowRows.schema;
import static io.rask.catalog.lance.ArrowRows.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.lance.TextQuery.Boost;
import io.rask.catalog.lance.TextQuery.Combined;
import io.rask.catalog.lance.TextQuery.Match;
import io.rask.catalog.lance.TextQuery.MultiMatch;
import io.rask.catalog.lance.TextQuery.Phrase;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lance.Dataset;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.InvertedIndexParams;

class TextQueryTest extends TableTest {
    private static final Schema BOOKS = schema(field("id", INT64), field("title", UTF8), field("body", UTF8));

    @BeforeEach
    void fill() {
        writer.create(
                table,
                stream(
                        BOOKS,
                        List.of(
                                List.of(0, "red fox", "the quick red fox jumps"),
                                List.of(1, "blue whale", "a whale swims in the blue sea"),
                                List.of(2, "green fox", "the fox is green with envy"),
                                List.of(3, "grey wolf", "a wolf is no fox"),
                                List.of(4, "empty", "nothing at all"))));
    }

    @Test
    void wordsAreFoundInAnIndexedColumnByDefault() {
        index("body");

        assertThat(ids(Match.of("fox"))).containsExactlyInAnyOrder(0L, 2L, 3L);
        assertThat(ids(Match.of("red whale"))).containsExactlyInAnyOrder(0L, 1L);
        assertThat(ids(new Match(null, "fox red", 1, 0, 50, true, 0))).containsExactly(0L);
        assertThat(ids(new Match("body", "whele", 1, 1, 50, false, 0))).containsExactly(1L);
        assertThat(ids(new Match("body", "whele", 1, null, 50, false, 0))).containsExactly(1L);
    }

    @Test
    void severalIndexedColumnsAreSearchedTogether() {
        index("body");
        index("title");

        assertThat(ids(Match.of("wolf"))).containsExactly(3L);
        assertThat(ids(Match.of("blue"))).containsExactly(1L);
        assertThat(ids(new MultiMatch(List.of(match("title", "fox"), match("body", "fox")))))
                .containsExactlyInAnyOrder(0L, 2L, 3L);
        refused(new MultiMatch(List.of(match("title", "fox"), match("body", "wolf"))));
        refused(new Match(null, "fx", 1, 1, 50, false, 0));
    }

    @Test
    void queriesCombine() {
        index("body");

        assertThat(ids(new Phrase("body", "quick red", 0))).containsExactly(0L);
        assertThat(ids(new Phrase("body", "red quick", 0))).isEmpty();
        assertThat(ids(new Combined(
                        List.of(match("body", "fox")),
                        List.of(match("body", "green")),
                        List.of(match("body", "wolf")))))
                .containsExactly(2L, 0L);
        assertThat(ids(new Boost(match("body", "fox"), match("body", "green"), 0.1f))
                        .getLast())
                .isEqualTo(2L);
        refused(new Combined(List.of(), List.of(), List.of(match("body", "fox"))));
    }

    @Test
    void resultsComeByScoreWithinFilterLimitAndColumns() {
        index("body");

        TableQuery query = Queries.all()
                .text(Match.of("fox"))
                .where("id > 0")
                .columns("title")
                .withRowId()
                .limit(1)
                .get();
        assertThat(result(query)).hasSize(1);
        assertThat(result(query).get(0).keySet()).containsExactly("title", "_score", "_rowid");
        assertThat(column("_score", Queries.all().text(Match.of("fox")).get()))
                .isSortedAccordingTo((a, b) -> Float.compare(score(b), score(a)));
    }

    @Test
    void aNamedColumnIsSearchedWithoutAnIndexToo() {
        assertThat(column("id", Queries.all().text(Match.of("whale"), "title").get()))
                .containsExactly(1L);
        refused(Match.of("whale"));
        refused(new Phrase("title", "blue whale", 0));
    }

    @Test
    void rowsAddedAfterTheIndexAreFoundUnlessTheSearchIsFast() {
        index("body");
        writer.insert(table, null, InsertMode.APPEND, stream(BOOKS, List.of(List.of(5, "new", "another fox"))));

        assertThat(ids(Match.of("another"))).containsExactly(5L);
        assertThat(column("id", Queries.all().text(Match.of("fox")).fast().get()))
                .containsExactlyInAnyOrder(0L, 2L, 3L);
    }

    @Test
    void whatCannotBeSearchedIsABadRequest() {
        index("body");

        refused(match("id", "fox"));
        refused(match("body", ""));
        refused(match("body", "x".repeat(5_000)));
        refused(new Match("body", "fox", Float.NaN, 0, 50, false, 0));
        refused(new Match("body", "fox", 1, 9, 50, false, 0));
        refused(new Match("body", "fox", 1, 1, Integer.MAX_VALUE, false, 0));
        refused(new Match("body", "fox", 1, -1, 50, false, 0));
        refused(new Phrase("body", "quick fox", Integer.MAX_VALUE));
        failure(ErrorCode.TABLE_COLUMN_NOT_FOUND, () -> ids(match("nope", "fox")));
        TextQuery deep = match("body", "fox");
        for (int i = 0; i < 20; i++) {
            deep = new Combined(List.of(deep), List.of(), List.of());
        }
        refused(deep);
    }

    private void refused(TextQuery query) {
        failure(ErrorCode.INVALID_INPUT, () -> ids(query));
    }

    private List<@Nullable Object> ids(TextQuery query) {
        return column("id", Queries.all().text(query).columns("id").get());
    }

    private static float score(@Nullable Object value) {
        return value instanceof Float score ? score : Float.NaN;
    }

    private static Match match(String column, String terms) {
        return new Match(column, terms, 1, 0, 50, false, 0);
    }

    private void index(String column) {
        try (Dataset dataset = Dataset.open(table.uri(), runtime.allocator())) {
            IndexParams params = IndexParams.builder()
                    .setScalarIndexParams(InvertedIndexParams.builder()
                            .baseTokenizer("simple")
                            .language("English")
                            .stem(false)
                            .removeStopWords(false)
                            .withPosition(true)
                            .build())
                    .build();
            dataset.createIndex(IndexOptions.builder(List.of(column), IndexType.INVERTED, params)
                    .build());
        }
    }
}
