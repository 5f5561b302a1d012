package io.rask.catalog.lance;

import static io.rask.catalog.lance.ArrowRows.FLOAT;
import static io.rask.catalog.lance.ArrowRows.INT32;
import static io.rask.catalog.lance.ArrowRows.INT64;
import static io.rask.catalog.lance.ArrowRows.UTF8;
import static io.rask.catalog.lance.ArrowRows.field;
import static io.rask.catalog.lance.ArrowRows.schema;
import static io.rask.catalog.lance.ArrowRows.stream;
import static io.rask.catalog.lance.ArrowRows.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Race;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableReaderTest extends TableTest {
    private static final Schema PLACES = schema(
            field("id", INT64),
            field("Name", UTF8),
            field("size", INT32),
            field("at", new ArrowType.Struct(), field("x", INT32), field("c d", UTF8)),
            vector("vec", 2, FLOAT));
    private static final int ROWS = 50;

    @BeforeEach
    void fill() {
        List<List<?>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(Arrays.asList(
                    i, "n" + i, i % 7 == 0 ? null : i % 5, Map.of("x", i * 2, "c d", "s" + i), List.of(i, 0.5f)));
        }
        writer.create(table, stream(PLACES, rows));
    }

    @Test
    void everythingComesBackAsWritten() {
        List<Map<String, Object>> rows = (List) result(TableQuery.everything());

        assertThat(rows).hasSize(ROWS);
        assertThat(rows.get(3))
                .containsEntry("id", 3L)
                .containsEntry("Name", "n3")
                .containsEntry("size", 3)
                .containsEntry("vec", List.of(3f, 0.5f));
        assertThat(rows.get(7)).containsEntry("size", null);
    }

    @Test
    void columnsCanBeRenamedRepeatedAndTakenFromStructs() {
        TableQuery query = Queries.all()
                .columns(List.of(
                        new OutputColumn("at.x", "x"),
                        new OutputColumn("id", "a"),
                        new OutputColumn("id", "b"),
                        new OutputColumn("at.`c d`", "text")))
                .where("id = 4")
                .withRowId()
                .get();

        assertThat(result(query)).containsExactly(Map.of("x", 8, "a", 4L, "b", 4L, "text", "s4", "_rowid", 4L));
    }

    @Test
    void anUnknownColumnIsNotFound() {
        failure(
                ErrorCode.TABLE_COLUMN_NOT_FOUND,
                () -> result(Queries.all().columns("nope").get()));
        failure(
                ErrorCode.TABLE_COLUMN_NOT_FOUND,
                () -> result(Queries.all().where("nope = 1").get()));
        failure(ErrorCode.TABLE_COLUMN_NOT_FOUND, () -> rows(table, TableVersion.LATEST, "nope = 1"));
    }

    @Test
    void nearestGivesTheNearestFirst() {
        assertThat(column("id", Queries.all().near(10.2f, 0.5f).limit(3).get())).containsExactly(10L, 11L, 9L);
    }

    @Test
    void aLimitBeyondTheTableMeansAllRows() {
        assertThat(result(Queries.all()
                        .near(10.2f, 0.5f)
                        .limit(Long.MAX_VALUE)
                        .offset(5)
                        .get()))
                .hasSize(ROWS - 5);
        assertThat(result(Queries.all().limit(0).get())).isEmpty();
        assertThat(result(Queries.all().near(1f, 1f).limit(0).get())).isEmpty();
    }

    @Test
    void rowsComeInTheOrderAskedFor() {
        TableQuery query = Queries.all()
                .columns("id")
                .orderBy("size", false)
                .orderBy("id", true)
                .limit(3)
                .offset(1)
                .get();

        assertThat(column("id", query)).containsExactly(9L, 19L, 24L);
        assertThat(result(query).get(0).keySet()).containsExactly("id");
        failure(
                ErrorCode.INVALID_INPUT,
                () -> result(Queries.all().orderBy("at", true).get()));
        failure(
                ErrorCode.TABLE_COLUMN_NOT_FOUND,
                () -> result(Queries.all().orderBy("nope", true).get()));
    }

    @Test
    void anOldVersionIsReadAsItWas() {
        writer.insert(
                table, null, InsertMode.APPEND, stream(PLACES, List.of(Arrays.asList(99, null, null, null, null))));

        assertThat(result(Queries.all().version(new TableVersion(null, 1L)).get()))
                .hasSize(ROWS);
        assertThat(result(TableQuery.everything())).hasSize(ROWS + 1);
        assertThat(rows(table, new TableVersion(null, 1L), "id >= 0")).isEqualTo(ROWS);
        for (long absent : new long[] {0, -1, 3, Long.MAX_VALUE}) {
            failure(
                    ErrorCode.TABLE_VERSION_NOT_FOUND,
                    () -> result(Queries.all()
                            .version(new TableVersion(null, absent))
                            .get()));
        }
    }

    @Test
    void aFailingQueryWritesNothing() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        failure(
                ErrorCode.INVALID_INPUT,
                () -> reader.query(
                        () -> table, Queries.all().where("id / 0 = 1").get(), read -> {}, Channels.newChannel(out)));
        failure(
                ErrorCode.INVALID_INPUT,
                () -> reader.query(() -> table, Queries.all().limit(-1).get(), read -> {}, Channels.newChannel(out)));
        failure(
                ErrorCode.INVALID_INPUT,
                () -> reader.query(() -> table, Queries.all().offset(-1).get(), read -> {}, Channels.newChannel(out)));
        assertThat(out.size()).isZero();
    }

    @Test
    void aClientThatGoesAwayStopsTheQuery() {
        IOException gone = new IOException("broken pipe");
        OutputStream client = new OutputStream() {
            private int left = 100;

            @Override
            public void write(int b) throws IOException {
                if (left-- == 0) {
                    throw gone;
                }
            }
        };

        assertThatThrownBy(() ->
                        reader.query(() -> table, TableQuery.everything(), read -> {}, Channels.newChannel(client)))
                .isSameAs(gone);
    }

    @Test
    void twoResultsOfOneNameAreRefused() {
        failure(
                ErrorCode.INVALID_INPUT,
                () -> result(Queries.all().columns("id", "id").get()));
        failure(
                ErrorCode.INVALID_INPUT,
                () -> result(Queries.all().columns("at..x").get()));
        failure(
                ErrorCode.INVALID_INPUT,
                () -> result(Queries.all().columns("at.`x").get()));
    }

    @Test
    void manyReadersAndAWriterSeeWholeVersions() throws Exception {
        try (Race race = new Race(8)) {
            race.run(runner -> {
                for (int i = 0; i < 10; i++) {
                    if (runner == 0) {
                        writer.insert(
                                table,
                                null,
                                InsertMode.APPEND,
                                stream(
                                        PLACES,
                                        List.of(
                                                Arrays.asList(1, null, null, null, null),
                                                Arrays.asList(2, null, null, null, null))));
                    } else {
                        assertThat((result(TableQuery.everything()).size() - ROWS) % 2)
                                .isZero();
                    }
                }
                return true;
            });
        }
        assertThat(rows()).isEqualTo(ROWS + 20);
    }

    @Test
    void whatWasWrittenIsReadAtOnce() {
        for (int i = 0; i < 20; i++) {
            writer.insert(
                    table, null, InsertMode.APPEND, stream(PLACES, List.of(Arrays.asList(i, null, null, null, null))));
            assertThat(rows(table, TableVersion.LATEST, null)).isEqualTo(ROWS + i + 1);
        }
    }
}
