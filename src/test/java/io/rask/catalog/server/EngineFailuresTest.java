package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.table;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.door.Asked;
import io.rask.catalog.server.AuthorizationMatrixTest.Route;
import io.rask.catalog.testing.AuditLines;
import io.rask.catalog.testing.CountingProxy;
import io.rask.catalog.testing.CountingProxy.Change;
import io.rask.catalog.testing.CountingProxy.Reply;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.StopBehindTheDoor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A permission engine that answers, but not what was asked, or never: nothing of it is taken for a verdict, at no door. */
@Tag("engine")
class EngineFailuresTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int AT_ONCE = 32;
    private static final String UNDEFINED =
            "{\"code\":\"validation_error\",\"message\":\"relation 'table#can_fly' not found\"}";

    private static CountingProxy proxy;
    private static GovernedCatalog catalog;

    @BeforeAll
    static void start() {
        OpenFga engine = OpenFga.shared();
        proxy = new CountingProxy(engine.uri());
        catalog = new GovernedCatalog(
                engine,
                Map.of(
                        "lance.fga.api-url", proxy.uri().toString(),
                        "lance.fga.cache-ttl", "0s",
                        "lance.fga.timeout-seconds", "2",
                        "lance.jobs.worker", "none"),
                StopBehindTheDoor.class);
        catalog.makeNamespace("olga", "acme", "lake", "shop");
        for (String name : List.of("there", "one", "two", "three")) {
            catalog.as("olga").post(path(name) + "/declare", "{}").ok();
        }
        assertThat(catalog.as("olga")
                        .post("/v1/warehouses/lake/orphans/scan", "{}")
                        .status())
                .isEqualTo(202);
    }

    @AfterAll
    static void stop() {
        if (catalog != null) {
            catalog.close();
        }
        if (proxy != null) {
            proxy.close();
        }
    }

    private static String path(String name) {
        return "/v1/table/" + RunningServer.id("shop", name);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A relation that the engine's model does not have is the engine's refusal, and no denial and no allowance. */
    @Test
    void everyDoorThatAsksIsShutWhileTheEngineRefusesTheQuestion() {
        proxy.answering(
                (path, question, answer) -> new Reply(400, bytes(UNDEFINED)),
                () -> everyDoorIsShut("olga", "stranger"));
        assertThat(catalog.as("olga").post(path("there") + "/exists", "{}").status())
                .isEqualTo(200);
    }

    @Test
    void everyDoorThatAsksIsShutWhileTheEngineIsFrozen() {
        whileFrozen(() -> everyDoorIsShut("olga"));
        assertThat(catalog.as("olga").post(path("there") + "/exists", "{}").status())
                .isEqualTo(200);
    }

    private static void whileFrozen(Runnable meanwhile) {
        CountDownLatch thaws = new CountDownLatch(1);
        Change frozen = (path, question, answer) -> {
            thaws.await();
            return answer;
        };
        try {
            proxy.answering(frozen, meanwhile);
        } finally {
            thaws.countDown();
        }
    }

    /** All would look for the store again, and one alone does; that one hangs as long as the engine lets it. */
    @Test
    void aStoreThatIsLookedForAgainByManyKeepsNobodyWaitingForTheOthers() {
        proxy.answering(
                (path, question, answer) -> new Reply(404, bytes("{\"code\":\"store_id_not_found\"}")),
                () -> refused(catalog.as("olga").post(path("there") + "/exists", "{}"), 503, 17));
        long begin = System.nanoTime();
        whileFrozen(() -> {
            try (Race race = new Race(AT_ONCE)) {
                assertThat(race.run(runner -> catalog.as("olga")
                                .post(path("there") + "/exists", "{}")
                                .code()))
                        .containsOnly(17);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        // One after the other they would take more than a minute.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
        catalog.as("olga").post(path("there") + "/exists", "{}").ok();
    }

    private static void everyDoorIsShut(String... users) {
        List<Route> routes = AuthorizationMatrixTest.routes(catalog.server());
        assertThat(routes).hasSizeGreaterThan(120);
        List<String> wrong = new ArrayList<>();
        try (Race race = new Race(AT_ONCE)) {
            race.run(runner -> {
                        List<String> found = new ArrayList<>();
                        for (int at = runner; at < routes.size(); at += AT_ONCE) {
                            found.addAll(open(routes.get(at), users));
                        }
                        return found;
                    })
                    .forEach(wrong::addAll);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        assertThat(wrong).isEmpty();
        refused(catalog.as("olga").get("/v1/namespace/%24/list"), 503, 17);
    }

    /** A list asks behind its door, for each item, and changes nothing. */
    private static Answer asked(RunningServer caller, Route route) {
        if (route.door().asks() == Asked.EACH_ITEM) {
            return route.method().equals("GET") ? caller.get(route.pattern()) : caller.post(route.pattern(), "{}");
        }
        return AuthorizationMatrixTest.send(caller, route, route.path("acme", "lake", "shop", "there"));
    }

    /** The caller may do all this, and so would anybody who may not. */
    private static List<String> open(Route route, String... users) {
        List<String> wrong = new ArrayList<>();
        for (String user : users) {
            Answer answer = asked(catalog.as(user), route);
            boolean asksNothing = route.door().asks() == Asked.NOTHING;
            boolean asIs = asksNothing
                    ? answer.text().contains(StopBehindTheDoor.TEXT)
                    : answer.code() == 17 && !answer.header("Retry-After").isEmpty();
            if (!asIs) {
                wrong.add(route.name() + " as " + user + ": " + answer.status() + " " + answer.text());
            }
        }
        return wrong;
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 429})
    void anEngineThatFailsAllowsNothingAndTheRecordSaysSo(int status) {
        try (AuditLines lines = AuditLines.listen()) {
            proxy.answering((path, question, answer) -> new Reply(status, bytes("{}")), () -> {
                refused(catalog.as("olga").post(path("there") + "/exists", "{}"), 503, 17);
                refused(catalog.as("olga").get("/v1/table"), 503, 17);
            });
            JsonNode line = lines.told().getFirst();
            assertThat(line.path("verdict").asString()).isEqualTo("FAILURE");
            assertThat(line.path("who").asString()).isEqualTo("olga");
            assertThat(line.path("resource").asString()).isEqualTo("table:shop$there");
            assertThat(lines.told())
                    .as("the list")
                    .anyMatch(told -> told.path("what").asString().equals("GET /v1/table")
                            && told.path("verdict").asString().equals("FAILURE"));
            assertThat(lines.told())
                    .extracting(told -> told.path("verdict").asString())
                    .doesNotContain("ALLOW");
        }
    }

    /** Takes the verdict out of what was asked about some object, and leaves the others as they are. */
    private static Change without(String object) {
        return (path, question, answer) -> {
            JsonNode asked = JSON.readTree(question);
            JsonNode told = JSON.readTree(answer.body());
            asked.path("checks").forEach(check -> {
                if (check.at("/tuple_key/object").asString().equals(object)) {
                    ObjectNode result = (ObjectNode) told.path("result");
                    result.set(
                            check.path("correlation_id").asString(),
                            JSON.readTree("{\"error\":{\"internal_error\":\"internal_error\",\"message\":\"none\"}}"));
                }
            });
            return new Reply(answer.status(), JSON.writeValueAsBytes(told));
        };
    }

    @Test
    void oneVerdictThatIsMissingAllowsNothingOfTheBatch() {
        String both = IntStream.of(1, 2)
                .mapToObj(at -> "{\"deregister_table\":{\"id\":[\"shop\",\"" + (at == 1 ? "one" : "two") + "\"]}}")
                .collect(Collectors.joining(",", "{\"operations\":[", "]}"));
        proxy.answering(
                without("table:shop$two"),
                () -> refused(catalog.as("olga").post("/v1/table/batch-commit", both), 503, 17));
        for (String name : List.of("one", "two")) {
            catalog.as("olga").post(path(name) + "/exists", "{}").ok();
        }
    }

    @Test
    void oneVerdictThatIsMissingIsNeitherShownInAListNorLeftOut() {
        for (String name : List.of("one", "two", "three")) {
            catalog.grant("lena", "reader", table("shop", name));
        }
        String list = "/v1/namespace/shop/table/list";
        assertThat(catalog.as("lena").get(list).ok().json().path("tables")).hasSize(3);
        proxy.answering(without("table:shop$two"), () -> {
            refused(catalog.as("lena").get(list), 503, 17);
            refused(catalog.as("lena").get("/v1/table"), 503, 17);
        });
        assertThat(catalog.as("lena").get(list).ok().json().path("tables")).hasSize(3);
    }
}
