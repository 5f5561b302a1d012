package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.DyingCatalog;
import io.rask.catalog.testing.DyingCatalog.Moment;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * A server that dies between any two of its writes while something goes into the trash, comes back from it, or a warehouse or a project
 * is deleted: it happened or did not, and the same request to another server brings it to its end.
 */
class TrashCrashTest {
    private static DyingCatalog catalog;
    private static RunningServer server;

    /** One operation on things of its own. */
    private interface Round {
        Answer ask(RunningServer asked);

        /** Whether it happened; fails unless everything is as before or as after. */
        boolean happened();

        /** What must hold when it was asked for again. */
        void ended();
    }

    @BeforeAll
    static void start() {
        catalog = new DyingCatalog(Map.of("lance.trash-grace-days", "7", "lance.jobs.drop-grace", "1h"));
        server = catalog.server();
    }

    @AfterEach
    void heal() {
        catalog.heal();
    }

    @AfterAll
    static void stop() {
        catalog.close();
    }

    /** Runs the operation until it is done without a crash, each time with the crash one write later. */
    private static void everyStep(String name, Moment moment, IntFunction<Round> rounds) {
        for (int step = 1; ; step++) {
            Round round = rounds.apply(step);
            AtomicBoolean crashed = catalog.crash(moment, step);
            Answer answer = round.ask(catalog.dying());
            boolean whole = !crashed.get();
            String where = name + ", " + moment + " write " + step + ", answered " + answer.status() + ": ";
            boolean happened = round.happened();
            assertThat(answer.status()).as(where + answer.text()).isNotEqualTo(500);
            if (whole || answer.status() == 200) {
                answer.ok();
                assertThat(happened).as(where).isTrue();
            }
            Answer again = round.ask(server);
            assertThat(again.status())
                    .as(where + "again " + again.text())
                    .isIn(happened ? List.of(200, 404) : List.of(200));
            assertThat(round.happened()).as(where + "again").isTrue();
            round.ended();
            requireRecords(where);
            catalog.heal();
            if (whole) {
                System.out.printf("TrashCrashTest %s: crashed %s each of %d writes%n", name, moment, step - 1);
                assertThat(step).as("writes of " + name).isGreaterThan(1);
                return;
            }
        }
    }

    /** Whatever is in the trash tells since when. */
    private static void requireRecords(String where) {
        for (JsonNode entry :
                server.get("/v1/projects/acme/trash?limit=1000").ok().json().path("trash")) {
            assertThat(entry.path("dropped_at").asString("")).as(where + entry).isNotBlank();
        }
    }

    private static String table(String... names) {
        return "/v1/table/" + id(names);
    }

    private static boolean isThere(String table) {
        Answer answer = server.post(table + "/count_rows");
        if (answer.status() == 404) {
            return false;
        }
        assertThat(answer.ok().text()).isEqualTo("3");
        return true;
    }

    private static void make(String table) {
        server.arrow(table + "/create", Rows.THREE).ok();
    }

    @ParameterizedTest
    @EnumSource
    void aDropIntoTheTrash(Moment moment) {
        everyStep("drop", moment, step -> new Round() {
            private final String table = table("sales", "dropped-" + moment + step);

            {
                make(table);
                server.post(table + "/protection", "{\"protected\":true}").ok();
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(table + "/drop?force=true");
            }

            @Override
            public boolean happened() {
                return !isThere(table);
            }

            @Override
            public void ended() {
                assertThat(server.get(table + "/tasks").ok().json()).hasSize(1);
                assertThat(server.arrow(table + "/create", Rows.THREE).status()).isEqualTo(409);
                server.post(table + "/undrop").ok();
                assertThat(isThere(table)).isTrue();
                server.post(table + "/drop?force=true").ok();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void anUndrop(Moment moment) {
        everyStep("undrop", moment, step -> new Round() {
            private final String table = table("sales", "back-" + moment + step);

            {
                make(table);
                server.post(table + "/drop").ok();
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(table + "/undrop");
            }

            @Override
            public boolean happened() {
                return isThere(table);
            }

            @Override
            public void ended() {
                assertThat(server.get(table + "/tasks").ok().json()).isEmpty();
                server.post(table + "/drop").ok();
                server.post(table + "/undrop").ok();
                server.post(table + "/drop?purge=true").ok();
            }
        });
    }

    private static String made(String name) {
        server.post("/v1/warehouses/lake-one/namespaces", "{\"namespace\":\"" + name + "\"}")
                .ok();
        server.post("/v1/namespace/" + id(name, "inner") + "/create", "{}").ok();
        make(table(name, "t"));
        make(table(name, "inner", "u"));
        return "/v1/namespace/" + name;
    }

    private static boolean isWhole(String name) {
        boolean there = server.post("/v1/namespace/" + name + "/exists").status() == 200;
        for (String table : List.of(table(name, "t"), table(name, "inner", "u"))) {
            assertThat(isThere(table)).as(table).isEqualTo(there);
        }
        return there;
    }

    private static boolean isBound(String name) {
        return server.get("/v1/warehouses/lake-one/namespaces?limit=1000")
                .ok()
                .json()
                .path("namespaces")
                .valueStream()
                .anyMatch(bound -> bound.asString().equals(name));
    }

    @ParameterizedTest
    @EnumSource(names = "AFTER")
    void aCascadeIntoTheTrash(Moment moment) {
        everyStep("cascade", moment, step -> new Round() {
            private final String name = "gone-" + moment.name().toLowerCase(Locale.ROOT) + step;
            private final String namespace = made(name);

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(namespace + "/drop", "{\"behavior\":\"cascade\"}");
            }

            @Override
            public boolean happened() {
                return !isWhole(name);
            }

            @Override
            public void ended() {
                assertThat(isBound(name)).isFalse();
                assertThat(server.get(namespace + "/tasks").ok().json()).hasSize(4);
                server.post(namespace + "/undrop", "{}").ok();
                assertThat(isWhole(name)).isTrue();
                server.post(namespace + "/drop?purge=true", "{\"behavior\":\"cascade\"}")
                        .ok();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = "BEFORE")
    void anUndropOfANamespace(Moment moment) {
        everyStep("namespace undrop", moment, step -> new Round() {
            private final String name = "back-" + moment.name().toLowerCase(Locale.ROOT) + step;
            private final String namespace = made(name);

            {
                server.post(namespace + "/drop", "{\"behavior\":\"cascade\"}").ok();
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.post(namespace + "/undrop", "{}");
            }

            @Override
            public boolean happened() {
                return isWhole(name);
            }

            @Override
            public void ended() {
                assertThat(isBound(name)).isTrue();
                assertThat(server.get(namespace + "/tasks").ok().json()).isEmpty();
                server.post(namespace + "/drop?purge=true", "{\"behavior\":\"cascade\"}")
                        .ok();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = "BEFORE")
    void aDeletionOfAWarehouseWithAllThatIsInIt(Moment moment) {
        everyStep("warehouse", moment, step -> new Round() {
            private final String lake = "lake-" + moment.name().toLowerCase(Locale.ROOT) + "-" + step;
            private final String name = "in-" + lake;
            private final String address = "/v1/warehouses/" + lake;

            {
                server.makeNamespace("acme", lake, name);
                server.makeNamespace("acme", lake, "too-" + lake);
                server.post("/v1/namespace/" + id(name, "inner") + "/create", "{}")
                        .ok();
                make(table(name, "t"));
                server.post(table(name, "t") + "/drop").ok();
            }

            @Override
            public Answer ask(RunningServer asked) {
                Answer answer = asked.delete(address + "?cascade=true&purge_bucket=true");
                if (answer.status() == 503 && answer.json().has("partial")) {
                    assertThat(answer.json().path("warehouse").asString()).isEqualTo(lake);
                    answer.json()
                            .path("namespaces_dropped")
                            .forEach(gone -> assertThat(server.post("/v1/namespace/" + gone.asString() + "/exists")
                                            .status())
                                    .isEqualTo(404));
                }
                return answer;
            }

            @Override
            public boolean happened() {
                Answer answer = server.get(address);
                assertThat(answer.status()).as(answer.text()).isIn(200, 404);
                return answer.status() == 404;
            }

            @Override
            public void ended() {
                server.makeNamespace("acme", lake, name);
                assertThat(server.get(address + "/trash").ok().json().path("trash"))
                        .isEmpty();
                server.delete(address + "?cascade=true").ok();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aDeletionOfAProject(Moment moment) {
        everyStep("project", moment, step -> new Round() {
            private final String project = "tenant-" + moment.name().toLowerCase(Locale.ROOT) + "-" + step;

            {
                server.post("/v1/projects", "{\"id\":\"" + project + "\"}").ok();
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.delete("/v1/projects/" + project);
            }

            @Override
            public boolean happened() {
                return server.get("/v1/projects/" + project).status() == 404;
            }

            @Override
            public void ended() {
                server.post("/v1/projects", "{\"id\":\"" + project + "\"}").ok();
                server.delete("/v1/projects/" + project).ok();
            }
        });
    }
}
