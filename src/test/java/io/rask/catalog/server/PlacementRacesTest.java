package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Renames and registrations that race over two servers: one wins, and no location ever has two ids. */
class PlacementRacesTest {
    private static final int ROUNDS = 30;
    private static final int RUNNERS = 4;

    @TempDir
    static Path folder;

    private static RunningServer one;
    private static RunningServer two;

    @BeforeAll
    static void start() {
        one = RunningServer.on(folder, Map.of());
        two = RunningServer.on(folder, Map.of());
        one.makeNamespace("acme", "lake-one", "sales");
        for (int runner = 0; runner < RUNNERS; runner++) {
            one.post("/v1/namespace/" + id("sales", "inner-" + runner) + "/create", "{}")
                    .ok();
        }
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
    }

    private static RunningServer server(int runner) {
        return runner % 2 == 0 ? one : two;
    }

    private static List<String> tables(RunningServer server) {
        return server.get("/v1/table")
                .ok()
                .json()
                .path("tables")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    private static String location(String stored) {
        return one.post("/v1/table/" + id(stored) + "/describe")
                .ok()
                .json()
                .path("location")
                .asString();
    }

    /** Each id leads to a place of its own, on both servers alike. */
    private static void everyLocationHasOneId() {
        List<String> tables = tables(one);
        assertThat(tables(two)).isEqualTo(tables);
        assertThat(tables.stream().map(PlacementRacesTest::location)).doesNotHaveDuplicates();
    }

    private static List<Answer> winners(List<Answer> answers, int... losing) {
        List<Answer> won = new ArrayList<>();
        for (Answer answer : answers) {
            if (answer.status() == 200) {
                won.add(answer);
            } else {
                assertThat(answer.code())
                        .as(answer.text())
                        .isIn(Arrays.stream(losing).boxed().toArray());
            }
        }
        return won;
    }

    @Test
    void ofSeveralRenamesOfOneTableOneWins() throws Exception {
        try (Race race = new Race(RUNNERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                String from = "from-" + round;
                one.arrow("/v1/table/" + id("sales", from) + "/create", Rows.THREE)
                        .ok();
                String place = location("sales$" + from);
                int now = round;
                List<Answer> answers = race.run(runner -> server(runner)
                        .post(
                                "/v1/table/" + id("sales", from) + "/rename",
                                "{\"new_table_name\":\"to-" + now + "\",\"new_namespace_id\":[\"sales\",\"inner-"
                                        + runner + "\"]}"));
                assertThat(winners(answers, 4)).hasSize(1);
                List<String> named = tables(one).stream()
                        .filter(name -> name.endsWith("to-" + now) || name.endsWith("from-" + now))
                        .toList();
                assertThat(named).hasSize(1).allMatch(name -> name.endsWith("$to-" + now));
                assertThat(location(named.getFirst())).isEqualTo(place);
            }
        }
        everyLocationHasOneId();
    }

    @Test
    void ofSeveralRenamesToOneNameOneWinsAndTheOthersKeepTheirs() throws Exception {
        try (Race race = new Race(RUNNERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                for (int runner = 0; runner < RUNNERS; runner++) {
                    one.post("/v1/table/" + id("sales", "own-" + round + "-" + runner) + "/declare")
                            .ok();
                }
                int now = round;
                List<Answer> answers = race.run(runner -> server(runner)
                        .post(
                                "/v1/table/" + id("sales", "own-" + now + "-" + runner) + "/rename",
                                "{\"new_table_name\":\"shared-" + now + "\"}"));
                assertThat(winners(answers, 5)).hasSize(1);
                List<String> tables = tables(two);
                assertThat(tables).contains("sales$shared-" + now);
                assertThat(tables.stream().filter(name -> name.startsWith("sales$own-" + now + "-")))
                        .hasSize(RUNNERS - 1);
            }
        }
        everyLocationHasOneId();
    }

    @Test
    void aRenameThatMeetsADropOfTheTableOrOfItsNewNamespaceLeavesNoOrphan() throws Exception {
        try (Race race = new Race(3)) {
            for (int round = 0; round < ROUNDS; round++) {
                String space = "going-" + round;
                one.post("/v1/namespace/" + id("sales", space) + "/create", "{}")
                        .ok();
                String table = "/v1/table/" + id("sales", "mover-" + round);
                one.arrow(table + "/create", Rows.THREE).ok();
                int now = round;
                List<Answer> answers = race.run(runner -> switch (runner) {
                    case 0 ->
                        one.post(
                                table + "/rename",
                                "{\"new_table_name\":\"m\",\"new_namespace_id\":[\"sales\",\"" + space + "\"]}");
                    case 1 -> two.post("/v1/namespace/" + id("sales", space) + "/drop", "{}");
                    default -> now % 2 == 0 ? two.post(table + "/drop") : two.post(table + "/exists");
                });
                answers.forEach(
                        answer -> assertThat(answer.status()).as(answer.text()).isIn(200, 404, 409));
                boolean spaceThere = one.post("/v1/namespace/" + id("sales", space) + "/exists")
                                .status()
                        == 200;
                boolean moved = one.post("/v1/table/" + id("sales", space, "m") + "/exists")
                                .status()
                        == 200;
                boolean stayed = one.post(table + "/exists").status() == 200;
                assertThat(moved && stayed).isFalse();
                assertThat(moved && !spaceThere).isFalse();
                assertThat(moved).isEqualTo(answers.getFirst().status() == 200);
                if (now % 2 == 1) {
                    assertThat(moved || stayed).isTrue();
                }
            }
        }
        everyLocationHasOneId();
    }

    @Test
    void ofSeveralRegistrationsOfOnePlaceOneWins() throws Exception {
        one.arrow("/v1/table/" + id("sales", "source") + "/create", Rows.THREE).ok();
        Path source = Clones.folder(location("sales$source"));
        try (Race race = new Race(RUNNERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                String place = "stray-" + round;
                Clones.make(source, source.resolveSibling(place));
                String table = "registered-" + round;
                List<Answer> answers = race.run(runner -> server(runner)
                        .post(
                                "/v1/table/" + id("sales", "inner-" + runner, table) + "/register",
                                "{\"location\":\"" + place + "\"}"));
                assertThat(winners(answers, 5)).hasSize(1);
                assertThat(tables(two).stream().filter(name -> name.endsWith("$" + table)))
                        .hasSize(1);
            }
        }
        everyLocationHasOneId();
    }
}
