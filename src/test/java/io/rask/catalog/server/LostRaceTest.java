package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Server;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Two servers commit to one table, and the commit of one is overtaken on its way to the store. */
class LostRaceTest {
    private static final String TABLE = "/v1/table/" + id("sales", "orders");

    @Test
    void aLostCommitIsAConflictThatARetryCures() throws Exception {
        try (S3Server store = S3Server.inMemory().withBucket("lance-catalog")) {
            Map<String, String> settings = new HashMap<>(store.settings());
            settings.put("lance.rest.root", "s3://lance-catalog");
            try (RunningServer one = RunningServer.with(settings);
                    RunningServer two = RunningServer.with(settings)) {
                one.makeNamespace("acme", "lake-one", "sales");
                String create = TABLE + "/create?mode=overwrite";
                FaultRule late = store.next(
                        1,
                        request -> request.isWrite() && request.path().contains("__manifest/_versions"),
                        new Fault.Delay(Duration.ofSeconds(4)));
                CompletableFuture<Answer> loser =
                        CompletableFuture.supplyAsync(() -> one.arrow(create, ArrowStreams.longs("id", 1)));
                await().atMost(Duration.ofSeconds(10)).until(() -> late.hits() == 1);
                two.arrow(create, ArrowStreams.longs("id", 2, 3)).ok();
                refused(loser.get(), 409, 14);
                assertThat(one.post(TABLE + "/count_rows").ok().text()).isEqualTo("2");
                one.arrow(create, ArrowStreams.longs("id", 1)).ok();
                assertThat(two.post(TABLE + "/count_rows").ok().text()).isEqualTo("1");
            }
        }
    }
}
