package io.rask.catalog.server;

import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Changes of columns at the same time as others, and as writers of rows. */
@ExtendWith(SharedCatalog.Provider.class)
class ColumnRacesTest {
    private static final int ROUNDS = 6;

    private final SharedCatalog catalog;
    private final RunningServer server;

    ColumnRacesTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
    }

    private String filled() {
        String table = catalog.freshTable();
        server.arrow(table + "/create", stream(1, 2, 3)).ok();
        return table;
    }

    /** Rows whose two columns say the same. */
    private static byte[] stream(long... ids) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (long id : ids) {
            rows.add(row(id, id));
        }
        return ArrowStreams.of(List.of(Field.nullable("id", INT64), Field.nullable("n", INT64)), rows);
    }

    private List<String> columns(String table) {
        List<String> names = new ArrayList<>();
        server.post(table + "/describe?load_detailed_metadata=true")
                .ok()
                .json()
                .at("/schema/fields")
                .forEach(field -> names.add(field.path("name").asString()));
        return names;
    }

    private static int status(Answer answer) {
        if (answer.status() != 200) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(409);
            assertThat(answer.code()).isEqualTo(14);
        }
        return answer.status();
    }

    @Test
    void additionsAtTheSameTimeLoseNoColumn() throws Exception {
        try (Race race = new Race(6)) {
            for (int round = 0; round < ROUNDS; round++) {
                String table = filled();
                List<Integer> done = race.run(runner -> status(server.post(
                        table + "/add_columns",
                        "{\"new_columns\":[{\"name\":\"c" + runner + "\",\"expression\":\"id + " + runner + "\"}]}")));
                Set<String> expected = new HashSet<>(List.of("id", "n"));
                for (int runner = 0; runner < done.size(); runner++) {
                    if (done.get(runner) == 200) {
                        expected.add("c" + runner);
                        assertThat(server.post(
                                                table + "/count_rows",
                                                "{\"predicate\":\"c" + runner + " = id + " + runner + "\"}")
                                        .ok()
                                        .text())
                                .isEqualTo("3");
                    }
                }
                assertThat(expected.size()).isGreaterThan(2);
                assertThat(columns(table)).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    @Test
    void ofTwoNamesForOneColumnOneWinsAndTheOtherIsAConflict() throws Exception {
        try (Race race = new Race(2)) {
            for (int round = 0; round < ROUNDS; round++) {
                String table = filled();
                List<Answer> answers = race.run(runner -> server.post(
                        table + "/alter_columns",
                        "{\"alterations\":[{\"path\":\"n\",\"rename\":\"m" + runner + "\"}]}"));
                List<String> columns = columns(table);
                assertThat(columns).hasSize(2).contains("id");
                int winners = 0;
                for (int runner = 0; runner < 2; runner++) {
                    Answer answer = answers.get(runner);
                    if (answer.status() == 200) {
                        winners++;
                        assertThat(columns).contains("m" + runner);
                    } else {
                        // It came while the other was at work, or after it.
                        assertThat(answer.code()).as(answer.text()).isIn(14, 12);
                    }
                }
                assertThat(winners).isEqualTo(1);
            }
        }
    }

    @Test
    void rowsThatArriveDuringACastKeepTheirValues() throws Exception {
        try (Race race = new Race(5)) {
            for (int round = 0; round < ROUNDS; round++) {
                String table = filled();
                List<List<Integer>> done = race.run(runner -> {
                    List<Integer> mine = new ArrayList<>();
                    if (runner == 0) {
                        mine.add(status(server.post(
                                table + "/alter_columns",
                                "{\"alterations\":[{\"path\":\"n\",\"data_type\":{\"type\":\"float64\"}}]}")));
                        return mine;
                    }
                    for (int i = 0; i < 5; i++) {
                        mine.add(status(server.arrow(table + "/insert", stream(100 * runner + i))));
                    }
                    return mine;
                });
                long inserted = done.subList(1, 5).stream()
                        .flatMap(List::stream)
                        .filter(status -> status == 200)
                        .count();
                String all = server.post(table + "/count_rows", "{\"predicate\":\"true\"}")
                        .ok()
                        .text();
                assertThat(all).isEqualTo(String.valueOf(3 + inserted));
                assertThat(server.post(table + "/count_rows", "{\"predicate\":\"n = id\"}")
                                .ok()
                                .text())
                        .isEqualTo(all);
            }
        }
    }

    @Test
    void metadataWrittenDuringAChangeOfColumnsIsNotLost() throws Exception {
        try (Race race = new Race(4)) {
            for (int round = 0; round < ROUNDS; round++) {
                String table = filled();
                List<Integer> done = race.run(runner -> status(
                        runner == 0
                                ? server.post(
                                        table + "/add_columns",
                                        "{\"new_columns\":[{\"name\":\"x\",\"computed\":\"id * 2\"}]}")
                                : runner == 1
                                        ? server.post(table + "/schema_metadata/update", "{\"k\":\"v\"}")
                                        : runner == 2
                                                ? server.post(
                                                        table + "/update_field_metadata",
                                                        "{\"updates\":[{\"path\":\"id\",\"metadata\":{\"k\":\"v\"}}]}")
                                                : server.post(
                                                        table + "/alter_columns",
                                                        "{\"alterations\":[{\"path\":\"n\",\"rename\":\"m\"}]}")));
                var schema = server.post(table + "/describe?load_detailed_metadata=true")
                        .ok()
                        .json()
                        .path("schema");
                assertThat(schema.path("fields").toString().contains("\"x\"")).isEqualTo(done.get(0) == 200);
                assertThat(schema.at("/metadata/k").asString("").equals("v")).isEqualTo(done.get(1) == 200);
                assertThat(schema.at("/fields/0/metadata/k").asString("").equals("v"))
                        .isEqualTo(done.get(2) == 200);
                assertThat(schema.path("fields").toString().contains("\"m\"")).isEqualTo(done.get(3) == 200);
            }
        }
    }

    @Test
    void updatesAndDeletesDuringACastAreDoneOrRefused() throws Exception {
        try (Race race = new Race(3)) {
            for (int round = 0; round < ROUNDS; round++) {
                String table = filled();
                List<Integer> done = race.run(runner -> status(
                        switch (runner) {
                            case 0 ->
                                server.post(
                                        table + "/alter_columns",
                                        "{\"alterations\":[{\"path\":\"n\",\"data_type\":{\"type\":\"int32\"}}]}");
                            case 1 ->
                                server.post(
                                        table + "/update", "{\"predicate\":\"id = 2\",\"updates\":[[\"n\",\"20\"]]}");
                            default -> server.post(table + "/delete", "{\"predicate\":\"id = 3\"}");
                        }));
                List<Map<String, @Nullable Object>> rows =
                        ArrowStreams.read(server.post(table + "/query", "{\"k\":10,\"vector\":[]}")
                                .ok()
                                .bytes());
                assertThat(rows).hasSize(done.get(2) == 200 ? 2 : 3);
                for (Map<String, @Nullable Object> row : rows) {
                    long id = ((Number) java.util.Objects.requireNonNull(row.get("id"))).longValue();
                    long n = ((Number) java.util.Objects.requireNonNull(row.get("n"))).longValue();
                    assertThat(n).isEqualTo(id == 2 && done.get(1) == 200 ? 20 : id);
                }
            }
        }
    }
}
