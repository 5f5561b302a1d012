package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.TokenServer;
import io.rask.webtest.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Whatever route there is, now or later, nobody passes who has not said who asks, and nothing happens. */
@ExtendWith(AskingCatalog.Provider.class)
class EveryRouteAsksTest {
    private static final byte[] BODY =
            "{\"id\":\"asked\",\"name\":\"asked\",\"project\":\"asked\"}".getBytes(StandardCharsets.UTF_8);

    private final AskingCatalog catalog;
    private final RunningServer server;
    private final TokenServer tokens;

    EveryRouteAsksTest(AskingCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.tokens = catalog.tokens();
    }

    private record Route(String method, String path) {}

    private List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        server.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .forEach((info, handler) -> info.getPatternValues()
                        .forEach(pattern -> info.getMethodsCondition().getMethods().stream()
                                .map(RequestMethod::name)
                                .forEach(method ->
                                        routes.add(new Route(method, pattern.replaceAll("\\{\\w+}", "asked"))))));
        return routes;
    }

    /** Every file of records and tables, and when it was last written. */
    private Map<Path, Object> state() throws IOException {
        Map<Path, Object> state = new TreeMap<>();
        try (Stream<Path> files = Files.walk(catalog.folder())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                // What a server writes by itself, whoever asks or not.
                if (!file.toString().contains("_probe") && !file.toString().contains("_jobs")) {
                    state.put(file, Files.getLastModifiedTime(file));
                }
            }
        }
        return state;
    }

    @Test
    void nobodyPassesWithoutACredentialThatIsRight() throws IOException {
        catalog.as("ann").makeNamespace("asked", "asked", "asked");
        String over = tokens.signed(tokens.claims("ann")
                .expirationTime(Date.from(Instant.now().minusSeconds(120)))
                .build());
        List<String> callers = List.of(
                "x-nothing: 1",
                "Authorization: Bearer " + over,
                "Authorization: Bearer not-a-token",
                "x-api-key: not-a-key",
                "x-service-identity: loader");
        List<Route> routes = routes();
        assertThat(routes).hasSizeGreaterThan(80);
        RawHttp raw = new RawHttp(server.port());
        Map<Path, Object> before = state();
        List<String> passed = new ArrayList<>();
        for (Route route : routes) {
            for (String caller : callers) {
                byte[] body = route.method().equals("GET") ? new byte[0] : BODY;
                RawHttp.Answer answer = raw.send(route.method(), route.path(), body, caller);
                boolean refused = answer.status() == 401
                        && answer.code() == 16
                        && !answer.header("www-authenticate").isEmpty();
                if (!refused) {
                    passed.add(route + " " + caller + " " + answer.status());
                }
            }
        }
        assertThat(passed).isEmpty();
        assertThat(state()).isEqualTo(before);
    }
}
