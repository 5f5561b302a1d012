package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.RunningServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The platform's own services. */
@ExtendWith(AskingCatalog.Provider.class)
class ServiceIdentityTest {
    private final RunningServer server;

    ServiceIdentityTest(AskingCatalog catalog) {
        this.server = catalog.server();
    }

    private RunningServer service(String name) {
        return server.asking("x-service-token", AskingCatalog.SERVICE_TOKEN).asking("x-service-identity", name);
    }

    @Test
    void aListedServiceWithTheTokenIsASubjectOfItsOwn() {
        JsonNode me = service("loader").get("/v1/me").ok().json();
        assertThat(me.path("subject").asString()).isEqualTo("service/loader");
        assertThat(me.path("identified_by").asString()).isEqualTo("service");
    }

    @ParameterizedTest
    @ValueSource(strings = {"other", "LOADER", "loader,sweeper", "service/loader", "*"})
    void aServiceThatIsNotListedIsRefused(String name) {
        refused(service(name).get("/v1/me"), 401, 16);
    }

    @Test
    void theTokenAloneTheNameAloneAndAWrongTokenAreRefused() {
        refused(server.asking("x-service-token", AskingCatalog.SERVICE_TOKEN).get("/v1/me"), 401, 16);
        refused(server.asking("x-service-identity", "loader").get("/v1/me"), 401, 16);
        refused(
                server.asking("x-service-token", "shared-by-services-0123456789abcdeX")
                        .asking("x-service-identity", "loader")
                        .get("/v1/me"),
                401,
                16);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "false", ""})
    void aServiceThatCameThroughThePublicGatewayIsRefused(String value) {
        refused(service("loader").asking("x-public-gateway", value).get("/v1/me"), 401, 16);
    }

    @Test
    void anEmptyListAdmitsNobody(@TempDir Path folder) {
        try (RunningServer closed = RunningServer.on(
                folder, Map.of("lance.service.token", AskingCatalog.SERVICE_TOKEN, "lance.jobs.worker", "none"))) {
            for (String name : new String[] {"loader", "x"}) {
                refused(
                        closed.asking("x-service-token", AskingCatalog.SERVICE_TOKEN)
                                .asking("x-service-identity", name)
                                .get("/v1/me"),
                        401,
                        16);
            }
            // Keys are switched off there: their doors say so only to those who may ask.
            refused(closed.get("/v1/api-keys"), 401, 16);
        }
    }
}
