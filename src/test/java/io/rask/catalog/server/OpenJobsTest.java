package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many jobs may wait where nobody works on them. */
class OpenJobsTest {
    @TempDir
    static Path folder;

    private static final String TABLE = "/v1/table/" + id("sales", "orders");

    @Test
    void oneJobTooManyIsTurnedAwayUntilAnotherHasEnded() {
        try (RunningServer server = RunningServer.on(
                folder,
                Map.of("lance.jobs.worker", "none", "lance.jobs.most-open", "2", "lance.jobs.inline-wait", "0s"))) {
            server.makeNamespace("acme", "lake-one", "sales");
            server.arrow(TABLE + "/create", Rows.THREE).ok();
            String dropped = "/v1/table/" + id("sales", "dropped");
            server.arrow(dropped + "/create", Rows.THREE).ok();
            String first = accepted(compact(server));
            accepted(server.post("/v1/warehouses/lake-one/orphans/scan", "{}"));
            for (Answer answer :
                    new Answer[] {compact(server), server.post("/v1/warehouses/lake-one/orphans/scan", "{}")}) {
                refused(answer, 429, 21);
                assertThat(answer.response().headers().firstValue("Retry-After"))
                        .hasValue("10");
            }
            server.post(dropped + "/drop").ok();
            server.post("/v1/jobs/cancel", "{\"job_id\":\"" + first + "\"}").ok();
            accepted(compact(server));
            refused(compact(server), 429, 21);
        }
    }

    private static Answer compact(RunningServer server) {
        return server.post(TABLE + "/maintenance/compact", "{}");
    }

    private static String accepted(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        return answer.json().path("job_id").asString();
    }
}
