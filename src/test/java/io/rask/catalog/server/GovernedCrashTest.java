package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.PermissionEngine;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.testing.DyingCatalog;
import io.rask.catalog.testing.DyingCatalog.Moment;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.Workers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that asks a real permission engine dies between any two of its writes, those of the store and those of the engine, or the
 * engine fails it from one of them on: what was to happen happened or did not, a worker and a repeat bring it to its end, and nobody
 * has gained or lost anything.
 */
class GovernedCrashTest {
    private static DyingCatalog catalog;
    private static RunningServer server;

    /** One operation on things of its own. */
    private interface Round {
        Answer ask(RunningServer asked);

        /** Whether it happened; fails unless everything is as before or as after for everybody. */
        boolean happened();

        /** What must hold when it was brought to its end. */
        void ended();
    }

    private enum Blow {
        CRASH,
        ENGINE
    }

    @BeforeAll
    static void start() {
        catalog = new DyingCatalog(
                Map.of("lance.trash-grace-days", "7", "lance.jobs.drop-grace", "1h", "lance.jobs.poll", "100ms"),
                OpenFga.shared());
        server = catalog.server();
        GovernedCatalog.grant(server, "otto", "writer", space("sales"));
        as(DyingCatalog.ADMIN)
                .post("/v1/namespace/" + id("sales", "archive") + "/create", "{}")
                .ok();
    }

    @AfterEach
    void heal() {
        if (catalog != null) {
            catalog.heal();
        }
    }

    @AfterAll
    static void stop() {
        if (catalog != null) {
            catalog.close();
        }
    }

    private static RunningServer as(String user) {
        return server.asking(HeaderIdentification.USER, user);
    }

    private static AccessObject space(String... segments) {
        return AccessObject.namespace(ObjectId.of(segments));
    }

    private static Set<String> facts(AccessObject object) {
        return server.bean(PermissionEngine.class).of(ObjectNames.of(object)).stream()
                .map(fact -> fact.user() + " " + fact.relation())
                .collect(Collectors.toSet());
    }

    /** Runs the operation until it is done undisturbed, each time disturbed one write later. */
    private static void everyStep(String name, Blow blow, Moment moment, IntFunction<Round> rounds) {
        for (int step = 1; ; step++) {
            Round round = rounds.apply(step);
            AtomicBoolean struck = blow == Blow.CRASH ? catalog.crash(moment, step) : catalog.failEngine(moment, step);
            Answer answer = round.ask(catalog.dying());
            boolean whole = !struck.get();
            String where =
                    name + ", " + blow + " " + moment + " write " + step + ", answered " + answer.status() + ": ";
            assertThat(answer.status()).as(where + answer.text()).isIn(whole ? List.of(200) : List.of(200, 409, 503));
            if (blow == Blow.ENGINE && answer.status() != 200) {
                assertThat(answer.code()).as(where + answer.text()).isEqualTo(17);
            }
            boolean happened = round.happened();
            assertThat(answer.status() == 200 && !happened).as(where).isFalse();
            catalog.heal();
            Answer again = round.ask(server);
            if (again.code() == 14) {
                assertThat(round.happened()).as(where + again.text()).isFalse();
                Workers.finish(server);
                again = round.ask(server);
            }
            assertThat(again.status())
                    .as(where + "again " + again.text())
                    .isIn(happened ? List.of(200, 404) : List.of(200));
            assertThat(round.happened()).as(where + "again").isTrue();
            Workers.finish(server);
            assertThat(round.happened()).as(where + "after the workers").isTrue();
            round.ended();
            if (whole) {
                System.out.printf("GovernedCrashTest %s: %s %s each of %d writes%n", name, blow, moment, step - 1);
                assertThat(step).as("writes of " + name).isGreaterThan(1);
                return;
            }
        }
    }

    private static boolean isThere(String user, String table) {
        Answer answer = as(user).post(table + "/exists", "{}");
        assertThat(answer.status()).as(user + " at " + table + answer.text()).isIn(200, 404);
        return answer.status() == 200;
    }

    private static void refusesEverything(String user, String table) {
        assertThat(as(user).post(table + "/exists", "{}").status())
                .as(user + " at " + table)
                .isEqualTo(403);
    }

    /** A table of {@code otto} that {@code rita} reads gets a name on which the engine still knows {@code stan} of long ago. */
    private static class Renaming implements Round {
        final ObjectId from;
        final ObjectId to;
        final String way;

        Renaming(String name, boolean elsewhere) {
            from = ObjectId.of("sales", name);
            to = elsewhere ? ObjectId.of("sales", "archive", name) : ObjectId.of("sales", name + "-moved");
            way = elsewhere ? ",\"new_namespace_id\":[\"sales\",\"archive\"]" : "";
            as("otto").post(path(from) + "/declare", "{}").ok();
            GovernedCatalog.grant(server, "rita", "reader", AccessObject.table(from));
            GovernedCatalog.grant(server, "stan", "owner", AccessObject.table(to));
        }

        static String path(ObjectId table) {
            return "/v1/table/" + id(table.segments().toArray(String[]::new));
        }

        @Override
        public Answer ask(RunningServer asked) {
            return asked.asking(HeaderIdentification.USER, "otto")
                    .post(path(from) + "/rename", "{\"new_table_name\":\"" + to.name() + "\"" + way + "}");
        }

        @Override
        public boolean happened() {
            boolean moved = isThere("otto", path(to));
            assertThat(isThere("otto", path(from))).isNotEqualTo(moved);
            assertThat(as("rita")
                            .post(path(moved ? to : from) + "/exists", "{}")
                            .status())
                    .isEqualTo(200);
            refusesEverything("stranger", path(from));
            refusesEverything("stranger", path(to));
            if (moved) {
                refusesEverything("stan", path(to));
            }
            return moved;
        }

        @Override
        public void ended() {
            assertThat(facts(AccessObject.table(to)))
                    .containsExactlyInAnyOrder(
                            "user:otto owner",
                            "user:rita reader",
                            ObjectNames.of(AccessObject.namespace(to.parent())) + " parent");
            assertThat(facts(AccessObject.table(from))).isEmpty();
            as(DyingCatalog.ADMIN).post(path(from) + "/declare", "{}").ok();
            assertThat(facts(AccessObject.table(from)))
                    .containsExactlyInAnyOrder(
                            "user:" + DyingCatalog.ADMIN + " owner",
                            ObjectNames.of(AccessObject.namespace(from.parent())) + " parent");
            refusesEverything("rita", path(from));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRename(Moment moment) {
        everyStep(
                "rename",
                Blow.CRASH,
                moment,
                step -> new Renaming("crash-" + moment.name().toLowerCase(Locale.ROOT) + step, moment == Moment.AFTER));
    }

    @ParameterizedTest
    @EnumSource
    void aRenameThatTheEngineFails(Moment moment) {
        everyStep(
                "rename",
                Blow.ENGINE,
                moment,
                step -> new Renaming(
                        "engine-" + moment.name().toLowerCase(Locale.ROOT) + step, moment == Moment.BEFORE));
    }

    @ParameterizedTest
    @EnumSource(names = "AFTER")
    void anUndropUnderAnotherName(Moment moment) {
        everyStep("undrop under another name", Blow.CRASH, moment, step -> new Renaming("back" + step, false) {
            {
                as("otto").post(path(from) + "/drop", "{}").ok();
            }

            @Override
            public Answer ask(RunningServer asked) {
                return asked.asking(HeaderIdentification.USER, "otto")
                        .post(path(from) + "/undrop", "{\"new_table_name\":\"" + to.name() + "\"}");
            }

            @Override
            public boolean happened() {
                assertThat(isThere("otto", path(from))).isFalse();
                refusesEverything("stranger", path(to));
                boolean back = isThere("otto", path(to));
                if (back) {
                    refusesEverything("stan", path(to));
                }
                return back;
            }
        });
    }

    /** Behaviour 48 and 77: a record and its administrator, or none, and a repeat by its maker ends it. */
    private static final class Founding implements Round {
        private final String project;

        Founding(String project) {
            this.project = project;
            GovernedCatalog.grant(server, "petra", "operator", AccessObject.ESTATE);
            // An administrator of a project that is long gone.
            GovernedCatalog.grant(server, "stan", "admin", AccessObject.project(project));
        }

        @Override
        public Answer ask(RunningServer asked) {
            return asked.asking(HeaderIdentification.USER, "petra")
                    .post("/v1/projects", "{\"id\":\"" + project + "\"}");
        }

        @Override
        public boolean happened() {
            boolean made = facts(AccessObject.project(project)).contains("user:petra admin");
            assertThat(as("stranger").get("/v1/projects/" + project).status()).isIn(403, 404);
            if (made) {
                as("petra").get("/v1/projects/" + project).ok();
                assertThat(as("stan").get("/v1/projects/" + project).status()).isIn(403, 404);
            }
            return made;
        }

        @Override
        public void ended() {
            assertThat(facts(AccessObject.project(project)))
                    .containsExactlyInAnyOrder("user:petra admin", "estate:catalog estate");
            as("petra")
                    .put("/v1/projects/" + project + "/members", "{\"principal\":\"user:rita\",\"rung\":\"member\"}")
                    .ok();
            ask(server).ok();
            assertThat(facts(AccessObject.project(project))).contains("user:rita member");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCreationOfAProject(Moment moment) {
        everyStep(
                "project",
                Blow.CRASH,
                moment,
                step -> new Founding("crash-" + moment.name().toLowerCase(Locale.ROOT) + step));
    }

    @ParameterizedTest
    @EnumSource
    void aCreationOfAProjectThatTheEngineFails(Moment moment) {
        everyStep(
                "project",
                Blow.ENGINE,
                moment,
                step -> new Founding("engine-" + moment.name().toLowerCase(Locale.ROOT) + step));
    }
}
