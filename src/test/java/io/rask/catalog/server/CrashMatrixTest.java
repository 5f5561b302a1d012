package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobClaims;
import io.rask.catalog.job.JobEvents;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobState;
import io.rask.catalog.job.JobWorker;
import io.rask.catalog.lifecycle.DeleteBytes;
import io.rask.catalog.maintenance.ScanOrphans;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.DyingCatalog;
import io.rask.catalog.testing.DyingCatalog.Moment;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A server that dies between any two of its writes to the store, as the store and another server see it: the operation happened or
 * did not, and asking the other server again ends it.
 */
class CrashMatrixTest {
    private static DyingCatalog catalog;
    private static RunningServer server;
    private static JobWorker worker;
    private static final Set<String> left = new TreeSet<>();

    /** One operation on things of its own. */
    private interface Round {
        Answer ask(RunningServer asked);

        /** Whether it happened; fails unless everything is as before or as after. */
        boolean happened();

        /** Takes away, through the server that lives, what the round has made. */
        void clean();
    }

    @BeforeAll
    static void start() {
        catalog = new DyingCatalog(Map.of(
                "lance.jobs.poll", "100ms",
                "lance.jobs.inline-wait", "20s",
                // Only what the test asks for is finished, so that no drop is overtaken.
                "lance.jobs.drop-grace", "1h"));
        server = catalog.server();
        worker = new JobWorker(
                server.bean(JobClaims.class),
                server.bean(JobEvents.class),
                server.bean(Clock.class),
                server.bean(CatalogProperties.class),
                List.of(server.bean(DeleteBytes.class), server.bean(ScanOrphans.class)),
                "matrix");
        Thread.ofPlatform().daemon().start(() -> {
            try {
                worker.run(null);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @AfterEach
    void heal() {
        catalog.heal();
    }

    @AfterAll
    static void stop() {
        JsonNode found = server.post("/v1/warehouses/lake-one/orphans/scan", "{\"minimum_age_seconds\":0}")
                .ok()
                .json()
                .path("result");
        Set<String> reported = new TreeSet<>();
        found.path("findings")
                .forEach(finding -> reported.add(finding.path("folder").asString()));
        worker.stop();
        catalog.close();
        assertThat(reported).as("bytes without an id are reported, all of them").isEqualTo(left);
    }

    /** Runs the operation until it is done without a crash, each time with the crash one write later. */
    private static void everyStep(String name, Moment moment, IntFunction<Round> rounds) {
        boolean leavesBytes = name.equals("create");
        for (int step = 1; ; step++) {
            Round round = rounds.apply(step);
            AtomicBoolean crashed = catalog.crash(moment, step);
            Answer answer = round.ask(catalog.dying());
            boolean whole = !crashed.get();
            String where = name + ", " + moment + " write " + step + ", answered " + answer.status();
            boolean happened = round.happened();
            assertThat(answer.status()).as(where + answer.text()).isNotEqualTo(500);
            if (whole || answer.status() == 200) {
                answer.ok();
                assertThat(happened).as(where).isTrue();
            }
            requireOneIdForEachPlace(where);
            Answer again = round.ask(server);
            assertThat(again.status())
                    .as(where + ", again: " + again.text())
                    .isIn(happened ? List.of(200, 404, 409) : List.of(200));
            assertThat(round.happened()).as(where + ", again").isTrue();
            finishDrops();
            assertThat(round.happened()).as(where + ", after the drops").isTrue();
            requireOneIdForEachPlace(where);
            round.clean();
            finishDrops();
            Set<String> unnamed = folders();
            unnamed.removeAll(requireOneIdForEachPlace(where));
            if (leavesBytes) {
                left.addAll(unnamed);
            }
            assertThat(unnamed).as(where + ": bytes without an id").isEqualTo(left);
            catalog.heal();
            if (whole) {
                System.out.printf("CrashMatrixTest %s: crashed %s each of %d writes%n", name, moment, step - 1);
                assertThat(step).as("writes of " + name).isGreaterThan(1);
                return;
            }
        }
    }

    /** The places of all tables. */
    private static Set<String> requireOneIdForEachPlace(String where) {
        Set<String> places = new HashSet<>();
        for (JsonNode table : server.get("/v1/table?limit=1000").ok().json().path("tables")) {
            String location = server.post("/v1/table/" + id(table.asString()) + "/describe")
                    .ok()
                    .json()
                    .path("location")
                    .asString();
            String folder = location.substring(location.lastIndexOf('/') + 1);
            assertThat(places.add(folder))
                    .as(where + ": another id at " + location)
                    .isTrue();
        }
        return places;
    }

    private static Set<String> folders() {
        StorageProfile home =
                server.bean(Locator.class).locate(ObjectId.of("sales")).orElseThrow();
        Set<String> folders = new TreeSet<>(server.bean(StoreFiles.class).folders(home, ""));
        folders.removeIf(folder -> folder.startsWith("_"));
        return folders;
    }

    /** Lets the worker finish at once what drops have left behind. */
    private static void finishDrops() {
        JobRegistry jobs = server.bean(JobRegistry.class);
        for (Job open : jobs.open()) {
            jobs.hasten(open.id());
            worker.wake();
            Job ended = jobs.await(open, Duration.ofSeconds(20));
            assertThat(ended.state()).as(String.valueOf(ended)).isEqualTo(JobState.DONE);
        }
    }

    private static String table(String... names) {
        return "/v1/table/" + id(names);
    }

    /** The rows of a table; -1 where there is none. */
    private static long rows(String table) {
        Answer answer = server.post(table + "/count_rows");
        if (answer.status() == 404) {
            assertThat(answer.code()).isEqualTo(4);
            assertThat(server.post(table + "/exists").status()).isEqualTo(404);
            return -1;
        }
        return Long.parseLong(answer.ok().text());
    }

    private static boolean either(long seen, long before, long after) {
        assertThat(seen).isIn(before, after);
        return seen == after;
    }

    private static void make(String table) {
        server.arrow(table + "/create", Rows.THREE).ok();
    }

    private static void protect(String stored) {
        protect("table", stored);
    }

    private static void protect(String kind, String stored) {
        ObjectNode record = JsonNodeFactory.instance.objectNode();
        record.put("kind", kind).put("id", stored).put("protected", "true");
        server.bean(Records.class).put(RecordKey.of("_protection", RecordKey.hashed(kind, stored)), record);
    }

    private static String place(String table) {
        String location =
                server.post(table + "/describe").ok().json().path("location").asString();
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private static void drop(String table) {
        server.post(table + "/drop").ok();
    }

    @ParameterizedTest
    @EnumSource
    void aCreation(Moment moment) {
        everyStep("create", moment, step -> new Round() {
            private final String made = table("sales", "made-" + moment + step);

            @Override
            public Answer ask(RunningServer asked) {
                return asked.arrow(made + "/create", Rows.THREE);
            }

            @Override
            public boolean happened() {
                return either(rows(made), -1, 3);
            }

            @Override
            public void clean() {
                drop(made);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void anOverwrite(Moment moment) {
        everyStep("overwrite", moment, step -> new Round() {
            private final String replaced = table("sales", "replaced-" + moment + step);

            {
                server.arrow(replaced + "/create?properties=" + id("{\"a\":\"old\"}"), Rows.THREE)
                        .ok();
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.arrow(
                        replaced + "/create?mode=overwrite&properties=" + id("{\"a\":\"new\"}"),
                        ArrowStreams.longs("other", 7, 8));
            }

            /** Rows and properties change together, although they are several commits. */
            @Override
            public boolean happened() {
                boolean after = either(rows(replaced), 3, 2);
                assertThat(server.post(replaced + "/describe")
                                .ok()
                                .json()
                                .at("/properties/a")
                                .asString())
                        .isEqualTo(after ? "new" : "old");
                assertThat(server.post(replaced + "/count_rows", "{\"version\":1}")
                                .ok()
                                .text())
                        .isEqualTo("3");
                return after;
            }

            @Override
            public void clean() {
                drop(replaced);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRenameOfAProtectedTableToAnotherNamespace(Moment moment) {
        everyStep("rename", moment, step -> new Round() {
            private final String inner = "to-" + moment + step;
            private final String old = table("sales", "old-" + moment + step);
            private final String moved = table("sales", inner, "new");
            private final String place;

            {
                server.post("/v1/namespace/" + id("sales", inner) + "/create", "{}")
                        .ok();
                make(old);
                protect("sales$old-" + moment + step);
                place = place(old);
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(
                        old + "/rename",
                        "{\"new_table_name\":\"new\",\"new_namespace_id\":[\"sales\",\"" + inner + "\"]}");
            }

            @Override
            public boolean happened() {
                boolean after = either(rows(moved), -1, 3);
                assertThat(rows(old)).isEqualTo(after ? -1 : 3);
                assertThat(place(after ? moved : old)).isEqualTo(place);
                Refusals.refused(server.post((after ? moved : old) + "/drop"), 409, 19);
                return after;
            }

            @Override
            public void clean() {
                server.post(moved + "/drop?force=true").ok();
                make(old);
                drop(old);
                server.post("/v1/namespace/" + id("sales", inner) + "/drop").ok();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aDeregistration(Moment moment) {
        everyStep("deregister", moment, step -> new Round() {
            private final String table = table("sales", "left-" + moment + step);
            private final String place;

            {
                make(table);
                place = place(table);
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(table + "/deregister");
            }

            @Override
            public boolean happened() {
                assertThat(folders()).contains(place);
                return either(rows(table), 3, -1);
            }

            @Override
            public void clean() {
                server.post(table + "/register", "{\"location\":\"" + place + "\"}")
                        .ok();
                assertThat(rows(table)).isEqualTo(3);
                drop(table);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRegistration(Moment moment) {
        everyStep("register", moment, step -> new Round() {
            private final String table = table("sales", "known-" + moment + step);
            private final String place;

            {
                make(table);
                place = place(table);
                server.post(table + "/deregister").ok();
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(table + "/register", "{\"location\":\"" + place + "\"}");
            }

            @Override
            public boolean happened() {
                assertThat(folders()).contains(place);
                return either(rows(table), -1, 3);
            }

            @Override
            public void clean() {
                drop(table);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aDrop(Moment moment) {
        everyStep("drop", moment, step -> new Round() {
            private final String table = table("sales", "dropped-" + moment + step);

            {
                make(table);
                server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
                protect("sales$dropped-" + moment + step);
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(table + "/drop?force=true");
            }

            @Override
            public boolean happened() {
                return either(rows(table), 4, -1);
            }

            @Override
            public void clean() {
                make(table);
                drop(table);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aNamespaceWithAllThatIsInIt(Moment moment) {
        everyStep("cascade", moment, step -> new Round() {
            private final String name = "whole-" + moment + step;
            private final String namespace = "/v1/namespace/" + id("sales", name);
            private final List<String> tables =
                    List.of(table("sales", name, "one"), table("sales", name, "inner", "two"));

            {
                server.post(namespace + "/create", "{}").ok();
                server.post("/v1/namespace/" + id("sales", name, "inner") + "/create", "{}")
                        .ok();
                tables.forEach(CrashMatrixTest::make);
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(namespace + "/drop", "{\"behavior\":\"Cascade\"}");
            }

            @Override
            public boolean happened() {
                boolean after = server.post(namespace + "/exists").status() == 404;
                tables.forEach(table -> assertThat(rows(table)).isEqualTo(after ? -1 : 3));
                return after;
            }

            @Override
            public void clean() {}
        });
    }

    /** Whatever a crash leaves of its protection, the next namespace of the name is not protected. */
    @ParameterizedTest
    @EnumSource
    void aProtectedNamespaceByForce(Moment moment) {
        everyStep("force", moment, step -> new Round() {
            private final String name = "forced-" + moment + step;
            private final String namespace = "/v1/namespace/" + id("sales", name);

            {
                server.post(namespace + "/create", "{}").ok();
                protect("namespace", "sales$" + name);
                Refusals.refused(server.post(namespace + "/drop", "{}"), 409, 3);
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(namespace + "/drop?force=true", "{}");
            }

            @Override
            public boolean happened() {
                boolean after = server.post(namespace + "/exists").status() == 404;
                if (!after) {
                    Refusals.refused(server.post(namespace + "/drop", "{}"), 409, 3);
                }
                return after;
            }

            @Override
            public void clean() {
                server.post(namespace + "/create", "{}").ok();
                server.post(namespace + "/drop", "{}").ok();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aProtectedTopLevelNamespaceByForce(Moment moment) {
        everyStep("force top", moment, step -> new Round() {
            private final String name = "top-" + moment.name().toLowerCase(Locale.ROOT) + step;
            private final String namespace = "/v1/namespace/" + name;

            {
                make();
                protect("namespace", name);
            }

            private void make() {
                server.post("/v1/warehouses/lake-one/namespaces", "{\"namespace\":\"" + name + "\"}")
                        .ok();
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(namespace + "/drop?force=true", "{}");
            }

            @Override
            public boolean happened() {
                boolean after = server.post(namespace + "/exists").status() == 404;
                if (!after) {
                    Refusals.refused(server.post(namespace + "/drop", "{}"), 409, 3);
                }
                return after;
            }

            @Override
            public void clean() {
                make();
                server.post(namespace + "/drop", "{}").ok();
            }
        });
    }
}
