package io.rask.catalog.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.webtest.RawHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two servers on one root behind a real nginx are the catalog that one server is. */
class NginxTest {
    private static final String REQUEST_ID = "X-Request-ID: the-same";
    private static final int LARGE_ROWS = 200_000;

    @TempDir
    static Path folder;

    @TempDir
    static Path proxyFolder;

    private static RunningServer one;
    private static RunningServer two;
    private static Nginx nginx;

    @BeforeAll
    static void start() throws IOException {
        Optional<Path> program = Nginx.program();
        if (program.isEmpty()) {
            System.err.println(
                    "LEFT OUT: the tests behind nginx, which this machine does not have (Debian: nginx-light)");
        }
        Assumptions.assumeTrue(program.isPresent(), "no nginx on this machine");
        one = RunningServer.on(folder, Map.of());
        two = RunningServer.on(folder, Map.of());
        one.makeNamespace("acme", "lake-proxied", "ns1");
        nginx = Nginx.start(program.orElseThrow(), proxyFolder, one.port(), two.port());
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (nginx != null) {
            nginx.close();
            one.close();
            two.close();
        }
    }

    /** Every spelling of clients, and names that a proxy that decodes would send elsewhere. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ns1%24n+s%2F2?delimiter=%24",
                "ns1%24n%20s%2F2",
                "ns1$n%20s%2F2",
                "ns1$n%20s%2f2",
                "ns1$raw/slash",
                "ns1%24a%252Fb",
                "ns1%24..%2Fadmin",
                "ns1%24..%2F..%2Fv1%2Fprojects",
                "ns1%24a%3Bb",
                "ns1$a;b",
                "ns1%24a%5Cb",
                "ns1%24a%2Bb",
                "ns1%24a%25b",
                "ns1%24%C3%A9",
                "ns1$a%2F%2Fb",
                "ns1.dotted?delimiter=.",
                "ns1%24a%23b%26c%3Dd"
            })
    void everyIdArrivesAsItWasSent(String id) throws IOException {
        int query = id.indexOf('?');
        String path = "/v1/table/" + (query < 0 ? id : id.substring(0, query));
        String rest = query < 0 ? "" : id.substring(query);
        RawHttp proxied = new RawHttp(nginx.port);
        RawHttp direct = new RawHttp(two.port());
        proxied.post(path + "/drop" + rest, "{}");
        assertThat(proxied.post(path + "/declare" + rest, "{}").status()).isEqualTo(200);
        RawHttp.Answer described = proxied.post(path + "/describe" + rest, "{}", REQUEST_ID);
        assertThat(described.status()).as(described.text()).isEqualTo(200);
        assertThat(described.text())
                .isEqualTo(
                        direct.post(path + "/describe" + rest, "{}", REQUEST_ID).text());
        RawHttp.Answer again = proxied.post(path + "/declare" + rest, "{}", REQUEST_ID);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text())
                .isEqualTo(
                        direct.post(path + "/declare" + rest, "{}", REQUEST_ID).text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/namespace/%24/list", "/v1/namespace/$/list", "/v1/namespace/./list?delimiter=."})
    void theRootArrivesInEverySpelling(String path) throws IOException {
        RawHttp.Answer proxied = new RawHttp(nginx.port).get(path, REQUEST_ID);
        assertThat(proxied.status()).isEqualTo(200);
        assertThat(proxied.text())
                .isEqualTo(new RawHttp(one.port()).get(path, REQUEST_ID).text());
    }

    @Test
    void rowsOfManyMegabytesGoInAndOut() throws Exception {
        byte[] rows = largeRows();
        assertThat(rows.length).isGreaterThan(3 << 20);
        String table = "/v1/table/ns1%24large";
        assertThat(send(table + "/create", BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(rows)))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(table + "/insert", BodyPublishers.ofByteArray(rows)).statusCode())
                .isEqualTo(200);
        HttpResponse<byte[]> file =
                send(table + "/query", BodyPublishers.ofString("{\"k\":" + 2 * LARGE_ROWS + ",\"vector\":[]}"));
        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.body().length).isGreaterThan(3 << 20);
        assertThat(ArrowStreams.read(file.body())).hasSize(2 * LARGE_ROWS);
    }

    private static byte[] largeRows() {
        List<List<Object>> rows = new ArrayList<>();
        for (long id = 0; id < LARGE_ROWS; id++) {
            rows.add(List.of(id, id * 31));
        }
        return ArrowStreams.of(
                List.of(Field.nullable("id", ArrowStreams.INT64), Field.nullable("other", ArrowStreams.INT64)), rows);
    }

    /** A proxy that keeps bodies back until they are whole would say nothing here. */
    @Test
    void aRefusalComesBeforeTheBodyIsSent() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), nginx.port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write("""
                    POST /v1/table/absent%24t/create HTTP/1.1\r
                    Host: localhost\r
                    Content-Type: application/vnd.apache.arrow.stream\r
                    Content-Length: 50000000\r
                    \r
                    """.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            byte[] head = socket.getInputStream().readNBytes("HTTP/1.1 404".length());
            assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 404");
        }
    }

    @Test
    void aLongHeadPassesAsItDoesWithoutTheProxy() throws IOException {
        String token = "Authorization: Bearer " + "x".repeat(20_000);
        assertThat(new RawHttp(nginx.port)
                        .post("/v1/namespace/ns1/exists", "{}", token)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void bothServersAreAskedAndOneThatIsGoneIsPassedOver() throws Exception {
        Path own = folder.resolve("own");
        RunningServer left = RunningServer.on(own, Map.of());
        RunningServer gone = RunningServer.on(own, Map.of());
        left.makeNamespace("acme", "lake-passed", "ns2");
        Path work = java.nio.file.Files.createDirectory(proxyFolder.resolve("passed"));
        try (left;
                Nginx proxy = Nginx.start(Nginx.program().orElseThrow(), work, left.port(), gone.port())) {
            RawHttp proxied = new RawHttp(proxy.port);
            for (int i = 0; i < 8; i++) {
                assertThat(proxied.post("/v1/table/ns2%24t" + i + "/declare", "{}")
                                .status())
                        .isEqualTo(200);
            }
            assertThat(proxy.served()).contains("127.0.0.1:" + left.port(), "127.0.0.1:" + gone.port());
            gone.close();
            for (int i = 0; i < 8; i++) {
                assertThat(proxied.post("/v1/table/ns2%24t" + i + "/drop", "{}").status())
                        .isEqualTo(200);
            }
        }
    }

    private static HttpResponse<byte[]> send(String path, HttpRequest.BodyPublisher body) throws Exception {
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + nginx.port + path))
                            .timeout(Duration.ofMinutes(2))
                            .POST(body)
                            .build(),
                    BodyHandlers.ofByteArray());
        }
    }
}
