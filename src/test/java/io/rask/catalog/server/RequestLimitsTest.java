package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.lance.NativeCalls;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Server;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one request may cost, in time and in size, over a store that hangs when it is told to. */
class RequestLimitsTest {
    private static final String TABLE = "/v1/table/" + id("sales", "orders");
    private static final int STREAMS = 4;
    private static final int UPLOADS = 2;

    private static S3Server store;
    /** A server without such limits, which makes what the tests need. */
    private static RunningServer patient;

    private static RunningServer server;
    private static NativeCalls calls;
    private final List<Socket> clients = new ArrayList<>();

    @BeforeAll
    static void start() {
        store = S3Server.inMemory().withBucket("lance-catalog");
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        patient = RunningServer.with(settings);
        patient.makeNamespace("acme", "lake-one", "sales");
        patient.arrow(
                        TABLE + "/create",
                        ArrowStreams.longs("id", LongStream.range(0, 500).toArray()))
                .ok();
        settings.put("lance.limits.streams", String.valueOf(STREAMS));
        settings.put("lance.limits.uploads", String.valueOf(UPLOADS));
        settings.put("lance.limits.request-deadline", "4s");
        settings.put("lance.limits.store-timeout", "20s");
        settings.put("lance.limits.result-rows", "1000");
        settings.put("lance.limits.result-bytes", "100KB");
        server = RunningServer.with(settings);
        calls = server.bean(NativeCalls.class);
    }

    @AfterEach
    void heal() throws IOException {
        store.heal();
        for (Socket client : clients) {
            client.close();
        }
        await("all calls have ended").atMost(Duration.ofSeconds(60)).until(() -> calls.running() == 0);
        assertThat(calls.freeStreams()).isEqualTo(STREAMS);
    }

    @AfterAll
    static void stop() {
        server.close();
        patient.close();
        store.close();
    }

    /** The data files of a fresh table hang; its metadata does not. */
    private static String hanging(String name) {
        String table = "/v1/table/" + id("sales", name);
        patient.arrow(table + "/create", ArrowStreams.longs("id", 1, 2, 3)).ok();
        store.always(
                request -> request.path().contains("/data/") && request.path().contains(name),
                new Fault.Delay(Duration.ofSeconds(18)));
        return table;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/query", "/count_rows", "/insert", "/merge_insert?on=id&when_matched_update_all=true"})
    void aHungStoreIsCutAtTheDeadlineAndTheTurnIsFree(String operation) {
        String table = hanging("hung-" + operation.length());
        long begin = System.nanoTime();
        Answer answer = operation.startsWith("/query")
                ? server.post(table + operation, "{\"vector\":[],\"k\":10}")
                : operation.startsWith("/count")
                        ? server.post(table + operation, "{\"predicate\":\"id = 1\"}")
                        : server.arrow(table + operation, ArrowStreams.longs("id", 3));
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(12));
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo(17);
        assertThat(answer.response().headers().firstValue("Retry-After")).isPresent();
        assertThat(calls.freeStreams()).isEqualTo(STREAMS);
        assertThat(server.post(TABLE + "/count_rows").ok().text()).isEqualTo("500");
    }

    @Test
    void theClientsOwnTimeEndsARequestSooner() throws Exception {
        String table = hanging("impatient");
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + table + "/count_rows"))
                .header("x-request-timeout-ms", "600")
                .POST(HttpRequest.BodyPublishers.ofString("{\"predicate\":\"id = 1\"}"))
                .build();
        long begin = System.nanoTime();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(3_500));
    }

    @Test
    void aClientThatLeavesFreesItsTurnWhileTheStoreHangs() throws Exception {
        String table = hanging("left");
        String query = "{\"vector\":[],\"k\":10}";
        for (int i = 0; i < STREAMS; i++) {
            send(table + "/query", query.length(), query);
        }
        await().atMost(Duration.ofSeconds(2)).until(() -> calls.freeStreams() == 0);
        for (Socket client : clients) {
            client.close();
        }
        await().atMost(Duration.ofSeconds(2)).until(() -> calls.freeStreams() == STREAMS);
        assertThat(calls.running()).as("calls that the store still holds").isPositive();
    }

    @Test
    void oneUploadTooManyIsTurnedAwayBeforeItsBodyIsRead() throws Exception {
        byte[] rows = ArrowStreams.longs("id", 900);
        for (int i = 0; i < UPLOADS; i++) {
            send(TABLE + "/insert", rows.length, "");
        }
        await().atMost(Duration.ofSeconds(5)).until(() -> calls.freeStreams() == STREAMS - UPLOADS);
        Socket refused = send(TABLE + "/insert", 1_000_000_000, "");
        String head = line(refused.getInputStream());
        assertThat(head).startsWith("HTTP/1.1 429");
        assertThat(server.post(TABLE + "/count_rows").ok().text()).isEqualTo("500");
        for (Socket client : clients) {
            client.close();
        }
        await("the turns of those who left are free")
                .atMost(Duration.ofSeconds(5))
                .until(() -> calls.freeStreams() == STREAMS);
        await().atMost(Duration.ofSeconds(5))
                .until(() -> server.arrow(TABLE + "/insert", ArrowStreams.longs("id"))
                                .status()
                        == 200);
    }

    @Test
    void anAnswerThatWouldHaveTooManyRowsIsRefusedBeforeItBegins() {
        String table = "/v1/table/" + id("sales", "long");
        patient.arrow(
                        table + "/create",
                        ArrowStreams.longs("id", LongStream.range(0, 1_001).toArray()))
                .ok();
        Answer answer = server.post(table + "/query", "{\"vector\":[],\"k\":9223372036854775807}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("1000 rows");
        server.post(table + "/query", "{\"vector\":[],\"k\":1000}").ok();
        server.post(table + "/query", "{\"vector\":[],\"k\":2000,\"offset\":1}").ok();
    }

    private Socket send(String path, int length, String body) throws IOException {
        Socket client = new Socket();
        clients.add(client);
        client.setSoTimeout(10_000);
        client.connect(new InetSocketAddress("127.0.0.1", server.port()));
        String head = "POST " + path + " HTTP/1.1\r\nHost: catalog\r\nContent-Length: " + length + "\r\n\r\n";
        client.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString();
    }
}
