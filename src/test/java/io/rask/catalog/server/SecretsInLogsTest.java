package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** However much is logged, what lets a caller in is not. */
@ExtendWith({AskingCatalog.Provider.class, OutputCaptureExtension.class})
class SecretsInLogsTest {
    private static final List<String> LOGGERS =
            List.of("io.rask.catalog", "org.springframework.security", "org.springframework.web", "com.nimbusds");

    private final LoggingSystem logs = LoggingSystem.get(SecretsInLogsTest.class.getClassLoader());
    private final AskingCatalog catalog;
    private final RunningServer server;

    SecretsInLogsTest(AskingCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
    }

    @BeforeEach
    void logEverything() {
        LOGGERS.forEach(logger -> logs.setLogLevel(logger, LogLevel.TRACE));
    }

    @AfterEach
    void logAsUsual() {
        LOGGERS.forEach(logger -> logs.setLogLevel(logger, null));
    }

    @Test
    void noCredentialIsLoggedOrAnswered(CapturedOutput output) {
        String good = catalog.tokens().token("lea");
        String bad = catalog.tokens()
                .signed(catalog.tokens().claims("lea").audience("other").build());
        String text = server.asking("Authorization", "Bearer " + good)
                .post("/v1/api-keys", "{\"name\":\"notebook\"}")
                .ok()
                .json()
                .path("key")
                .asString();
        String wrong = text.substring(0, text.length() - 3) + "xyz";
        List<RunningServer.Answer> answers = new ArrayList<>();
        answers.add(server.asking("Authorization", "Bearer " + good).get("/v1/me"));
        answers.add(server.asking("Authorization", "Bearer " + bad).get("/v1/me"));
        answers.add(
                server.asking("Authorization", "Bearer " + good.substring(5)).get("/v1/me"));
        answers.add(server.asking("x-api-key", text).get("/v1/me"));
        answers.add(server.asking("x-api-key", wrong).get("/v1/me"));
        answers.add(server.asking("x-service-token", AskingCatalog.SERVICE_TOKEN)
                .asking("x-service-identity", "nobody")
                .get("/v1/me"));
        assertThat(output).as("the log is on").contains("GET /v1/me");
        for (String secret : List.of(
                good.substring(good.lastIndexOf('.') + 1),
                bad.substring(bad.lastIndexOf('.') + 1),
                text.substring(34),
                wrong.substring(34),
                AskingCatalog.SERVICE_TOKEN)) {
            assertThat(output).doesNotContain(secret);
            assertThat(answers).allSatisfy(answer -> {
                assertThat(answer.text()).doesNotContain(secret);
                assertThat(answer.response().headers().map().toString()).doesNotContain(secret);
            });
        }
    }
}
