package io.rask.catalog.server;

import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.lance.NativeCalls;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.server.OddRequests.Odd;
import io.rask.catalog.server.OddRequests.Route;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.Indices;
import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.RunningServer;
import io.rask.webtest.RawHttp;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Thousands of odd requests at every route that is served: each is answered with what it deserves, and when they are over the server
 * has everything back. {@code -Dfuzz.rounds=500} runs longer, {@code -Dfuzz.seed=…} runs one again.
 */
class RouteFuzzTest {
    private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 12);
    private static final int CLIENTS = 3;
    private static final int STREAMS = 8;
    private static final int PER_ROUTE = 3;
    private static final long HEAP_SLACK = 48L << 20;

    /** Statuses of the protocol itself, told with the code that is nearest. */
    private static final Map<Integer, Set<Integer>> PROTOCOL =
            Map.of(0, Set.of(404, 405, 406, 501), 13, Set.of(400, 413, 414, 415, 431));

    @TempDir
    static Path folder;

    private static RunningServer server;
    private static RawHttp raw;
    private static NativeCalls calls;
    private static final Queue<String> failures = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() {
        server = RunningServer.on(
                folder,
                Map.of(
                        "lance.jobs.worker", "none",
                        "lance.jobs.inline-wait", "0s",
                        "lance.limits.streams", String.valueOf(STREAMS)));
        raw = new RawHttp(server.port());
        calls = server.bean(NativeCalls.class);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyRequestIsAnsweredAsItDeservesAndNothingIsLost() throws Exception {
        long seed = Long.getLong("fuzz.seed", System.nanoTime());
        System.out.println("RouteFuzzTest seed " + seed);
        List<Route> routes = routes();
        assertThat(routes)
                .as("every operation of the register")
                .extracting(route -> route.method() + " " + route.pattern())
                .containsAll(Register.served()
                        .map(operation -> operation.method() + " " + operation.path())
                        .toList());
        Map<String, Integer> seen = new TreeMap<>();
        int warm = Math.max(1, ROUNDS / 3);
        run(seed, 0, warm, routes, seen);
        long heap = liveHeap();
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        run(seed, warm, ROUNDS, routes, seen);
        System.out.println("RouteFuzzTest answers " + seen);
        assertThat(failures).isEmpty();
        await().atMost(Duration.ofSeconds(30)).until(() -> calls.running() == 0);
        assertThat(calls.freeStreams()).isEqualTo(STREAMS);
        await("no thread is left behind")
                .atMost(Duration.ofSeconds(90))
                .until(() -> ManagementFactory.getThreadMXBean().getThreadCount() <= threads + 4);
        await("the heap is as it was").atMost(Duration.ofSeconds(30)).until(() -> liveHeap() < heap + HEAP_SLACK);
        assertThat(seen.get("200")).as("some were right").isPositive();
        restore();
        server.post(table(0) + "/count_rows").ok();
    }

    private static List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        server.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .forEach((info, handler) -> {
                    List<String> fields = RouteFields.of(handler);
                    for (String pattern : info.getPatternValues()) {
                        for (RequestMethod method : info.getMethodsCondition().getMethods()) {
                            routes.add(new Route(method.name(), pattern, fields));
                        }
                    }
                });
        routes.sort(Comparator.comparing(Route::pattern).thenComparing(Route::method));
        return routes;
    }

    private static void run(long seed, int from, int to, List<Route> routes, Map<String, Integer> seen)
            throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int round = from; round < to; round++) {
                restore();
                List<Callable<Map<String, Integer>>> clients = new ArrayList<>();
                for (int client = 0; client < CLIENTS; client++) {
                    OddRequests requests = new OddRequests(seed + 1_000L * round + client);
                    clients.add(() -> client(requests, routes));
                }
                for (Future<Map<String, Integer>> counted : threads.invokeAll(clients)) {
                    counted.get().forEach((status, count) -> seen.merge(status, count, Integer::sum));
                }
            }
        }
    }

    private static Map<String, Integer> client(OddRequests requests, List<Route> routes) throws IOException {
        Map<String, Integer> seen = new TreeMap<>();
        for (Route route : routes) {
            for (int i = 0; i < PER_ROUTE; i++) {
                Odd odd = requests.next(route);
                try {
                    seen.merge(check(odd), 1, Integer::sum);
                } catch (AssertionError e) {
                    // All of them are told at the end: one may hide another.
                    failures.add(String.valueOf(e.getMessage()));
                }
            }
        }
        return seen;
    }

    private static String check(Odd odd) throws IOException {
        RawHttp.Answer answer;
        try {
            answer = raw.send(
                    odd.method(), odd.target(), odd.body(), odd.headers().toArray(String[]::new));
        } catch (IOException | RuntimeException e) {
            throw new AssertionError("no answer to " + odd, e);
        }
        String what = odd + "\n" + answer.status() + " " + answer.text();
        assertThat(answer.complete()).as(what).isTrue();
        if (answer.status() < 400) {
            return String.valueOf(answer.status());
        }
        assertThat(answer.header("content-type")).as(what).startsWith("application/problem+json");
        int code = answer.code();
        assertThat(code).as(what).isBetween(0, 23);
        assertThat(answer.json().path("status").asInt()).as(what).isEqualTo(answer.status());
        // LanceDB's clients, whose paths end with a slash, know a table that is there by 400.
        Set<Integer> statuses =
                code == ErrorCode.TABLE_ALREADY_EXISTS.number() && odd.target().matches("[^?]*/(\\?.*)?")
                        ? Set.of(400, 409)
                        : PROTOCOL.getOrDefault(code, Set.of(ErrorCode.values()[code].status()));
        assertThat(answer.status()).as(what).isIn(statuses);
        assertThat(answer.status() < 500 || code == 0).as(what).isTrue();
        return String.valueOf(answer.status());
    }

    private static String table(int number) {
        return "/v1/table/" + id(OddRequests.HOME, "t" + number);
    }

    /** Puts back what the requests have taken away. */
    private static void restore() {
        server.post("/v1/projects", "{\"id\":\"" + OddRequests.PROJECT + "\"}");
        server.post(
                "/v1/warehouses",
                "{\"id\":\"" + OddRequests.WAREHOUSE + "\",\"project\":\"" + OddRequests.PROJECT + "\"}");
        server.post("/v1/warehouses/" + OddRequests.WAREHOUSE + "/activate");
        server.post(
                "/v1/warehouses/" + OddRequests.WAREHOUSE + "/namespaces",
                "{\"namespace\":\"" + OddRequests.HOME + "\"}");
        for (int i = 0; i < 3; i++) {
            server.post("/v1/namespace/" + id(OddRequests.HOME, "n" + i) + "/create", "{}");
        }
        server.post("/v1/table/" + id(OddRequests.HOME, "declared") + "/declare");
        byte[] rows = ArrowStreams.of(
                OddRequests.COLUMNS,
                IntStream.range(0, 20)
                        .mapToObj(i -> row(i, "one " + i, List.of(i, 1)))
                        .toList());
        for (int i = 0; i < 4; i++) {
            server.arrow(table(i) + "/create?mode=overwrite", rows);
        }
        String location =
                server.post(table(0) + "/describe").ok().json().path("location").asString();
        Indices.make(Clones.folder(location).toString(), "id", "text", "place");
        for (int i = 0; i < 3; i++) {
            server.post(table(i) + "/branches/create", "{\"name\":\"dev\"}");
            server.post(table(i) + "/tags/create", "{\"tag\":\"gold\",\"version\":1}");
        }
    }

    /** The bytes that are in use after a collection. */
    private static long liveHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
