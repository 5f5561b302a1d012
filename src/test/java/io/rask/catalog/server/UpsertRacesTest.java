package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Server;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.ScalarIndexParams;

/** Merges that bring the same new keys at the same time, on two servers over one store. */
class UpsertRacesTest {
    private static final int WRITERS = 8;
    private static final int ROUNDS = 10;
    private static final String UPSERT =
            "/merge_insert?on=id&when_matched_update_all=true&when_not_matched_insert_all=true";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachNewKeyIsInsertedOnceInAFolder(boolean indexed) throws Exception {
        try (RunningServer one = RunningServer.on(folder, Map.of());
                RunningServer two = RunningServer.on(folder, Map.of())) {
            String table = table(one);
            if (indexed) {
                index(one, table);
            }
            race(one, two, table);
        }
    }

    @Test
    void eachNewKeyIsInsertedOnceInAStore() throws Exception {
        try (S3Server store = S3Server.inMemory().withBucket("lance-catalog")) {
            Map<String, String> settings = new HashMap<>(store.settings());
            settings.put("lance.rest.root", "s3://lance-catalog");
            try (RunningServer one = RunningServer.with(settings);
                    RunningServer two = RunningServer.with(settings)) {
                race(one, two, table(one));
            }
        }
    }

    @Test
    void writersOfANewTableMakeItOnceAndEachKeyOnce() throws Exception {
        try (RunningServer one = RunningServer.on(folder, Map.of());
                RunningServer two = RunningServer.on(folder, Map.of());
                Race race = new Race(WRITERS)) {
            one.makeNamespace("acme", "lake-one", "sales");
            for (int round = 0; round < 5; round++) {
                String table = "/v1/table/" + id("sales", "new-" + round);
                one.post(table + "/declare").ok();
                race.run(writer -> (writer % 2 == 0 ? one : two)
                        .arrow(table + UPSERT, ArrowStreams.longs("id", 1, 2, 3))
                        .ok());
                assertThat(one.post(table + "/count_rows").ok().text()).isEqualTo("3");
            }
        }
    }

    @Test
    void aMergeWaitsNoLongerThanItsTimeoutAndThenNothingIsDone() throws Exception {
        try (S3Server store = S3Server.inMemory().withBucket("lance-catalog")) {
            Map<String, String> settings = new HashMap<>(store.settings());
            settings.put("lance.rest.root", "s3://lance-catalog");
            settings.put("lance.limits.store-timeout", "30s");
            try (RunningServer server = RunningServer.with(settings);
                    Race race = new Race(2)) {
                String table = table(server);
                try (FaultRule hanging = store.next(
                        1,
                        request -> request.isWrite()
                                && request.path().contains("/data/")
                                && !request.path().contains("__manifest"),
                        new Fault.Delay(java.time.Duration.ofSeconds(15)))) {
                    List<Answer> answers = race.run(writer -> {
                        if (writer == 0) {
                            return server.arrow(table + UPSERT, ArrowStreams.longs("id", 7));
                        }
                        org.awaitility.Awaitility.await().until(() -> hanging.hits() == 1);
                        return server.arrow(table + UPSERT + "&timeout=5s", ArrowStreams.longs("id", 8));
                    });
                    assertThat(answers.get(0).status()).isEqualTo(200);
                    // On a busy machine the time may be over before the merge stands in line; then it is cut as any
                    // request is.
                    assertThat(answers.get(1).status()).isIn(429, 503);
                    assertThat(answers.get(1).response().headers().firstValue("Retry-After"))
                            .isPresent();
                }
                assertThat(server.post(table + "/count_rows", "{\"predicate\":\"id = 8\"}")
                                .ok()
                                .text())
                        .isEqualTo("0");
                server.arrow(table + UPSERT, ArrowStreams.longs("id", 8)).ok();
            }
        }
    }

    private static String table(RunningServer server) {
        server.makeNamespace("acme", "lake-one", "sales");
        String table = "/v1/table/" + id("sales", "keys");
        server.arrow(table + "/create", ArrowStreams.longs("id", -1, -2)).ok();
        return table;
    }

    private static void race(RunningServer one, RunningServer two, String table) throws Exception {
        try (Race race = new Race(WRITERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                long key = round;
                race.run(writer -> (writer % 2 == 0 ? one : two)
                        .arrow(table + UPSERT, ArrowStreams.longs("id", key, 1_000 + key))
                        .ok());
                assertThat(one.post(table + "/count_rows").ok().text())
                        .as("round " + round)
                        .isEqualTo(String.valueOf(2 + 2 * (round + 1)));
            }
        }
    }

    private static void index(RunningServer server, String table) {
        String location =
                server.post(table + "/describe").ok().json().path("location").asString();
        try (Dataset dataset = Dataset.open(URI.create(location).getPath())) {
            dataset.createIndex(IndexOptions.builder(
                            List.of("id"),
                            IndexType.BTREE,
                            IndexParams.builder()
                                    .setScalarIndexParams(ScalarIndexParams.create("btree"))
                                    .build())
                    .withIndexName("id_idx")
                    .build());
        }
    }
}
