package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that send or take their bodies a little at a time, but never stop. */
class SlowClientsTest {
    private static final String TABLE = "/v1/table/" + id("sales", "orders");
    private static final int STREAMS = 2;
    private static final byte[] ROWS =
            ArrowStreams.longs("id", LongStream.range(0, 500_000).toArray());

    @TempDir
    static Path folder;

    private static RunningServer server;
    private static ScheduledExecutorService clock;
    private final List<Socket> clients = new ArrayList<>();

    @BeforeAll
    static void start() {
        server = RunningServer.on(
                folder,
                Map.of(
                        "lance.limits.streams", String.valueOf(STREAMS),
                        "lance.limits.queue-wait", "100ms",
                        "lance.limits.client-patience", "2s",
                        "server.tomcat.connection-timeout", "5s"));
        server.makeNamespace("acme", "lake-one", "sales");
        server.arrow(TABLE + "/create", ROWS).ok();
        for (int i = 0; i < 9; i++) {
            server.arrow(TABLE + "/insert", ROWS).ok();
        }
        clock = Executors.newScheduledThreadPool(2);
    }

    @AfterEach
    void leave() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
    }

    @AfterAll
    static void stop() {
        clock.shutdownNow();
        server.close();
    }

    @Test
    void clientsThatSendAByteAtATimeDoNotKeepOthersOut() throws Exception {
        for (int i = 0; i < STREAMS; i++) {
            Socket client = send(TABLE + "/insert", ROWS.length, "");
            int[] sent = {0};
            every(() -> client.getOutputStream().write(ROWS, sent[0]++, 1));
        }
        assertOthersGetTheirTurn();
        assertThat(server.post(TABLE + "/count_rows").ok().text()).isEqualTo("5000000");
    }

    @Test
    void clientsThatTakeALittleAtATimeDoNotKeepOthersOutAndGetNoWholeFile() throws Exception {
        String query = "{\"vector\":[],\"k\":9223372036854775807}";
        for (int i = 0; i < STREAMS; i++) {
            Socket client = send(TABLE + "/query", query.length(), query);
            every(() -> client.getInputStream().readNBytes(500));
        }
        assertOthersGetTheirTurn();
        byte[] rest = rest(clients.getFirst().getInputStream());
        assertThat(new String(rest, StandardCharsets.ISO_8859_1))
                .doesNotEndWith("0\r\n\r\n")
                .doesNotContain("ARROW1\r\n");
    }

    private static void assertOthersGetTheirTurn() {
        await("all streams are taken")
                .atMost(Duration.ofSeconds(10))
                .until(() -> server.post(TABLE + "/count_rows").status() == 429);
        server.post(TABLE + "/describe", "{}").ok();
        await("the slow are cut off")
                .atMost(Duration.ofSeconds(20))
                .until(() -> server.post(TABLE + "/count_rows").status() == 200);
    }

    private Socket send(String path, int length, String body) throws IOException {
        Socket client = new Socket();
        clients.add(client);
        client.setReceiveBufferSize(4_096);
        client.connect(new InetSocketAddress("127.0.0.1", server.port()));
        String head = "POST " + path + " HTTP/1.1\r\nHost: catalog\r\nContent-Length: " + length + "\r\n\r\n";
        client.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** Ends with the first failure: then the server has closed the connection. */
    private static void every(Step step) {
        clock.scheduleAtFixedRate(
                () -> {
                    try {
                        step.run();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                0,
                200,
                TimeUnit.MILLISECONDS);
    }

    private static byte[] rest(InputStream in) throws IOException {
        try {
            return in.readAllBytes();
        } catch (SocketException e) {
            return new byte[0];
        }
    }
}
