package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server as a process of its own, killed while clients write: what it acknowledged is there when it is back. */
class KilledServerTest {
    private static final int CLIENTS = 6;
    private static final int KILLS = 3;
    private static final int NAMES = 4;

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private Process process;
    private int port;

    @AfterEach
    void stop() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
        http.close();
    }

    /** What a table may be like: how many rows it has; -1 where it is not there. Several where an answer never came. */
    private static final class Model {
        private final Map<String, Set<Long>> tables = new TreeMap<>();
        private int acknowledged;
        private int unknown;

        Set<Long> of(String table) {
            return tables.computeIfAbsent(table, any -> new HashSet<>(Set.of(-1L)));
        }
    }

    @Test
    void whatWasAcknowledgedSurvivesAndWhatWasNotIsWholeOrAbsent() throws Exception {
        long seed = Long.getLong("kill.seed", System.nanoTime());
        System.out.println("KilledServerTest seed " + seed);
        Random random = new Random(seed);
        port = freePort();
        try (RunningServer first = RunningServer.on(folder, Map.of("lance.jobs.worker", "none"))) {
            first.makeNamespace("acme", "lake-killed", "sales");
        }
        List<Model> models = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            models.add(new Model());
        }
        for (int kill = 0; kill < KILLS; kill++) {
            launch(kill);
            load(models, random);
            try (RunningServer server = RunningServer.on(folder, Map.of("lance.jobs.worker", "none"))) {
                check(server, models);
            }
        }
        System.out.printf(
                "KilledServerTest: %d acknowledged, %d unknown%n",
                models.stream().mapToInt(model -> model.acknowledged).sum(),
                models.stream().mapToInt(model -> model.unknown).sum());
        assertThat(models).allSatisfy(model -> assertThat(model.acknowledged).isPositive());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void launch(int number) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx384m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.rask.catalog.CatalogApplication",
                        "--server.port=" + port,
                        "--lance.jobs.worker=none",
                        "--lance.rest.root=" + folder.resolve("lance"),
                        "--lance.control.root=" + folder.resolve("control"),
                        "--lance.storage.allowed-roots=" + folder)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log-" + number).toFile())
                .start();
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> send("/v1/projects", null).statusCode() == 200);
    }

    /** Clients that go on until the server is gone, which is at a moment of its own. */
    private void load(List<Model> models, Random random) throws Exception {
        CountDownLatch begun = new CountDownLatch(CLIENTS * 3);
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Callable<Void> client = client(i, models.get(i), new Random(random.nextLong()), begun);
                clients.add(threads.submit(client));
            }
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
            boolean ended = process.waitFor(300 + random.nextInt(2_500), TimeUnit.MILLISECONDS);
            assertThat(ended).as("the server died by itself").isFalse();
            process.destroyForcibly().waitFor();
            for (Future<?> client : clients) {
                client.get();
            }
        }
    }

    private Callable<Void> client(int number, Model model, Random random, CountDownLatch begun) {
        return () -> {
            while (true) {
                String table = "c" + number + "-" + random.nextInt(NAMES);
                try {
                    switch (random.nextInt(5)) {
                        case 0, 1 -> create(model, table);
                        case 2 -> insert(model, table);
                        case 3 -> rename(model, table, "c" + number + "-" + random.nextInt(NAMES));
                        default -> drop(model, table);
                    }
                    model.acknowledged++;
                    begun.countDown();
                } catch (IOException e) {
                    model.unknown++;
                    return null;
                }
            }
        };
    }

    private void create(Model model, String table) throws IOException {
        Set<Long> states = model.of(table);
        Set<Long> before = Set.copyOf(states);
        if (before.contains(-1L)) {
            states.add(3L);
        }
        int status =
                send(path(table) + "/create", ArrowStreams.longs("id", 1, 2, 3)).statusCode();
        settle(states, before, status, state -> state == -1 ? 3L : null, 409);
    }

    private void insert(Model model, String table) throws IOException {
        Set<Long> states = model.of(table);
        Set<Long> before = Set.copyOf(states);
        before.stream().filter(rows -> rows >= 0).forEach(rows -> states.add(rows + 2));
        int status =
                send(path(table) + "/insert", ArrowStreams.longs("id", 8, 9)).statusCode();
        settle(states, before, status, state -> state == -1 ? null : state + 2, 404);
    }

    private void drop(Model model, String table) throws IOException {
        Set<Long> states = model.of(table);
        Set<Long> before = Set.copyOf(states);
        states.add(-1L);
        int status = send(path(table) + "/drop", "{}").statusCode();
        settle(states, before, status, state -> state == -1 ? null : -1L, 404);
    }

    /** Only what is known is renamed: the states of two names would depend on each other otherwise. */
    private void rename(Model model, String from, String to) throws IOException {
        if (from.equals(to) || model.of(from).size() > 1 || model.of(to).size() > 1) {
            return;
        }
        long rows = model.of(from).iterator().next();
        boolean possible = rows >= 0 && model.of(to).contains(-1L);
        if (possible) {
            model.of(from).add(-1L);
            model.of(to).add(rows);
        }
        int status = send(path(from) + "/rename", "{\"new_table_name\":\"" + to + "\"}")
                .statusCode();
        assertThat(status).isEqualTo(possible ? 200 : rows < 0 ? 404 : 409);
        if (possible) {
            model.of(from).remove(rows);
            model.of(to).remove(-1L);
        }
    }

    private interface Change {
        /** The state after the change; null where it is refused. */
        Long after(long state);
    }

    private static void settle(Set<Long> states, Set<Long> before, int status, Change change, int refused) {
        assertThat(status).isIn(200, refused);
        states.clear();
        for (long state : before) {
            Long after = change.after(state);
            if ((after != null) == (status == 200)) {
                states.add(after == null ? state : after);
            }
        }
        assertThat(states).as("an answer %d to one of %s", status, before).isNotEmpty();
    }

    private static void check(RunningServer server, List<Model> models) {
        Map<String, String> places = new HashMap<>();
        for (Model model : models) {
            for (Map.Entry<String, Set<Long>> table : model.tables.entrySet()) {
                var count = server.post(path(table.getKey()) + "/count_rows");
                long rows =
                        count.status() == 404 ? -1 : Long.parseLong(count.ok().text());
                assertThat(rows).as(table.getKey()).isIn(table.getValue());
                // From now on it is known.
                table.getValue().removeIf(state -> state != rows);
                if (rows >= 0) {
                    JsonNode described =
                            server.post(path(table.getKey()) + "/describe").ok().json();
                    String other = places.put(described.path("location").asString(), table.getKey());
                    assertThat(other)
                            .as("another id at the place of " + table.getKey())
                            .isNull();
                }
            }
        }
        JsonNode listed = server.get("/v1/namespace/sales/table/list?limit=1000")
                .ok()
                .json()
                .path("tables");
        assertThat(listed).hasSize(places.size());
    }

    private static String path(String table) {
        return "/v1/table/" + id("sales", table);
    }

    private HttpResponse<String> send(String path, Object body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30));
        if (body instanceof byte[] rows) {
            request.header("Content-Type", "application/vnd.apache.arrow.stream")
                    .POST(BodyPublishers.ofByteArray(rows));
        } else if (body != null) {
            request.POST(BodyPublishers.ofString(body.toString()));
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
