package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.S3Server;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Drops whose bytes could not be deleted while the client waited. */
class InterruptedDropTest {
    @Test
    void bytesThatCouldNotBeDeletedAreDeletedByAWorkerLater() {
        try (S3Server store = S3Server.inMemory().withBucket("lance-catalog")) {
            Map<String, String> settings = new HashMap<>(store.settings());
            settings.put("lance.rest.root", "s3://lance-catalog");
            settings.put("lance.limits.store-timeout", "2s");
            settings.put("lance.jobs.poll", "300ms");
            settings.put("lance.jobs.backoff", "200ms");
            try (RunningServer server = RunningServer.with(settings)) {
                server.makeNamespace("acme", "lake-one", "sales");
                for (String name : new String[] {"a", "b"}) {
                    server.arrow("/v1/table/" + id("sales", name) + "/create", Rows.THREE)
                            .ok();
                }
                store.always(
                        request -> request.method().equals("DELETE")
                                || (request.method().equals("POST")
                                        && !request.path().contains("_control")),
                        new Fault.Status(403, "AccessDenied"));
                server.post("/v1/namespace/sales/drop", "{\"behavior\":\"cascade\"}")
                        .ok();
                assertThat(jobs(server).path("jobs")).hasSize(1);
                store.heal();
                await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() -> assertThat(
                                        jobs(server).at("/jobs/0/state").asString())
                                .isEqualTo("DONE"));
                String job = jobs(server).at("/jobs/0/job_id").asString();
                JsonNode done = server.post("/v1/jobs/describe", "{\"job_id\":\"" + job + "\"}")
                        .ok()
                        .json();
                assertThat(done.at("/result/deleted").asInt()).isEqualTo(2);
                assertThat(done.path("spec").toString()).doesNotContain(S3Server.SECRET_KEY);
            }
        }
    }

    private static JsonNode jobs(RunningServer server) {
        return server.post("/v1/jobs/list", "{}").ok().json();
    }
}
