package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * The permission engine as its makers publish it, where a Docker engine can start it. Where none can, one line says that it was left
 * out.
 */
@EnabledIf(value = "isDockerThere", disabledReason = "no Docker engine answers")
class EngineInContainerTest {
    private static final String IMAGE = "openfga/openfga:" + OpenFga.VERSION;
    private static final int PORT = 8080;

    static boolean isDockerThere() {
        boolean there = DockerClientFactory.instance().isDockerAvailable();
        if (!there) {
            System.out.println("Left out: rights on " + IMAGE + ", because no Docker engine answers.");
        }
        return there;
    }

    @Test
    void aRightIsGivenWorksAndEndsOnThePublishedImage() {
        try (GenericContainer<?> engine = new GenericContainer<>(IMAGE)
                .withCommand("run", "--authn-method=preshared", "--authn-preshared-keys=" + OpenFga.TOKEN)
                .withExposedPorts(PORT)
                .waitingFor(Wait.forHttp("/healthz").forPort(PORT))
                .withStartupTimeout(Duration.ofMinutes(3))) {
            engine.start();
            URI uri = URI.create("http://" + engine.getHost() + ":" + engine.getMappedPort(PORT));
            try (GovernedCatalog catalog =
                    new GovernedCatalog(OpenFga.settings(uri), Map.of("lance.fga.cache-ttl", "0s"))) {
                givesAndTakes(catalog);
            }
        }
    }

    private static void givesAndTakes(GovernedCatalog catalog) {
        catalog.makeNamespace("olga", "acme", "lake", "shop");
        String table = "/v1/table/" + RunningServer.id("shop", "orders");
        String grant = "{\"principal\":\"user:rita\",\"rung\":\"reader\"}";
        catalog.as("olga").post(table + "/declare", "{}").ok();
        assertThat(catalog.as("rita").post(table + "/exists", "{}").status()).isEqualTo(403);
        catalog.as("olga").post(table + "/access/grant", grant).ok();
        assertThat(catalog.as("rita").post(table + "/exists", "{}").status()).isEqualTo(200);
        catalog.as("olga").post(table + "/access/revoke", grant).ok();
        assertThat(catalog.as("rita").post(table + "/exists", "{}").status()).isEqualTo(403);
    }
}
