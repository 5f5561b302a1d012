package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.FaultRule.S3Request;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Server;
import io.rask.catalog.testing.Workers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A worker process that is killed while the commit of its compaction is on the way: the store carries it out all the same. */
class CompactionCrashTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void aCompactionWhoseWorkerDiesAtItsCommitIsDoneOnce() {
        try (S3Server store = S3Server.inMemory().withBucket("lance-catalog")) {
            Map<String, String> settings = new HashMap<>(store.settings());
            settings.put("lance.rest.root", "s3://lance-catalog");
            settings.put("lance.jobs.inline-wait", "0s");
            settings.put("lance.jobs.poll", "200ms");
            settings.put("lance.jobs.lease", "10s");
            // Longer than the commit is on its way.
            settings.put("lance.jobs.backoff", "6s");
            try (RunningServer server = RunningServer.with(settings)) {
                server.makeNamespace("acme", "lake-one", "sales");
                FaultRule commits = store.watch(request -> isCommit(request, "counted"));
                String counted = fragmented(server, "counted");
                int made = commits.hits();
                JsonNode undisturbed = ended(server, compact(server, counted));
                int steps = commits.hits() - made;
                assertThat(steps).isPositive();

                String killed = fragmented(server, "killed");
                long before = version(server, killed);
                AtomicInteger seen = new AtomicInteger();
                FaultRule last = store.next(
                        1,
                        request -> isCommit(request, "killed") && seen.incrementAndGet() == steps,
                        new Fault.Delay(Duration.ofSeconds(3)));
                String job = compact(server, killed);
                await().atMost(PATIENCE).until(() -> last.hits() == 1);
                Workers.kill();
                JsonNode ended = ended(server, job);
                assertThat(ended.path("attempts").asInt()).as(ended.toString()).isEqualTo(2);
                assertThat(ended.at("/result/fragments_after")).isEqualTo(undisturbed.at("/result/fragments_after"));
                assertThat(ended.at("/result/version").asLong())
                        .isEqualTo(version(server, killed))
                        .isEqualTo(before + steps);
                assertThat(server.post(killed + "/count_rows").ok().text()).isEqualTo("15");
            }
        }
    }

    private static boolean isCommit(S3Request request, String table) {
        return request.isWrite()
                && request.path().contains(table)
                && request.path().contains("_versions");
    }

    private static String fragmented(RunningServer server, String name) {
        String table = "/v1/table/" + id("sales", name);
        server.arrow(table + "/create", Rows.THREE).ok();
        for (int i = 0; i < 4; i++) {
            server.arrow(table + "/insert", Rows.THREE).ok();
        }
        return table;
    }

    private static String compact(RunningServer server, String table) {
        Answer answer = server.post(table + "/maintenance/compact", "{}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        return "{\"job_id\":\"" + answer.json().path("job_id").asString() + "\"}";
    }

    private static JsonNode ended(RunningServer server, String job) {
        await().atMost(PATIENCE)
                .until(() -> !describe(server, job).path("job_state").asString().equals("IN_PROGRESS"));
        JsonNode ended = describe(server, job);
        assertThat(ended.path("job_state").asString()).as(ended.toString()).isEqualTo("DONE");
        return ended;
    }

    private static JsonNode describe(RunningServer server, String job) {
        return server.post("/v1/jobs/describe", job).ok().json();
    }

    private static long version(RunningServer server, String table) {
        return server.post(table + "/describe").ok().json().path("version").asLong();
    }
}
