package io.rask.catalog.lance;

import static io.rask.catalog.lance.ArrowRows.DOUBLE;
import static io.rask.catalog.lance.ArrowRows.INT32;
import static io.rask.catalog.lance.ArrowRows.INT64;
import static io.rask.catalog.lance.ArrowRows.UTF8;
import static io.rask.catalog.lance.ArrowRows.field;
import static io.rask.catalog.lance.ArrowRows.list;
import static io.rask.catalog.lance.ArrowRows.schema;
import static io.rask.catalog.lance.ArrowRows.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Settings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SQL from outside, on a real table: what passes works, and what does not pass never reaches the engine. */
class SqlTextTest extends TableTest {
    private TableEditor editor;

    @BeforeEach
    void fill() {
        editor = new TableEditor(runtime, calls, handles, new RowCommits(runtime, handles), Settings.of(Map.of()));
        List<List<?>> rows = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            rows.add(List.of(
                    i,
                    "N" + i,
                    i * 0.5,
                    i * 1_000_000L,
                    Map.of("x", i, "c d", "s" + i),
                    List.of("t" + i, "all"),
                    "it's"));
        }
        writer.create(
                table,
                stream(
                        schema(
                                field("id", INT64),
                                field("Name", UTF8),
                                field("price", DOUBLE),
                                field("at", new ArrowType.Timestamp(TimeUnit.MICROSECOND, null)),
                                field("st", new ArrowType.Struct(), field("x", INT32), field("c d", UTF8)),
                                list("tags", UTF8),
                                field("my col", UTF8)),
                        rows));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '§',
            quoteCharacter = '#',
            value = {
                "id = 3 § 1",
                "\"Name\" = 'N3' § 1",
                "`Name` = 'N3' § 1",
                "name = 'N3' § 1",
                "\"my col\" = 'it''s' § 20",
                "st.x < 5 and not (id = 1) § 4",
                "st.`c d` = 's3' § 1",
                "id in (1, -2, 3) or id between 10 and 12 § 5",
                "Name like 'N1%' and price >= .5e1 § 10",
                "at < timestamp '1970-01-01 00:00:05' § 5",
                "array_has(tags, 't3') § 1",
                "lower(Name) = 'n7' and length(Name) > 1 § 1",
                "date_part('year', at) = 1970 § 20",
                "id is not null and id = 4 § 1",
                "id::int % 2 = 1 § 10",
                "regexp_like(Name, '^N1[0-4]$') § 5",
                "coalesce(Name, 'x') || '!' = 'N3!' § 1",
                "'; drop table t --' = Name § 0",
                "\"id\" = 3 and Name <> 'a \"quoted\" one' § 1"
            })
    void anExpressionMeansTheSameInAFilterAndInAnUpdate(String sql, int rows) {
        assertThat(rows(table, TableVersion.LATEST, sql)).isEqualTo(rows);
        assertThat(editor.update(table, null, sql, Map.of("price", "price + 100"))
                        .rows())
                .isEqualTo(rows);
        assertThat(rows(table, TableVersion.LATEST, "price >= 100")).isEqualTo(rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "id = 1; drop table t",
                "id = 1 -- all",
                "id = 1 /* all */",
                "id in (select 1)",
                "exists (select 1)",
                "id = 1 union select 2",
                "(values (1))",
                "with x as (select 1) select 1",
                "id = 1) or (id = 2",
                "(id = 1",
                "id = 1]",
                "id = [1)",
                "id = 'x",
                "\"id = 1",
                "`id = 1",
                "id = ?",
                "id = $1",
                "id = :x",
                "id = @x",
                "Name = $$x$$",
                "Name = b'1'",
                "Name = x'41'",
                "Name = n'a'",
                "Name = E'a'",
                "{'a': 1} is null",
                "id = 1, id = 2",
                "make_date(2020, 13, 1) is null",
                "repeat(Name, 2000000000) = 'x'",
                "lpad(Name, 2000000000) = 'x'",
                "range(0, 1000000000000) is null",
                "generate_series(0, 1000000000000) is null",
                "array_repeat(id, 1000000000) is null",
                "random() < 0.5",
                "uuid() = Name",
                "row_number() over () > 1",
                "id from dataset",
                "\"lower\"(Name) = 'n1'",
                "id = 0x10",
                "id = 1\\",
                "id & 1 = 1",
                "Name = 'a\0b'",
                "id = 1 \u0007"
            })
    void whatIsNoPlainExpressionIsRefused(String sql) {
        failure(ErrorCode.INVALID_INPUT, () -> rows(table, TableVersion.LATEST, sql));
        failure(ErrorCode.INVALID_INPUT, () -> editor.update(table, null, sql, Map.of("price", "1")));
        failure(ErrorCode.INVALID_INPUT, () -> editor.update(table, null, null, Map.of("price", sql)));
        failure(ErrorCode.INVALID_INPUT, () -> editor.delete(table, null, sql));
        assertThat(version()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id =",
                "id = = 1",
                "nonsense nonsense",
                "id + 1",
                "id = 'abc'",
                "cast(Name as int) = 1",
                "id / 0 = 1",
                "Name = 3 + ",
                "abs() = 1",
                "lower(id, id) = 'x'",
                "id between 1",
                "tags = 3",
                "count = 1"
            })
    void whatTheEngineRefusesIsABadRequest(String sql) {
        assertThat(failureOf(() -> rows(table, TableVersion.LATEST, sql)))
                .isIn(ErrorCode.INVALID_INPUT, ErrorCode.TABLE_COLUMN_NOT_FOUND);
        assertThat(failureOf(() -> result(Queries.all().where(sql).get())))
                .isIn(ErrorCode.INVALID_INPUT, ErrorCode.TABLE_COLUMN_NOT_FOUND);
        assertThat(failureOf(() -> editor.delete(table, null, sql)))
                .isIn(ErrorCode.INVALID_INPUT, ErrorCode.TABLE_COLUMN_NOT_FOUND);
    }

    @Test
    void threeThousandTermsAreRefusedAndFourHundredWork() {
        assertThat(failure(
                                ErrorCode.INVALID_INPUT,
                                () -> rows(table, TableVersion.LATEST, terms(3_000, "id = %d", " OR ")))
                        .text())
                .contains("IN");
        assertThat(rows(table, TableVersion.LATEST, terms(400, "id = %d", " OR ")))
                .isEqualTo(20);
        assertThat(editor.update(table, null, terms(400, "id = %d", " OR "), Map.of("price", "1"))
                        .rows())
                .isEqualTo(20);
    }

    @Test
    void longListsOfValuesWork() {
        String many = IntStream.range(0, 20_000).mapToObj(String::valueOf).collect(Collectors.joining(","));

        assertThat(rows(table, TableVersion.LATEST, "id in (" + many + ")")).isEqualTo(20);
        assertThat(rows(table, TableVersion.LATEST, "id not in (-1," + many + ")"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"id = %d OR price = %d", "id <> -%d AND Name <> '%d'", "Name LIKE '%%%d%%' OR id > %d"})
    void theMostTermsAllowedDoNotHarmTheProcess(String term) {
        String sql = IntStream.range(0, 249)
                .mapToObj(i -> String.format(term, i + 1, i + 1))
                .collect(Collectors.joining(" OR "));

        assertThat(rows(table, TableVersion.LATEST, sql)).isPositive();
        assertThat(editor.update(table, null, sql, Map.of("price", "1")).rows()).isPositive();
    }

    @Test
    void theMostOperatorsAllowedDoNotHarmTheProcess() {
        List<String> chains = List.of(
                "id" + "::bigint".repeat(SqlText.MAX_OPERATORS) + " = 1",
                String.join(" + ", Collections.nCopies(SqlText.MAX_OPERATORS + 1, "id")) + " = 201",
                String.join(" || ", Collections.nCopies(SqlText.MAX_OPERATORS + 1, "Name")) + " = 'x'",
                "abs(".repeat(SqlText.MAX_DEPTH) + "id" + ")".repeat(SqlText.MAX_DEPTH) + " = 1",
                "concat(" + String.join(", ", Collections.nCopies(SqlText.MAX_OPERATORS - 1, "Name")) + ") = 'x'");
        for (String sql : chains) {
            long rows = rows(table, TableVersion.LATEST, sql);
            assertThat(editor.update(table, null, sql, Map.of("price", "1")).rows())
                    .isEqualTo(rows);
            failure(
                    ErrorCode.INVALID_INPUT,
                    () -> rows(
                            table,
                            TableVersion.LATEST,
                            sql.replaceFirst("id|Name", "((id + 1) + $0)") + " and " + sql));
        }
        String branches = IntStream.range(0, SqlText.MAX_BRANCHES)
                .mapToObj(i -> "when id = " + i + " then " + i)
                .collect(Collectors.joining(" ", "case ", " end"));
        assertThat(editor.update(table, null, null, Map.of("price", branches)).rows())
                .isEqualTo(20);
        failure(
                ErrorCode.INVALID_INPUT,
                () -> editor.update(
                        table, null, null, Map.of("price", branches.replace("case ", "case when id = 0 then 1 "))));
    }

    @Test
    void nestingBeyondTheBoundIsRefused() {
        String deep = "(".repeat(SqlText.MAX_DEPTH + 1) + "id = 1" + ")".repeat(SqlText.MAX_DEPTH + 1);

        failure(ErrorCode.INVALID_INPUT, () -> rows(table, TableVersion.LATEST, deep));
        failure(ErrorCode.INVALID_INPUT, () -> rows(table, TableVersion.LATEST, "not ".repeat(300) + "id = 1"));
        failure(ErrorCode.INVALID_INPUT, () -> rows(table, TableVersion.LATEST, "id = " + "- ".repeat(300) + "1"));
    }

    private static String terms(int count, String term, String joint) {
        return IntStream.range(0, count).mapToObj(i -> String.format(term, i)).collect(Collectors.joining(joint));
    }

    private static ErrorCode failureOf(ThrowingCallable call) {
        CatalogException failure = catchThrowableOfType(CatalogException.class, call);
        assertThat(failure).isNotNull();
        assertThat(failure.text()).doesNotContain(".rs", "LanceError", "java");
        return failure.code();
    }
}
