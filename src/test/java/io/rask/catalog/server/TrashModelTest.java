package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Several clients of two servers make, drop, bring back, purge, protect and rename tables of one namespace at random. Each knows what
 * every answer must be, because its names are its own; the manifest they change is everybody's. {@code -Dtrash.seed=…} runs one again.
 */
class TrashModelTest {
    private static final int CLIENTS = 4;
    private static final int STEPS = Integer.getInteger("trash.steps", 60);
    private static final int NAMES = 3;

    @TempDir
    static Path folder;

    /** What a client knows of a name. */
    private record Known(State state, int rows, boolean isProtected) {
        private static final Known NOTHING = new Known(State.ABSENT, 0, false);

        private Known as(State other) {
            return new Known(other, rows, false);
        }
    }

    private enum State {
        ABSENT,
        LIVE,
        TRASHED
    }

    private static final class Client {
        private final int number;
        private final Random random;
        private final List<RunningServer> servers;
        private final Map<Integer, Known> names = new HashMap<>();

        Client(int number, long seed, List<RunningServer> servers) {
            this.number = number;
            this.random = new Random(seed + number);
            this.servers = servers;
            for (int name = 0; name < NAMES; name++) {
                names.put(name, Known.NOTHING);
            }
        }

        private String name(int name) {
            return "c" + number + "-" + name;
        }

        private String table(int name) {
            return "/v1/table/" + id("sales", name(name));
        }

        private RunningServer any() {
            return servers.get(random.nextInt(servers.size()));
        }

        Client run() {
            for (int step = 0; step < STEPS; step++) {
                step(step);
            }
            return this;
        }

        private void step(int step) {
            int name = random.nextInt(NAMES);
            int other = (name + 1 + random.nextInt(NAMES - 1)) % NAMES;
            Known known = names.get(name);
            State state = known.state();
            boolean taken = names.get(other).state() != State.ABSENT;
            boolean force = random.nextInt(3) == 0;
            switch (random.nextInt(9)) {
                case 0, 1 -> {
                    int rows = 1 + random.nextInt(5);
                    long[] ids = new long[rows];
                    String how = random.nextBoolean() ? "/create" : "/create?mode=overwrite";
                    boolean overwrites = how.endsWith("overwrite") && state == State.LIVE;
                    Answer answer = any().arrow(table(name) + how, ArrowStreams.longs("id", ids));
                    if (overwrites) {
                        expect(answer, known.isProtected() ? 19 : 0);
                    } else {
                        expect(answer, state == State.ABSENT ? 0 : 5);
                    }
                    if (answer.status() == 200) {
                        names.put(name, new Known(State.LIVE, rows, false));
                    }
                }
                case 2, 3 -> {
                    boolean purge = random.nextInt(4) == 0;
                    Answer answer = any().post(table(name) + "/drop?force=" + force + "&purge=" + purge);
                    boolean stays = known.isProtected() && !force;
                    expect(answer, state != State.LIVE ? 4 : stays ? 19 : 0);
                    if (answer.status() == 200) {
                        names.put(name, purge ? Known.NOTHING : known.as(State.TRASHED));
                    }
                }
                case 4 -> {
                    Answer answer = any().post(table(name) + "/undrop");
                    expect(answer, state == State.ABSENT ? 4 : 0);
                    if (state == State.TRASHED) {
                        names.put(name, known.as(State.LIVE));
                    }
                }
                case 5 -> {
                    Answer answer = any().post(table(name) + "/undrop", "{\"new_table_name\":\"" + name(other) + "\"}");
                    expect(answer, state == State.ABSENT ? 4 : state == State.LIVE || taken ? 5 : 0);
                    if (answer.status() == 200) {
                        names.put(other, known.as(State.LIVE));
                        names.put(name, Known.NOTHING);
                    }
                }
                case 6 -> {
                    Answer answer = any().post(table(name) + "/purge");
                    expect(answer, state == State.TRASHED ? 0 : 4);
                    if (answer.status() == 200) {
                        names.put(name, Known.NOTHING);
                    }
                }
                case 7 -> {
                    Answer answer = any().post(table(name) + "/rename", "{\"new_table_name\":\"" + name(other) + "\"}");
                    expect(answer, state != State.LIVE ? 4 : taken ? 5 : 0);
                    if (answer.status() == 200) {
                        names.put(other, known);
                        names.put(name, Known.NOTHING);
                    }
                }
                default -> {
                    boolean on = random.nextBoolean();
                    Answer answer = any().post(table(name) + "/protection", "{\"protected\":" + on + "}");
                    expect(answer, state == State.LIVE ? 0 : 4);
                    if (answer.status() == 200) {
                        names.put(name, new Known(State.LIVE, known.rows(), on));
                    }
                }
            }
            look(step);
        }

        private void expect(Answer answer, int code) {
            assertThat(Math.max(answer.code(), 0))
                    .as(answer.response().uri() + " with " + names + ": " + answer.text())
                    .isEqualTo(code);
        }

        /** What was answered holds on whichever server. */
        private void look(int step) {
            int name = step % NAMES;
            Known known = names.get(name);
            Answer count = any().post(table(name) + "/count_rows");
            if (known.state() == State.LIVE) {
                assertThat(count.ok().text()).isEqualTo(String.valueOf(known.rows()));
            } else {
                assertThat(count.status()).as(names + count.text()).isEqualTo(404);
            }
        }
    }

    @Test
    void everyAnswerIsTrueAndNoBytesAreWithoutARowOrNamesTwice() throws Exception {
        long seed = Long.getLong("trash.seed", System.nanoTime());
        System.out.println("TrashModelTest seed " + seed);
        Map<String, String> settings = Map.of("lance.trash-grace-days", "7");
        try (RunningServer one = RunningServer.on(folder, settings);
                RunningServer two = RunningServer.on(folder, settings);
                Race race = new Race(CLIENTS)) {
            one.makeNamespace("acme", "lake-one", "sales");
            List<Client> clients = race.run(number -> new Client(number, seed, List.of(one, two)).run());
            requireWhole(two, clients);
        }
    }

    private static void requireWhole(RunningServer server, List<Client> clients) throws IOException {
        Set<String> places = new TreeSet<>();
        Set<String> live = new TreeSet<>();
        Set<String> trashed = new TreeSet<>();
        for (JsonNode name : server.get("/v1/table?limit=1000").ok().json().path("tables")) {
            live.add(name.asString());
            places.add(folderOf(server.post("/v1/table/" + id(name.asString()) + "/describe")
                    .ok()
                    .json()));
        }
        for (JsonNode entry : server.get("/v1/warehouses/lake-one/trash?limit=1000")
                .ok()
                .json()
                .path("trash")) {
            trashed.add(entry.path("id").asString());
            places.add(folderOf(entry));
            assertThat(entry.path("dropped_at").asString("")).isNotBlank();
        }
        assertThat(live).isEqualTo(known(clients, State.LIVE));
        assertThat(trashed).isEqualTo(known(clients, State.TRASHED));
        assertThat(places).as("places of their own").hasSize(live.size() + trashed.size());
        try (Stream<Path> found = Files.list(folder.resolve("lance").resolve("lake-one"))) {
            Set<String> folders = new TreeSet<>(found.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> !name.startsWith("_"))
                    .toList());
            assertThat(folders).isEqualTo(places);
        }
    }

    private static String folderOf(JsonNode described) {
        String location = described.path("location").asString();
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private static Set<String> known(List<Client> clients, State state) {
        Set<String> ids = new TreeSet<>();
        for (Client client : clients) {
            client.names.forEach((name, known) -> {
                if (known.state() == state) {
                    ids.add("sales$" + client.name(name));
                }
            });
        }
        return ids;
    }
}
