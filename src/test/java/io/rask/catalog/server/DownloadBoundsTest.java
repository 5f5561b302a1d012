package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.lance.NativeCalls;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers that end before they are whole: the client takes them too slowly, or they outgrow their bound while they are written. */
class DownloadBoundsTest {
    @TempDir
    static Path folder;

    private static final String TABLE = "/v1/table/" + id("sales", "orders");
    private static final int ROWS = 500_000;
    private static final int INSERTS = 10;
    private static final String LAST_CHUNK = "0\r\n\r\n";

    private static RunningServer server;
    private static NativeCalls calls;

    @BeforeAll
    static void start() {
        server = RunningServer.on(
                folder,
                Map.of(
                        "lance.limits.client-rate", "1MB",
                        "lance.limits.client-patience", "2s",
                        "lance.limits.result-bytes", "30MB",
                        // Neither the container nor the deadline ends an answer as long as these tests last.
                        "server.tomcat.connection-timeout", "10m",
                        "lance.limits.request-deadline", "10m"));
        calls = server.bean(NativeCalls.class);
        server.makeNamespace("acme", "lake-one", "sales");
        byte[] rows = ArrowStreams.longs("id", LongStream.range(0, ROWS).toArray());
        server.arrow(TABLE + "/create", rows).ok();
        for (int i = 1; i < INSERTS; i++) {
            server.arrow(TABLE + "/insert", rows).ok();
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Socket ask(long rows) throws IOException {
        String query = "{\"vector\":[],\"k\":" + rows + "}";
        Socket client = new Socket();
        client.setReceiveBufferSize(64 << 10);
        client.connect(new InetSocketAddress("127.0.0.1", server.port()));
        String head =
                "POST " + TABLE + "/query HTTP/1.1\r\nHost: catalog\r\nContent-Length: " + query.length() + "\r\n\r\n";
        client.getOutputStream().write((head + query).getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    @Test
    void aClientThatReadsSteadilyButBelowTheLeastRateIsCutAndAFasterOneIsNot() throws Exception {
        try (ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
                Socket slow = ask(3_000_000)) {
            AtomicLong read = new AtomicLong();
            InputStream in = slow.getInputStream();
            clock.scheduleAtFixedRate(() -> read(in, 32 << 10, read), 0, 200, TimeUnit.MILLISECONDS);
            await("the answer is under way").atMost(Duration.ofSeconds(10)).until(() -> calls.running() > 0);
            await("the slow client is cut off").atMost(Duration.ofSeconds(60)).until(() -> calls.running() == 0);
            assertThat(read.get()).as("it was reading all the time").isBetween(64L << 10, 24_000_000L);
            clock.shutdownNow();
        }
        try (ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
                Socket quick = ask(3_000_000)) {
            AtomicLong read = new AtomicLong();
            InputStream in = quick.getInputStream();
            clock.scheduleAtFixedRate(() -> read(in, 1 << 20, read), 0, 200, TimeUnit.MILLISECONDS);
            await("the whole answer is there").atMost(Duration.ofSeconds(60)).until(() -> read.get() > 24_000_000);
            clock.shutdownNow();
        }
    }

    /** Ends with the first failure: then the server has closed the connection. */
    private static void read(InputStream in, int most, AtomicLong read) {
        try {
            read.addAndGet(in.readNBytes(most).length);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anAnswerThatOutgrowsItsBoundWhileItIsWrittenIsBrokenOff() throws Exception {
        try (Socket client = ask((long) ROWS * INSERTS)) {
            StringBuilder answer = new StringBuilder();
            byte[] piece = new byte[1 << 20];
            try {
                InputStream in = client.getInputStream();
                for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                    answer.append(new String(piece, 0, n, StandardCharsets.ISO_8859_1));
                }
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("reset");
            }
            assertThat(answer).startsWith("HTTP/1.1 200").hasSizeGreaterThan(20_000_000);
            assertThat(answer.substring(answer.length() - 16)).doesNotEndWith(LAST_CHUNK);
        }
        await().atMost(Duration.ofSeconds(10)).until(() -> calls.running() == 0);
        byte[] whole = server.post(TABLE + "/query", "{\"vector\":[],\"k\":1000000}")
                .ok()
                .bytes();
        assertThat(ArrowStreams.read(whole)).hasSize(1_000_000);
    }
}
