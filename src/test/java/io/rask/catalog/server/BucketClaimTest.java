package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.S3Server;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Warehouses with a root of their own on S3: what counts is the bucket the root names. */
class BucketClaimTest {
    private static S3Server store;
    private static RunningServer server;

    @BeforeAll
    static void start() {
        store = S3Server.inMemory()
                .withBucket("lance-catalog")
                .withBucket("shared")
                .withBucket("vault");
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        settings.put("lance.storage.allowed-roots", "s3://shared,s3://vault");
        settings.put("lance.reserved-buckets", "vault");
        server = RunningServer.with(settings);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(server.get("/readyz").status()).isEqualTo(200));
        server.post("/v1/projects", "{\"id\":\"acme\"}").ok();
        server.post("/v1/projects", "{\"id\":\"other\"}").ok();
    }

    @AfterAll
    static void stop() {
        server.close();
        store.close();
    }

    @Test
    void aRootClaimsTheBucketItNamesForItsProject() {
        String made = server.post(
                        "/v1/warehouses", "{\"id\":\"lake-a\",\"project\":\"acme\",\"root\":\"s3://shared/a\"}")
                .ok()
                .json()
                .path("bucket")
                .asString();
        assertThat(made).isEqualTo("shared");
        refused(
                server.post("/v1/warehouses", "{\"id\":\"lake-b\",\"project\":\"other\",\"root\":\"s3://shared/b\"}"),
                409,
                2);
        server.post("/v1/warehouses", "{\"id\":\"lake-c\",\"project\":\"acme\",\"root\":\"s3://shared/c\"}")
                .ok();
    }

    @Test
    void aReservedBucketIsRefusedAsPartOfARootToo() {
        refused(
                server.post("/v1/warehouses", "{\"id\":\"lake-v\",\"project\":\"acme\",\"root\":\"s3://vault/v\"}"),
                400,
                13);
    }

    @Test
    void aBucketThatIsNotTheRootsIsRefused() {
        refused(
                server.post(
                        "/v1/warehouses",
                        "{\"id\":\"lake-d\",\"project\":\"acme\",\"bucket\":\"elsewhere\",\"root\":\"s3://shared/d\"}"),
                400,
                13);
    }
}
