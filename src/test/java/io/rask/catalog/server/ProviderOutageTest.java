package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.AuditLines;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.TokenServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A provider that is away when the server starts, comes, changes its keys, and goes. */
@ExtendWith(OutputCaptureExtension.class)
class ProviderOutageTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    static Path folder;

    private static RunningServer.Answer asking(RunningServer server, String token) {
        return server.asking("Authorization", "Bearer " + token).get("/v1/me");
    }

    @Test
    void anOutageOfTheProviderIsOursAndNoBadCallers(CapturedOutput output) {
        TokenServer first = TokenServer.start();
        String before = first.token("ann");
        Map<String, String> settings = new HashMap<>(first.settings());
        settings.put("lance.oidc.cache-ttl", "1");
        settings.put("lance.jobs.worker", "none");
        first.close();
        try (RunningServer server = RunningServer.on(folder, settings)) {
            try (AuditLines lines = AuditLines.listen()) {
                refused(asking(server, before), 503, 17);
                refused(server.get("/v1/me"), 401, 16);
                assertThat(lines.told())
                        .extracting(line -> line.path("verdict").asString())
                        .containsExactly("FAILURE", "DENY");
            }
            RunningServer.Answer away = refused(asking(server, before), 503, 17);
            assertThat(reason(away)).contains("identity provider");
            assertThat(away.header("Retry-After")).isNotBlank();
            assertThat(output).contains("answered 503").doesNotContain(before);
            refused(server.get("/v1/me"), 401, 16);
            await().atMost(PATIENCE).until(() -> server.get("/readyz").status() == 200);

            try (TokenServer second = TokenServer.startAt(first.port())) {
                await().atMost(PATIENCE)
                        .until(() -> asking(server, second.token("ann")).status() == 200);
                refused(asking(server, before), 401, 16);
                String old = second.token("ann");
                second.rotate("next");
                await().atMost(PATIENCE)
                        .until(() -> asking(server, second.token("ann")).status() == 200);
                await().atMost(PATIENCE).until(() -> asking(server, old).status() == 401);
                before = second.token("ann");
            }
            String known = before;
            await().atMost(PATIENCE).until(() -> asking(server, known).status() == 503);
        }
    }
}
