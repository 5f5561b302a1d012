package io.rask.catalog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.testing.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.BucketAlreadyExistsException;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;

/**
 * The contract on an S3 server that others wrote and run in production, where a Docker engine can start it. Where none can, one
 * line says that it was left out.
 */
@EnabledIf(value = "isDockerThere", disabledReason = "no Docker engine answers")
class ContainerRecordStoreTest implements RecordStoreContract, RecordsContract {
    private static final String IMAGE = "chrislusf/seaweedfs:4.46";
    private static final int PORT = 8333;

    @SuppressWarnings("resource") // closed after all tests
    private static final GenericContainer<?> SERVER = new GenericContainer<>(IMAGE)
            .withCommand("server", "-dir=/data", "-s3", "-s3.port=" + PORT)
            .withExposedPorts(PORT)
            .withStartupTimeout(Duration.ofMinutes(3));

    private static RecordStore store;

    static boolean isDockerThere() {
        boolean there = DockerClientFactory.instance().isDockerAvailable();
        if (!there) {
            System.out.println(
                    "Left out: the record store's contract on " + IMAGE + ", because no Docker engine answers.");
        }
        return there;
    }

    @BeforeAll
    static void open() {
        SERVER.start();
        CatalogProperties settings = Settings.of(Map.of(
                "lance.control.root", "s3://records/control",
                "lance.s3.endpoint", "http://" + SERVER.getHost() + ":" + SERVER.getMappedPort(PORT),
                "lance.s3.access-key-id", "any",
                "lance.s3.secret-access-key", "any"));
        store = RecordStores.open(settings);
        try (S3Clients clients = S3Clients.of(settings)) {
            await().atMost(Duration.ofMinutes(1)).until(() -> hasBucket(clients));
        }
        // Before the races, so that a server that cannot win them is named as the reason.
        assertThat(new ConditionalWriteProbe(store).run()).isInstanceOf(ProbeResult.Atomic.class);
    }

    private static boolean hasBucket(S3Clients clients) {
        try {
            clients.writes().createBucket(bucket -> bucket.bucket("records"));
            return true;
        } catch (BucketAlreadyOwnedByYouException | BucketAlreadyExistsException e) {
            return true; // an attempt before was carried out and not confirmed
        } catch (SdkException e) {
            return false; // the server is still starting
        }
    }

    @AfterAll
    static void close() {
        store.close();
        SERVER.stop();
    }

    @Override
    public RecordStore store() {
        return store;
    }

    @Test
    void theProbeLeavesNothingBehind() {
        assertThat(store.list("_probe/", null, 10).entries()).isEmpty();
    }
}
