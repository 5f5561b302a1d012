package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.FaultRule.S3Request;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Catalog;
import io.rask.catalog.testing.Workers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** A worker process that is killed in the middle of a backfill. */
class BackfillCrashTest {
    // Longer than a commit is on its way.
    @RegisterExtension
    static final S3Catalog CATALOG =
            S3Catalog.with(Map.of("lance.jobs.poll", "100ms", "lance.jobs.lease", "10s", "lance.jobs.backoff", "2s"));

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long FRAGMENTS = 3;

    /** The write at which the worker dies. */
    enum Step {
        FIRST_CHECKPOINT(1, request -> request.path().contains("/kept/")),
        SECOND_VALUES(2, request -> request.path().contains("/data/")),
        SECOND_CHECKPOINT(2, request -> request.path().contains("/kept/")),
        VERSION_ASIDE(1, request -> request.path().contains("_versions/d")),
        COMMIT(1, request -> request.path().contains("_versions/1"));

        private final int number;
        private final Predicate<S3Request> write;

        Step(int number, Predicate<S3Request> write) {
            this.number = number;
            this.write = write;
        }

        boolean is(S3Request request, String table, AtomicInteger seen) {
            boolean here = request.path().contains(table) || request.path().contains("/kept/");
            return request.isWrite() && here && write.test(request) && seen.incrementAndGet() == number;
        }
    }

    private static Backfilled table(String name) {
        return Backfilled.made(
                CATALOG.server(), "/v1/table/" + id("sales", name), new long[] {1, 2}, new long[] {3, 4}, new long[] {
                    5, 6
                });
    }

    @ParameterizedTest
    @EnumSource
    void aBackfillWhoseWorkerDiesGoesOnWhereItWasAndHappensOnce(Step step) {
        String name = "t" + step.ordinal();
        Backfilled table = table(name);
        long before = table.version();
        FaultRule values = CATALOG.store()
                .watch(request -> request.isWrite()
                        && request.path().contains(name)
                        && request.path().contains("/data/"));
        AtomicInteger seen = new AtomicInteger();
        // The store carries it out although the one who asked is gone.
        FaultRule deadly = CATALOG.store()
                .next(1, request -> step.is(request, name, seen), new Fault.Delay(Duration.ofMillis(1500)));
        Answer asked = table.ask("{\"column\":\"twice\",\"checkpoint_size\":1}");
        await().atMost(PATIENCE).until(() -> deadly.hits() == 1);
        assertThat(table.count("twice IS NULL"))
                .as("nothing is seen before the commit")
                .isEqualTo(6);
        Workers.kill();

        JsonNode job = table.ended(asked);

        assertThat(job.path("job_state").asString()).as(job.toString()).isEqualTo("DONE");
        assertThat(job.path("attempts").asInt()).isEqualTo(2);
        assertThat(job.at("/result/rows_assigned").longValue()).isEqualTo(6);
        assertThat(job.at("/result/published_version").longValue())
                .isEqualTo(before + 1)
                .isEqualTo(table.version());
        assertThat(table.count("twice = id * 2")).isEqualTo(6);
        // One step at most is repeated: the one that was not kept.
        assertThat((long) values.hits()).isBetween(FRAGMENTS, FRAGMENTS + 1);
    }

    @Test
    void aBackfillThatIsCancelledLeavesTheTableAsItWas() {
        Backfilled table = table("cancelled");
        long before = table.version();
        FaultRule slow = CATALOG.store()
                .next(
                        1,
                        request -> request.isWrite() && request.path().contains("/kept/"),
                        new Fault.Delay(Duration.ofSeconds(30)));
        Answer asked = table.ask("{\"column\":\"twice\",\"checkpoint_size\":1}");
        await().atMost(PATIENCE).until(() -> slow.hits() == 1);
        CATALOG.server()
                .post(
                        "/v1/jobs/cancel",
                        "{\"job_id\":\"" + asked.json().path("job_id").asString() + "\"}")
                .ok();
        slow.close();
        assertThat(table.ended(asked).path("job_state").asString()).isEqualTo("CANCELLED");
        assertThat(table.version()).isEqualTo(before);
        assertThat(table.count("twice IS NULL")).isEqualTo(6);
    }
}
