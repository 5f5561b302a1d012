package io.rask.catalog.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whoever is configured is told of events, signed, in order and at least once, by one of two servers. */
class WebhookTest {
    private static final String SECRET = "a secret of the receiver";
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

    @TempDir
    static Path folder;

    private static final List<Received> received = new CopyOnWriteArrayList<>();
    /** How often an object is still refused. */
    private static final Map<String, AtomicInteger> refusals = new ConcurrentHashMap<>();
    /** The object whose answer begins and does not end. */
    private static final String ENDLESS = "hooked$endless";

    private static HttpServer receiver;
    private static RunningServer one;
    private static RunningServer two;

    private record Received(String path, Map<String, String> headers, byte[] body) {
        JsonNode event() {
            return JsonMapper.shared().readTree(body);
        }

        String object() {
            return event().at("/data/object").asString();
        }
    }

    @BeforeAll
    static void start() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", WebhookTest::receive);
        receiver.setExecutor(runnable -> Thread.ofVirtual().start(runnable));
        receiver.start();
        String address = "http://127.0.0.1:" + receiver.getAddress().getPort();
        Map<String, String> settings = Map.of(
                "lance.events.webhooks.all.url",
                address + "/all",
                "lance.events.webhooks.all.secret",
                SECRET,
                "lance.events.webhooks.all.backoff",
                "10ms",
                "lance.events.webhooks.all.attempts",
                "3",
                "lance.events.webhooks.all.timeout",
                "2s",
                "lance.events.webhooks.drops.url",
                address + "/drops",
                "lance.events.webhooks.drops.secret",
                SECRET,
                "lance.events.webhooks.drops.types",
                "io.rask.catalog.table.dropped");
        one = RunningServer.on(folder, settings);
        two = RunningServer.on(folder, settings);
        // A webhook is told what happens from the moment on at which it is first looked after.
        await().atMost(LONG_ENOUGH).until(() -> {
            one.post("/v1/projects", "{\"id\":\"first\"}").ok();
            return received.stream().anyMatch(any -> any.object().equals("first"));
        });
        one.makeNamespace("acme", "lake-hooked", "hooked");
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
        receiver.stop(0);
    }

    private static void receive(HttpExchange exchange) throws IOException {
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        byte[] body = exchange.getRequestBody().readAllBytes();
        Received request = new Received(exchange.getRequestURI().getPath(), headers, body);
        AtomicInteger left = refusals.get(request.object());
        boolean refused = left != null && left.getAndDecrement() > 0;
        if (!refused) {
            received.add(request);
        }
        if (request.object().equals(ENDLESS)) {
            trickle(exchange);
        }
        exchange.sendResponseHeaders(refused ? 500 : 204, -1);
        exchange.close();
    }

    /** Answers a little now and then, until the one who asked has gone. */
    private static void trickle(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        while (true) {
            exchange.getResponseBody().write('.');
            exchange.getResponseBody().flush();
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    private static void declare(RunningServer server, String name) {
        server.post("/v1/table/" + RunningServer.id("hooked", name) + "/declare", "{}")
                .ok();
    }

    /** The objects of table events of a webhook whose names begin so, in the order in which they came first. */
    private static List<String> told(String path, String prefix) {
        return received.stream()
                .filter(any -> any.path().equals(path))
                .map(Received::object)
                .filter(object -> object.startsWith("hooked$" + prefix))
                .distinct()
                .toList();
    }

    @Test
    void whatBothServersDidComesInTheOrderOfTheLog() {
        List<String> wanted = IntStream.range(0, 6)
                .peek(i -> declare(i % 2 == 0 ? one : two, "ordered-" + i))
                .mapToObj(i -> "hooked$ordered-" + i)
                .toList();
        await().atMost(LONG_ENOUGH).until(() -> told("/all", "ordered-").equals(wanted));
    }

    @Test
    void aRequestIsSignedSoThatTheReceiverCanTell() {
        declare(one, "signed");
        await().atMost(LONG_ENOUGH).until(() -> !told("/all", "signed").isEmpty());
        Received request = received.stream()
                .filter(any -> any.object().equals("hooked$signed"))
                .findFirst()
                .orElseThrow();
        String id = request.headers().getOrDefault("webhook-id", "");
        String timestamp = request.headers().getOrDefault("webhook-timestamp", "");
        assertThat(id).isEqualTo(request.event().path("id").asString());
        assertThat(Instant.ofEpochSecond(Long.parseLong(timestamp)))
                .isAfter(Instant.now().minusSeconds(300));
        assertThat(request.headers().get("content-type")).isEqualTo("application/cloudevents+json");
        assertThat(request.headers().get("webhook-signature"))
                .isEqualTo("v1," + WebhookRequest.signature(SECRET, id, timestamp, request.body()));
    }

    /** The example of the Standard Webhooks specification's form, computed with another tool. */
    @Test
    void theSignatureIsTheOneThatOthersCompute() {
        assertThat(WebhookRequest.signature(
                        "secret", "msg_1", "1700000000", "{\"a\":1}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("Q5nZ7DiOGwijBBqvBVAK6c0zDr2JLkXI7TaV4f+Q2vY=");
    }

    @Test
    void aWebhookIsToldOfItsTypesAlone() {
        declare(one, "typed");
        one.post("/v1/table/" + RunningServer.id("hooked", "typed") + "/drop").ok();
        await().atMost(LONG_ENOUGH).until(() -> told("/drops", "typed").size() == 1);
        assertThat(received.stream().filter(any -> any.path().equals("/drops")))
                .allSatisfy(any ->
                        assertThat(any.event().path("type").asString()).isEqualTo("io.rask.catalog.table.dropped"));
    }

    @Test
    void aRefusalIsTriedAgainAndWhatFollowsWaits() {
        refusals.put("hooked$again-1", new AtomicInteger(2));
        declare(one, "again-1");
        declare(two, "again-2");
        await().atMost(LONG_ENOUGH)
                .until(() -> told("/all", "again-").equals(List.of("hooked$again-1", "hooked$again-2")));
    }

    @Test
    void whatIsNeverTakenIsADeadLetterAndTheNextFollows() {
        refusals.put("hooked$dead", new AtomicInteger(3));
        declare(one, "dead");
        await().atMost(LONG_ENOUGH)
                .until(() -> letters(two).stream()
                        .anyMatch(letter ->
                                letter.at("/event/data/object").asString().equals("hooked$dead")));
        declare(one, "alive");
        await().atMost(LONG_ENOUGH).until(() -> told("/all", "alive").size() == 1);
        JsonNode letter = letters(one).stream()
                .filter(any -> any.at("/event/data/object").asString().equals("hooked$dead"))
                .findFirst()
                .orElseThrow();
        assertThat(letter.path("webhook").asString()).isEqualTo("all");
        assertThat(letter.path("attempts").asInt()).isEqualTo(3);
        assertThat(letter.path("reason").asString()).contains("500");
        assertThat(told("/all", "dead")).isEmpty();
    }

    @Test
    void anAnswerThatDoesNotEndHoldsNobodyUp() {
        declare(one, "endless");
        declare(one, "endless-follows");
        await().atMost(LONG_ENOUGH)
                .until(() -> told("/all", "endless").equals(List.of(ENDLESS, "hooked$endless-follows")));
    }

    private static List<JsonNode> letters(RunningServer server) {
        return server.get("/v1/events/dead-letters")
                .ok()
                .json()
                .path("dead_letters")
                .valueStream()
                .toList();
    }
}
