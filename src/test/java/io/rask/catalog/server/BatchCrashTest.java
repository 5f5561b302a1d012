package io.rask.catalog.server;

import static io.rask.catalog.testing.StagedVersion.inserting;
import static io.rask.catalog.testing.StagedVersion.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.UnfinishedChanges;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.DyingCatalog;
import io.rask.catalog.testing.DyingCatalog.Moment;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.StagedVersion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Batches over two warehouses in a store whose server dies before or after any of its writes. */
class BatchCrashTest {
    private static final byte[] ONE_MORE = ArrowStreams.longs("id", 9);

    /** One for each batch under test, so that they can be walked through at the same time. */
    private static final List<DyingCatalog> CATALOGS = new ArrayList<>();

    @BeforeAll
    static void start() {
        for (int i = 0; i < Moment.values().length; i++) {
            CATALOGS.add(new DyingCatalog(Map.of()));
        }
    }

    @AfterEach
    void heal() {
        CATALOGS.forEach(DyingCatalog::heal);
    }

    @AfterAll
    static void stop() {
        CATALOGS.forEach(DyingCatalog::close);
    }

    private static String address(ObjectId id) {
        return "/v1/table/" + RunningServer.id(id.segments().toArray(String[]::new));
    }

    /** One batch on tables of its own. */
    private interface Round {
        Answer ask(RunningServer asked);

        List<ObjectId> tables();

        /** What each change shows, in the order of the tables: whether it happened. */
        List<Boolean> seen();
    }

    private interface Rounds {
        Round of(Side side, String name);
    }

    /** The rounds to come, some made at a time: the catalog makes the tables of many in few commits. */
    private static final class Ahead {
        private static final int AT_ONCE = 6;

        private final Side side;
        private final String kind;
        private final Rounds rounds;
        private final Deque<Round> ready = new ArrayDeque<>();
        private int named;

        Ahead(Side side, String kind, Rounds rounds) {
            this.side = side;
            this.kind = kind;
            this.rounds = rounds;
        }

        Round next() throws Exception {
            if (ready.isEmpty()) {
                int from = named;
                named += AT_ONCE;
                try (Race race = new Race(AT_ONCE)) {
                    ready.addAll(race.run(runner -> rounds.of(side, kind + (from + runner))));
                }
            }
            return ready.remove();
        }
    }

    /** Walks through both moments at the same time, each over a store of its own. */
    private static void everyStep(String kind, Rounds rounds) throws Exception {
        try (Race race = new Race(CATALOGS.size())) {
            race.run(runner -> {
                new Side(CATALOGS.get(runner)).everyStep(kind, Moment.values()[runner], rounds);
                return runner;
            });
        }
    }

    /** One store with its servers. */
    private record Side(DyingCatalog catalog) {
        RunningServer server() {
            return catalog.server();
        }

        private ObjectId made(String namespace, String name) {
            ObjectId id = ObjectId.of(namespace, name);
            catalog.server().arrow(address(id) + "/create", Rows.THREE).ok();
            return id;
        }

        /** The rows of a table; -1 where there is none. */
        private long rows(ObjectId id) {
            Answer answer = catalog.server().post(address(id) + "/count_rows");
            return answer.status() == 404 ? -1 : Long.parseLong(answer.ok().text());
        }

        private boolean exists(ObjectId id) {
            return catalog.server().post(address(id) + "/exists").status() == 200;
        }

        /** Lets the leases of the dead server run out. */
        private void letTimePass() {
            Records records = catalog.server().bean(Records.class);
            for (CatalogRecord lease : records.all("_leases", Records.Unreadable.FAIL)) {
                // Those of rounds before have none any more, and grow in number.
                if (lease.content().has("expires_at")) {
                    records.mutate(lease.key(), content -> {
                        content.remove("expires_at");
                        return content;
                    });
                }
            }
        }

        private void settle(List<ObjectId> tables) {
            letTimePass();
            UnfinishedChanges unfinished = catalog.server().bean(UnfinishedChanges.class);
            tables.forEach(table -> unfinished.settle(table.stored()));
            assertThat(catalog.server().bean(Records.class).all("_batches", Records.Unreadable.FAIL))
                    .isEmpty();
        }

        private void everyStep(String kind, Moment moment, Rounds rounds) throws Exception {
            Ahead ahead = new Ahead(this, kind + "-" + moment, rounds);
            for (int step = 1; ; step++) {
                Round round = ahead.next();
                AtomicBoolean crashed = catalog.crash(moment, step);
                Answer answer = round.ask(catalog.dying());
                boolean whole = !crashed.get();
                String where =
                        kind + ", " + moment + " write " + step + ", answered " + answer.status() + answer.text();
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
                    round.ask(catalog.server()).ok();
                    assertThat(round.seen()).as(where + ", again").doesNotContain(false);
                }
                catalog.heal();
                if (whole) {
                    answer.ok();
                    System.out.printf("BatchCrashTest %s: crashed %s each of %d writes%n", kind, moment, step - 1);
                    assertThat(step).isGreaterThan(8);
                    return;
                }
            }
        }

        private void requireStatus(Answer answer, String status) {
            String id = answer.json().path("transaction_id").asString();
            assertThat(catalog.server()
                            .post("/v1/transaction/" + id + "/describe")
                            .ok()
                            .json()
                            .path("status")
                            .asString())
                    .isEqualTo(status);
        }
    }

    @Test
    void versionsOfTwoTablesAreBothMadeOrNeither() throws Exception {
        everyStep("versions", (side, name) -> new Round() {
            private final ObjectId one = side.made("sales", "one-" + name);
            private final ObjectId two = side.made("stock", "two-" + name);
            private final StagedVersion first = inserting(side.server(), one, ONE_MORE);
            private final StagedVersion second = inserting(side.server(), two, ONE_MORE);

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
                return List.of(side.rows(one) == 4, side.rows(two) == 4);
            }
        });
    }

    @Test
    void changesOfEveryKindAllHappenOrNone() throws Exception {
        everyStep("mixed", (side, name) -> new Round() {
            private final ObjectId written = side.made("sales", "written-" + name);
            private final ObjectId trimmed = side.made("stock", "trimmed-" + name);
            private final ObjectId left = side.made("stock", "left-" + name);
            private final ObjectId born = ObjectId.of("sales", "born-" + name);
            private final StagedVersion staged;

            {
                side.server().arrow(address(trimmed) + "/insert", ONE_MORE).ok();
                staged = inserting(side.server(), written, ONE_MORE);
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
                assertThat(side.rows(trimmed)).isEqualTo(4);
                JsonNode versions = side.server()
                        .post(address(trimmed) + "/version/list")
                        .ok()
                        .json()
                        .path("versions");
                return List.of(side.rows(written) == 4, versions.size() == 1, !side.exists(left), side.exists(born));
            }
        });
    }

    @Test
    void whileABatchIsNotAtItsEndNobodyChangesItsTablesAndThenAnyWriterEndsIt() {
        Side side = new Side(CATALOGS.getFirst());
        ObjectId one = side.made("sales", "held-one");
        ObjectId two = side.made("stock", "held-two");
        StagedVersion first = inserting(side.server(), one, ONE_MORE);
        StagedVersion second = inserting(side.server(), two, ONE_MORE);
        side.catalog()
                .crash(request -> request.isWrite() && request.path().contains("_versions/"), new Fault.DropReply());
        Answer lost = side.catalog()
                .dying()
                .post(
                        "/v1/table/version/batch-create",
                        "{\"entries\":[" + first.request() + "," + second.request() + "]}");
        assertThat(lost.code()).as(lost.text()).isEqualTo(17);
        assertThat(side.rows(one) + side.rows(two)).isEqualTo(7);
        Refusals.refused(side.server().arrow(address(two) + "/insert", ONE_MORE), 409, 14);
        side.letTimePass();
        side.server().arrow(address(two) + "/insert", ONE_MORE).ok();
        assertThat(side.rows(one)).isEqualTo(4);
        assertThat(side.rows(two)).isEqualTo(5);
    }
}
