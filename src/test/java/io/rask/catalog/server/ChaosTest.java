package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Server;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Many clients of two servers over one object store that drops answers and refuses requests: what was acknowledged is there once,
 * what was refused is not there, and what is not known is there once or not at all.
 */
class ChaosTest {
    private static final int CLIENTS = 6;
    private static final int STEPS = 14;

    private static S3Server store;
    private static List<RunningServer> servers;
    private static final AtomicLong VALUES = new AtomicLong();

    @BeforeAll
    static void start() {
        store = S3Server.inMemory().withBucket("lance-catalog");
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        servers = List.of(RunningServer.with(settings), RunningServer.with(settings));
        servers.getFirst().makeNamespace("acme", "lake-one", "sales");
        servers.getFirst()
                .arrow("/v1/table/" + id("sales", "shared") + "/create", ArrowStreams.longs("id", -1))
                .ok();
    }

    @AfterAll
    static void stop() {
        servers.forEach(RunningServer::close);
        store.close();
    }

    /** What the answers so far allow: how often a value may be in the shared table, and which of a client's tables are there. */
    private record Truth(Map<Long, Fate> rows, Map<String, Fate> tables) {}

    private enum Fate {
        THERE,
        GONE,
        UNKNOWN
    }

    @Test
    void answersAreTrueWhileTheStoreLosesSomeOfItsOwn() throws Exception {
        long seed = System.nanoTime();
        System.out.println("ChaosTest seed " + seed);
        Random faults = new Random(seed);
        store.always(request -> request.isWrite() && chance(faults, 20), new Fault.DropReply());
        store.always(request -> request.isWrite() && chance(faults, 20), Fault.FailReply.gatewayTimeout());
        store.always(request -> request.isWrite() && chance(faults, 20), Fault.Status.slowDown());
        store.always(request -> !request.isWrite() && chance(faults, 100), Fault.Status.slowDown());
        List<Truth> truths = run(seed);
        store.heal();
        truths.forEach(ChaosTest::check);
    }

    private static boolean chance(Random random, int oneIn) {
        synchronized (random) {
            return random.nextInt(oneIn) == 0;
        }
    }

    private static List<Truth> run(long seed) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Callable<Truth>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                clients.add(() -> client(client, new Random(seed + client)));
            }
            List<Truth> truths = new ArrayList<>();
            for (Future<Truth> truth : threads.invokeAll(clients)) {
                truths.add(truth.get());
            }
            return truths;
        }
    }

    private static Truth client(int number, Random random) {
        Truth truth = new Truth(new HashMap<>(), new HashMap<>());
        for (int step = 0; step < STEPS; step++) {
            RunningServer server = servers.get(random.nextInt(servers.size()));
            String table = "c" + number + "-" + random.nextInt(3);
            switch (random.nextInt(4)) {
                case 0 -> insert(server, truth);
                case 1 -> change(server, truth, random);
                case 2 ->
                    settle(
                            truth.tables,
                            table,
                            Fate.THERE,
                            server.arrow(path(table) + "/create", ArrowStreams.longs("id", 1, 2, 3)),
                            5);
                default -> settle(truth.tables, table, Fate.GONE, server.post(path(table) + "/drop", "{}"), 4);
            }
        }
        return truth;
    }

    private static void insert(RunningServer server, Truth truth) {
        long value = VALUES.incrementAndGet();
        truth.rows.put(value, Fate.GONE);
        settle(
                truth.rows,
                value,
                Fate.THERE,
                server.arrow(path("shared") + "/insert", ArrowStreams.longs("id", value)),
                14);
    }

    /** Takes a value that is certainly there away, or gives it another number. */
    private static void change(RunningServer server, Truth truth, Random random) {
        List<Long> there = truth.rows.entrySet().stream()
                .filter(entry -> entry.getValue() == Fate.THERE)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        if (there.isEmpty()) {
            return;
        }
        long value = there.get(random.nextInt(there.size()));
        if (random.nextBoolean()) {
            settle(
                    truth.rows,
                    value,
                    Fate.GONE,
                    server.post(path("shared") + "/delete", "{\"predicate\":\"id = " + value + "\"}"),
                    14);
            return;
        }
        long next = VALUES.incrementAndGet();
        truth.rows.put(next, Fate.GONE);
        Answer answer = server.post(
                path("shared") + "/update",
                "{\"predicate\":\"id = " + value + "\",\"updates\":[[\"id\",\"id + " + (next - value) + "\"]]}");
        settle(truth.rows, value, Fate.GONE, answer, 14);
        settle(truth.rows, next, Fate.THERE, answer, 14);
    }

    /** @param refused the code of an answer that may come because the thing is in the wanted state already, or was contended */
    private static <K> void settle(Map<K, Fate> fates, K key, Fate wanted, Answer answer, int refused) {
        Fate before = fates.getOrDefault(key, Fate.GONE);
        if (answer.status() == 200) {
            assertThat(before)
                    .as(key + " was " + before + " and succeeded again")
                    .isNotEqualTo(tableTwice(key, wanted));
            fates.put(key, wanted);
        } else if (answer.status() == 503) {
            if (before != wanted) {
                fates.put(key, Fate.UNKNOWN);
            }
        } else {
            assertThat(answer.code()).as(answer.text()).isEqualTo(refused);
            if (refused != 14) {
                assertThat(before).as(key + ": " + answer.text()).isIn(wanted, Fate.UNKNOWN);
                fates.put(key, wanted);
            }
        }
    }

    /** A table that is there cannot be made again, and one that is not cannot be dropped. */
    private static <K> Fate tableTwice(K key, Fate wanted) {
        return key instanceof String ? wanted : null;
    }

    private static void check(Truth truth) {
        RunningServer server = servers.getFirst();
        truth.rows.forEach((value, fate) -> assertThat(count(server, "shared", "id = " + value))
                .as("value " + value + " is " + fate)
                .isIn(fate == Fate.THERE ? List.of(1L) : fate == Fate.GONE ? List.of(0L) : List.of(0L, 1L)));
        truth.tables.forEach((table, fate) -> {
            boolean there = server.post(path(table) + "/exists", "{}").status() == 200;
            if (fate != Fate.UNKNOWN) {
                assertThat(there).as(table + " is " + fate).isEqualTo(fate == Fate.THERE);
            }
            if (there) {
                assertThat(count(server, table, "true")).as(table).isEqualTo(3);
            }
        });
    }

    private static String path(String table) {
        return "/v1/table/" + id("sales", table);
    }

    private static long count(RunningServer server, String table, String filter) {
        return Long.parseLong(server.post(path(table) + "/count_rows", "{\"predicate\":\"" + filter + "\"}")
                .ok()
                .text());
    }
}
