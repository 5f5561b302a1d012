package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.UnixOperatingSystemMXBean;
import io.rask.catalog.lance.ArrowMemory;
import io.rask.catalog.lance.NativeRuntime;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that break off, and what bad requests leave behind in the process: nothing. */
@ExtendWith(SharedCatalog.Provider.class)
class BrokenStreamTest {
    private static final int ROWS = 20_000;
    private static final byte[] LARGE =
            ArrowStreams.longs("id", LongStream.range(0, ROWS).toArray());
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SharedCatalog catalog;
    private final RunningServer server;
    private final SharedCatalog.Home home;
    private final String table;

    BrokenStreamTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.home = catalog.freshNamespace();
        this.table = home.table("t");
        server.arrow(table + "/create", Rows.THREE).ok();
    }

    /** How a client says how long its body is. */
    private enum Framing {
        CHUNKED("Transfer-Encoding: chunked\r\n"),
        LENGTH("Content-Length: " + LARGE.length + "\r\n");

        private final String header;

        Framing(String header) {
            this.header = header;
        }
    }

    /** Sends the head of a request and half of its body, and closes the connection. */
    private void breakOff(String target, Framing framing) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + target + " HTTP/1.1\r\nHost: localhost\r\n" + framing.header + "\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            if (framing == Framing.CHUNKED) {
                out.write((Integer.toHexString(LARGE.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            }
            out.write(LARGE, 0, LARGE.length / 2);
            out.flush();
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            socket.setSoTimeout((int) PATIENCE.toMillis());
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).startsWith("HTTP/1.1 400");
        }
    }

    private void assertUntouched() {
        assertThat(server.post(table + "/describe").ok().json().path("version").longValue())
                .isEqualTo(1);
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
        refused(server.post(home.table("fresh") + "/exists"), 404, 4);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(catalog.tableFolders(home.warehouse())).hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CHUNKED", "LENGTH"})
    void aStreamBrokenHalfWayCommitsNothingAndLeavesNoFolder(String framing) throws Exception {
        for (int i = 0; i < 5; i++) {
            breakOff(home.table("fresh") + "/create", Framing.valueOf(framing));
            breakOff(table + "/insert", Framing.valueOf(framing));
            breakOff(table + "/insert?mode=overwrite", Framing.valueOf(framing));
            breakOff(table + "/create?mode=overwrite", Framing.valueOf(framing));
        }
        assertUntouched();
    }

    @Test
    void aStreamBrokenHalfWayLeavesADeclaredTableDeclared() throws Exception {
        String declared = home.table("declared");
        server.post(declared + "/declare").ok();
        breakOff(declared + "/insert", Framing.CHUNKED);
        assertThat(server.post(declared + "/describe", "{\"check_declared\":true}")
                        .ok()
                        .json()
                        .path("is_only_declared")
                        .booleanValue())
                .isTrue();
        server.arrow(declared + "/insert", LARGE).ok();
        assertThat(server.post(declared + "/count_rows").ok().text()).isEqualTo(String.valueOf(ROWS));
    }

    @Test
    void clientsThatVanishMidStreamHoldNoTurnOfOthers() throws Exception {
        for (int i = 0; i < 40; i++) {
            vanish(table + "/insert");
        }
        // While the server has not yet noticed, a newcomer is turned away at once rather than kept waiting.
        Awaitility.await()
                .until(() ->
                        server.arrow(table + "/insert?mode=overwrite", LARGE).status() == 200);
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo(String.valueOf(ROWS));
    }

    /** Sends half of a body and resets the connection. */
    private void vanish(String target) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + target + " HTTP/1.1\r\nHost: localhost\r\n" + Framing.LENGTH.header + "\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(LARGE, 0, LARGE.length / 2);
            out.flush();
            socket.setSoLinger(true, 0);
        }
    }

    @Test
    void aStreamWithOneWrongBitIsTakenOrRefusedButNeverAFailureOfTheServer() {
        byte[] whole = ArrowStreams.longs("id", 4, 5, 6);
        HostileStreams.flipped(whole, 300).forEach(body -> {
            Answer answer = server.arrow(table + "/insert?mode=overwrite", body);
            assertThat(answer.status()).as(answer.text()).isIn(200, 400);
            if (answer.status() == 400) {
                refused(answer, 400, answer.code());
            }
        });
        server.arrow(table + "/insert?mode=overwrite", whole).ok();
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
    }

    @Test
    void badRequestsLeaveNoThreadNoOpenFileAndNoMemoryBehind() throws Exception {
        Assumptions.assumeTrue(
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean,
                "counts of open files are to be had on Unix only");
        NativeRuntime runtime = server.bean(NativeRuntime.class);
        badRequests();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ArrowMemory.held(runtime)).isZero());
        int threads = threads();
        long files = openFiles();
        for (int i = 0; i < 10; i++) {
            badRequests();
        }
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(ArrowMemory.held(runtime)).isZero();
            assertThat(threads()).isLessThanOrEqualTo(threads + 5);
            assertThat(openFiles()).isLessThanOrEqualTo(files + 5);
        });
        assertThat(ArrowMemory.most(runtime)).isLessThan(64L << 20);
        assertUntouched();
    }

    private void badRequests() throws IOException {
        List<byte[]> bodies = HostileStreams.all().toList();
        for (byte[] body : bodies) {
            refused(server.arrow(table + "/insert", body), 400, 13);
            refused(server.arrow(home.table("fresh") + "/create", body), 400, 13);
        }
        breakOff(table + "/insert", Framing.CHUNKED);
        breakOff(home.table("fresh") + "/create", Framing.LENGTH);
        for (String predicate : List.of("colour = 1", "id =", "id = 1 and and")) {
            String body = "{\"predicate\":\"" + predicate + "\"}";
            assertThat(server.post(table + "/count_rows", body).code()).isIn(12, 13);
            assertThat(server.post(table + "/delete", body).code()).isIn(12, 13);
        }
        refused(server.post(table + "/describe", "{\"version\":99}"), 404, 11);
        refused(server.post(table + "/update", "{\"updates\":[[\"id\",\"'x'\"]]}"), 400, 13);
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static long openFiles() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }
}
