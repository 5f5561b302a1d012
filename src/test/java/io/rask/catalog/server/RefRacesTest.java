package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tags, branches and versions that two servers over one store change at the same time. */
class RefRacesTest {
    private static final int ROUNDS = 30;
    private static final int RUNNERS = 6;
    private static final String TABLE = "/v1/table/" + id("sales", "raced");

    @TempDir
    static Path folder;

    private static RunningServer one;
    private static RunningServer two;

    /** A table of which version n holds n + 2 rows. */
    @BeforeAll
    static void start() {
        one = RunningServer.on(folder, Map.of());
        two = RunningServer.on(folder, Map.of());
        one.makeNamespace("acme", "lake-one", "sales");
        one.arrow(TABLE + "/create", Rows.THREE).ok();
        for (int id = 4; id < 4 + RUNNERS; id++) {
            one.arrow(TABLE + "/insert", ArrowStreams.longs("id", id)).ok();
        }
    }

    @AfterAll
    static void stop() {
        two.close();
        one.close();
    }

    private static RunningServer server(int runner) {
        return runner % 2 == 0 ? one : two;
    }

    private static int onlyWinner(List<Answer> answers, int code) {
        List<Integer> winners = IntStream.range(0, answers.size())
                .filter(runner -> answers.get(runner).status() == 200)
                .boxed()
                .toList();
        assertThat(winners).hasSize(1);
        answers.stream()
                .filter(answer -> answer.status() != 200)
                .forEach(answer -> refused(answer, code == 8 ? 404 : 409, code));
        return winners.getFirst();
    }

    @Test
    void ofSeveralCreatorsOfOneTagOneWinsAndTheTagIsItsOwn() throws Exception {
        try (Race race = new Race(RUNNERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                String tag = "{\"tag\":\"t" + round + "\"%s}";
                int winner = onlyWinner(
                        race.run(runner -> server(runner)
                                .post(TABLE + "/tags/create", tag.formatted(",\"version\":" + (runner + 1)))),
                        9);
                for (RunningServer server : List.of(one, two)) {
                    assertThat(server.post(TABLE + "/tags/version", tag.formatted(""))
                                    .ok()
                                    .json()
                                    .path("version")
                                    .intValue())
                            .isEqualTo(winner + 1);
                }
                onlyWinner(race.run(runner -> server(runner).post(TABLE + "/tags/delete", tag.formatted(""))), 8);
            }
        }
    }

    @Test
    void ofSeveralCreatorsOfOneBranchOneWinsAndTheBranchBeginsWhereItSaid() throws Exception {
        try (Race race = new Race(RUNNERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                // The same name again and again: what one server has open of the last one must not be taken for the
                // next.
                int winner = onlyWinner(
                        race.run(runner -> server(runner)
                                .post(
                                        TABLE + "/branches/create",
                                        "{\"name\":\"dev\",\"from_version\":" + (runner + 1) + "}")),
                        23);
                for (RunningServer server : List.of(one, two)) {
                    assertThat(server.post(TABLE + "/count_rows", "{\"branch\":\"dev\"}")
                                    .ok()
                                    .text())
                            .isEqualTo(String.valueOf(winner + 3));
                }
                one.arrow(TABLE + "/insert?branch=dev", ArrowStreams.longs("id", 1000))
                        .ok();
                assertThat(two.post(TABLE + "/count_rows", "{\"branch\":\"dev\"}")
                                .ok()
                                .text())
                        .isEqualTo(String.valueOf(winner + 4));
                two.post(TABLE + "/branches/delete", "{\"name\":\"dev\"}").ok();
                refused(one.post(TABLE + "/count_rows", "{\"branch\":\"dev\"}"), 404, 22);
            }
        }
    }

    @Test
    void aVersionThatIsDeletedWhileATagIsPutOnItIsGoneOrHeld() throws Exception {
        String table = "/v1/table/" + id("sales", "shrinking");
        one.arrow(table + "/create", Rows.THREE).ok();
        try (Race race = new Race(2)) {
            for (int round = 1; round <= ROUNDS; round++) {
                int version = round;
                one.arrow(table + "/insert", ArrowStreams.longs("id", round)).ok();
                two.post(table + "/count_rows", "{\"version\":" + version + "}").ok();
                List<Answer> answers = race.run(runner -> runner == 0
                        ? one.post(
                                table + "/version/delete",
                                "{\"ranges\":[{\"start_version\":" + version + ",\"end_version\":" + (version + 1)
                                        + "}]}")
                        : two.post(
                                table + "/tags/create", "{\"tag\":\"t" + version + "\",\"version\":" + version + "}"));
                boolean deleted = answers.get(0).status() == 200;
                assertThat(answers.get(1).status() == 200).isNotEqualTo(deleted);
                if (deleted) {
                    refused(answers.get(1), 404, 11);
                    refused(two.post(table + "/count_rows", "{\"version\":" + version + "}"), 404, 11);
                } else {
                    refused(answers.get(0), 409, 19);
                    two.post(table + "/count_rows", "{\"version\":" + version + "}")
                            .ok();
                }
            }
        }
    }
}
