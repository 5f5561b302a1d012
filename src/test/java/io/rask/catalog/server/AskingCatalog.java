package io.rask.catalog.server;

import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.TokenServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.util.FileSystemUtils;

/** The one server of the tests of identity, which takes every way to say who asks. */
final class AskingCatalog implements AutoCloseable {
    static final String CONFIGURED_KEY = "configured-for-tests-0123456789abcdef";
    static final String SERVICE_TOKEN = "shared-by-services-0123456789abcdef";

    private final Path folder;
    private final TokenServer tokens = TokenServer.start();
    private final RunningServer server;

    private AskingCatalog() {
        try {
            folder = Files.createTempDirectory("asking-catalog");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server = another();
    }

    /** One more server over the same records. */
    RunningServer another() {
        Map<String, String> settings = new HashMap<>(tokens.settings());
        settings.put("lance.jobs.worker", "none");
        settings.put("lance.api-keys.enabled", "true");
        settings.put("lance.api-keys.cache-ttl", "1s");
        settings.put("lance.service.token", SERVICE_TOKEN);
        settings.put("lance.service.subjects", "loader,sweeper");
        settings.put("lance.bootstrap.keys.robot.subject", "robot");
        settings.put("lance.bootstrap.keys.robot.key", CONFIGURED_KEY);
        return RunningServer.on(folder, settings);
    }

    RunningServer server() {
        return server;
    }

    TokenServer tokens() {
        return tokens;
    }

    /** Where the records are. */
    Path folder() {
        return folder;
    }

    /** The server, asked with a good token. */
    RunningServer as(String subject) {
        return server.asking("Authorization", "Bearer " + tokens.token(subject));
    }

    @Override
    public void close() throws IOException {
        server.close();
        tokens.close();
        FileSystemUtils.deleteRecursively(folder);
    }

    /** Gives the catalog to the constructor of a test; it ends with the last test of the process. */
    static final class Provider implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == AskingCatalog.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(AskingCatalog.class))
                    .computeIfAbsent(AskingCatalog.class, any -> new AskingCatalog());
        }
    }
}
