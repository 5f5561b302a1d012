package io.rask.catalog.server;

import static io.rask.catalog.testing.StagedVersion.inserting;
import static io.rask.catalog.testing.StagedVersion.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.UnfinishedChanges;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule.S3Request;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Server;
import io.rask.catalog.testing.StagedVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Batches over two warehouses in a store whose server dies before or after any of its writes. */
class BatchCrashTest {
    private static final Fault GONE = new Fault.Status(403, "AccessDenied");
    private static final byte[] ONE_MORE = ArrowStreams.longs("id", 9);

    private static S3Server store;
    private static S3Server door;
    private static RunningServer dying;
    private static RunningServer server;

    /** Where the crash is: before a write reached the store, or after it was carried out and before the server learnt it. */
    enum Moment {
        BEFORE,
        AFTER
    }

    @BeforeAll
    static void start() {
        store = S3Server.inMemory().withBucket("lance-catalog");
        door = store.door();
        server = RunningServer.with(settings(store));
        dying = RunningServer.with(settings(door));
        server.makeNamespace("acme", "lake-one", "sales");
        server.makeNamespace("acme", "lake-two", "stock");
    }

    private static Map<String, String> settings(S3Server way) {
        Map<String, String> settings = new HashMap<>(way.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        settings.put("lance.jobs.worker", "none");
        return settings;
    }

    @AfterEach
    void heal() {
        door.heal();
    }

    @AfterAll
    static void stop() {
        dying.close();
        server.close();
        door.close();
        store.close();
    }

    private static AtomicBoolean crash(Moment moment, int step) {
        AtomicBoolean crashed = new AtomicBoolean();
        AtomicInteger writes = new AtomicInteger();
        Predicate<S3Request> last = request -> request.isWrite() && writes.incrementAndGet() == step;
        door.always(request -> crashed.get(), GONE);
        door.always(
                request -> {
                    if (!last.test(request)) {
                        return false;
                    }
                    crashed.set(true);
                    return true;
                },
                moment == Moment.BEFORE ? GONE : new Fault.DropReply());
        return crashed;
    }

    private static String address(ObjectId id) {
        return "/v1/table/" + RunningServer.id(id.segments().toArray(String[]::new));
    }

    private static ObjectId made(String namespace, String name) {
        ObjectId id = ObjectId.of(namespace, name);
        server.arrow(address(id) + "/create", Rows.THREE).ok();
        return id;
    }

    /** The rows of a table; -1 where there is none. */
    private static long rows(ObjectId id) {
        Answer answer = server.post(address(id) + "/count_rows");
        return answer.status() == 404 ? -1 : Long.parseLong(answer.ok().text());
    }

    private static boolean exists(ObjectId id) {
        return server.post(address(id) + "/exists").status() == 200;
    }

    /** Lets the leases of the dead server run out. */
    private static void letTimePass() {
        Records records = server.bean(Records.class);
        for (CatalogRecord lease : records.all("_leases", Records.Unreadable.FAIL)) {
            records.mutate(lease.key(), content -> {
                content.remove("expires_at");
                return content;
            });
        }
    }

    private static void settle(List<ObjectId> tables) {
        letTimePass();
        UnfinishedChanges unfinished = server.bean(UnfinishedChanges.class);
        tables.forEach(table -> unfinished.settle(table.stored()));
        assertThat(server.bean(Records.class).all("_batches", Records.Unreadable.FAIL))
                .isEmpty();
    }

    /** One batch on tables of its own. */
    private interface Round {
        Answer ask(RunningServer asked);

        List<ObjectId> tables();

        /** What each change shows, in the order of the tables: whether it happened. */
        List<Boolean> seen();
    }

    private interface Rounds {
        Round of(String name);
    }

    private static void everyStep(String kind, Moment moment, Rounds rounds) {
        for (int step = 1; ; step++) {
            Round round = rounds.of(kind + "-" + moment + step);
            AtomicBoolean crashed = crash(moment, step);
            Answer answer = round.ask(dying);
            boolean whole = !crashed.get();
            String where = kind + ", " + moment + " write " + step + ", answered " + answer.status() + answer.text();
            assertThat(answer.status()).as(where).isNotEqualTo(500);
            settle(round.tables());
            List<Boolean> seen = round.seen();
            assertThat(seen.stream().distinct()).as(where + ": " + seen).hasSize(1);
            boolean happened = seen.getFirst();
            if (answer.status() == 200) {
                assertThat(happened).as(where).isTrue();
                requireStatus(answer, "Succeeded");
            }
            if (!happened) {
                round.ask(server).ok();
                assertThat(round.seen()).as(where + ", again").doesNotContain(false);
            }
            door.heal();
            if (whole) {
                answer.ok();
                System.out.printf("BatchCrashTest %s: crashed %s each of %d writes%n", kind, moment, step - 1);
                assertThat(step).isGreaterThan(8);
                return;
            }
        }
    }

    private static void requireStatus(Answer answer, String status) {
        String id = answer.json().path("transaction_id").asString();
        assertThat(server.post("/v1/transaction/" + id + "/describe")
                        .ok()
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @EnumSource
    void versionsOfTwoTablesAreBothMadeOrNeither(Moment moment) {
        everyStep("versions", moment, name -> new Round() {
            private final ObjectId one = made("sales", "one-" + name);
            private final ObjectId two = made("stock", "two-" + name);
            private final StagedVersion first = inserting(server, one, ONE_MORE);
            private final StagedVersion second = inserting(server, two, ONE_MORE);

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(
                        "/v1/table/version/batch-create",
                        "{\"entries\":[" + first.request() + "," + second.request() + "]}");
            }

            @Override
            public List<ObjectId> tables() {
                return List.of(one, two);
            }

            @Override
            public List<Boolean> seen() {
                return List.of(rows(one) == 4, rows(two) == 4);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void changesOfEveryKindAllHappenOrNone(Moment moment) {
        everyStep("mixed", moment, name -> new Round() {
            private final ObjectId written = made("sales", "written-" + name);
            private final ObjectId trimmed = made("stock", "trimmed-" + name);
            private final ObjectId left = made("stock", "left-" + name);
            private final ObjectId born = ObjectId.of("sales", "born-" + name);
            private final StagedVersion staged;

            {
                server.arrow(address(trimmed) + "/insert", ONE_MORE).ok();
                staged = inserting(server, written, ONE_MORE);
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(
                        "/v1/table/batch-commit",
                        "{\"operations\":[{\"declare_table\":{\"id\":" + json(born)
                                + "}},{\"create_table_version\":" + staged.request()
                                + "},{\"delete_table_versions\":{\"id\":" + json(trimmed)
                                + ",\"ranges\":[{\"start_version\":1,\"end_version\":2}]}},"
                                + "{\"deregister_table\":{\"id\":" + json(left) + "}}]}");
            }

            @Override
            public List<ObjectId> tables() {
                return List.of(written, trimmed, left, born);
            }

            @Override
            public List<Boolean> seen() {
                assertThat(rows(trimmed)).isEqualTo(4);
                JsonNode versions = server.post(address(trimmed) + "/version/list")
                        .ok()
                        .json()
                        .path("versions");
                return List.of(rows(written) == 4, versions.size() == 1, !exists(left), exists(born));
            }
        });
    }

    @Test
    void whileABatchIsNotAtItsEndNobodyChangesItsTablesAndThenAnyWriterEndsIt() {
        ObjectId one = made("sales", "held-one");
        ObjectId two = made("stock", "held-two");
        StagedVersion first = inserting(server, one, ONE_MORE);
        StagedVersion second = inserting(server, two, ONE_MORE);
        AtomicBoolean crashed = new AtomicBoolean();
        door.always(request -> crashed.get(), GONE);
        door.always(
                request -> {
                    boolean firstVersion = request.isWrite() && request.path().contains("_versions/") && !crashed.get();
                    crashed.compareAndSet(false, firstVersion);
                    return firstVersion;
                },
                new Fault.DropReply());
        Answer lost = dying.post(
                "/v1/table/version/batch-create", "{\"entries\":[" + first.request() + "," + second.request() + "]}");
        assertThat(lost.code()).as(lost.text()).isEqualTo(17);
        assertThat(rows(one) + rows(two)).isEqualTo(7);
        Refusals.refused(server.arrow(address(two) + "/insert", ONE_MORE), 409, 14);
        letTimePass();
        server.arrow(address(two) + "/insert", ONE_MORE).ok();
        assertThat(rows(one)).isEqualTo(4);
        assertThat(rows(two)).isEqualTo(5);
    }
}
