package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.PermissionEngine;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.testing.AuditLines;
import io.rask.catalog.testing.DyingCatalog;
import io.rask.catalog.testing.DyingCatalog.Moment;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that asks a real permission engine dies between any two of its writes, of the store and of the engine, while Petra deletes
 * a warehouse or a project of hers: she brings it to its end with the same request to another server, and nobody else can.
 */
class GovernedDeletionCrashTest {
    private static DyingCatalog catalog;
    private static RunningServer server;

    @BeforeAll
    static void start() {
        catalog = new DyingCatalog(
                Map.of("lance.trash-grace-days", "7", "lance.jobs.drop-grace", "1h"), OpenFga.shared());
        server = catalog.server();
        GovernedCatalog.grant(server, "petra", "operator", AccessObject.ESTATE);
        as("petra").post("/v1/projects", "{\"id\":\"of-petra\"}").ok();
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

    /**
     * What is deleted.
     *
     * @param address where
     * @param objects on which nobody may have a right afterwards
     */
    private record Doomed(String address, List<AccessObject> objects) {}

    /** Deletes until it is done without a crash, each time with the crash one write later. */
    private static void everyStep(String name, Moment moment, String query, IntFunction<Doomed> make) {
        for (int step = 1; ; step++) {
            Doomed doomed = make.apply(step);
            AtomicBoolean crashed = catalog.crash(moment, step);
            Answer answer =
                    catalog.dying().asking(HeaderIdentification.USER, "petra").delete(doomed.address + query);
            boolean whole = !crashed.get();
            String where = name + ", " + moment + " write " + step + ", answered " + answer.status() + ": ";
            assertThat(answer.status()).as(where + answer.text()).isNotEqualTo(500);
            catalog.heal();
            assertThat(as("stranger").delete(doomed.address + query).status())
                    .as(where + "a stranger")
                    .isEqualTo(404);
            if (whole) {
                answer.ok();
            } else {
                Answer again = as("petra").delete(doomed.address + query);
                assertThat(again.status()).as(where + "again " + again.text()).isIn(200, 404);
            }
            assertThat(as("petra").get(doomed.address).status()).as(where).isIn(403, 404);
            assertThat(as(DyingCatalog.ADMIN).get(doomed.address).status())
                    .as(where)
                    .isIn(403, 404);
            doomed.objects.forEach(
                    object -> assertThat(server.bean(PermissionEngine.class).of(ObjectNames.of(object)))
                            .as(where + object)
                            .isEmpty());
            if (whole) {
                System.out.printf(
                        "GovernedDeletionCrashTest %s: crashed %s each of %d writes%n", name, moment, step - 1);
                assertThat(step).as("writes of " + name).isGreaterThan(1);
                return;
            }
        }
    }

    private static String named(String what, Moment moment, int step) {
        return what + "-" + moment.name().toLowerCase(Locale.ROOT) + "-" + step;
    }

    @ParameterizedTest
    @EnumSource
    void aDeletionOfAProject(Moment moment) {
        everyStep("project", moment, "", step -> {
            String project = named("tenant", moment, step);
            as("petra").post("/v1/projects", "{\"id\":\"" + project + "\"}").ok();
            GovernedCatalog.grant(server, "paul", "member", AccessObject.project(project));
            return new Doomed("/v1/projects/" + project, List.of(AccessObject.project(project)));
        });
    }

    @ParameterizedTest
    @EnumSource
    void aDeletionOfAWarehouse(Moment moment) {
        everyStep("warehouse", moment, "?cascade=true&purge_bucket=true", step -> {
            String lake = named("lake", moment, step);
            String name = "in-" + lake;
            as("petra")
                    .post("/v1/warehouses", "{\"id\":\"" + lake + "\",\"project\":\"of-petra\"}")
                    .ok();
            as("petra")
                    .post("/v1/warehouses/" + lake + "/namespaces", "{\"namespace\":\"" + name + "\"}")
                    .ok();
            String table = "/v1/table/" + RunningServer.id(name, "t");
            as("petra").post(table + "/declare", "{}").ok();
            as("petra").post(table + "/drop", "{}").ok();
            GovernedCatalog.grant(server, "wanda", "writer", AccessObject.warehouse(lake));
            return new Doomed(
                    "/v1/warehouses/" + lake,
                    List.of(
                            AccessObject.warehouse(lake),
                            AccessObject.namespace(ObjectId.of(name)),
                            AccessObject.table(ObjectId.of(name, "t"))));
        });
    }

    @Test
    void anAdministratorOfTheEstateEndsADeletionThatNobodyElseMay() {
        leaveBehind();
        assertThat(as("paul").delete("/v1/projects/left-behind").status()).isEqualTo(404);
        as(DyingCatalog.ADMIN).delete("/v1/projects/left-behind").ok();
        as("petra").post("/v1/projects", "{\"id\":\"left-behind\"}").ok();
    }

    @Test
    void whoBeganADeletionAndEndsItIsOnRecord() {
        leaveBehind();
        try (AuditLines lines = AuditLines.listen()) {
            as("petra").delete("/v1/projects/left-behind").ok();
            assertThat(lines.told())
                    .filteredOn(line -> line.path("why").asString().equals("unfinished deletion"))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.path("who").asString()).isEqualTo("petra");
                        assertThat(line.path("verdict").asString()).isEqualTo("ALLOW");
                        assertThat(line.path("resource").asString()).isEqualTo("project:left-behind");
                        assertThat(line.path("relation").asString()).isEqualTo("can_administer");
                    });
        }
        as("petra").post("/v1/projects", "{\"id\":\"left-behind\"}").ok();
    }

    /** A project of petra whose deletion has taken all rights and is not at its end. */
    private static void leaveBehind() {
        as("petra").post("/v1/projects", "{\"id\":\"left-behind\"}").ok();
        // The last write is that of the record.
        int step = 1;
        while (true) {
            AtomicBoolean crashed = catalog.crash(Moment.BEFORE, step++);
            Answer answer =
                    catalog.dying().asking(HeaderIdentification.USER, "petra").delete("/v1/projects/left-behind");
            catalog.heal();
            assertThat(crashed).as(answer.text()).isTrue();
            boolean isNobodys = server.bean(PermissionEngine.class)
                    .of(ObjectNames.of(AccessObject.project("left-behind")))
                    .isEmpty();
            if (isNobodys) {
                break;
            }
        }
    }

    /** The first request stops between the row and the engine until its repeat has come to its end. */
    @Test
    void aLateFirstRequestTakesNothingFromANamespaceThatItsRepeatHasFinished() {
        as("petra")
                .post("/v1/warehouses", "{\"id\":\"lake-slow\",\"project\":\"of-petra\"}")
                .ok();
        String address = "/v1/warehouses/lake-slow/namespaces";
        String body = "{\"namespace\":\"in-slow\"}";
        AtomicBoolean hasRow = new AtomicBoolean();
        AtomicBoolean isRepeated = new AtomicBoolean();
        catalog.crash(
                asked -> {
                    hasRow.compareAndSet(false, asked.isWrite() && asked.path().contains("__manifest/"));
                    if (hasRow.get()
                            && asked.path().contains("_warehouses/bindings/")
                            && isRepeated.compareAndSet(false, true)) {
                        as("petra").post(address, body).ok();
                        as("petra")
                                .post("/v1/table/" + RunningServer.id("in-slow", "t") + "/declare", "{}")
                                .ok();
                        GovernedCatalog.grant(server, "rita", "reader", AccessObject.namespace(ObjectId.of("in-slow")));
                    }
                    return false;
                },
                new Fault.DropReply());
        catalog.dying()
                .asking(HeaderIdentification.USER, "petra")
                .post(address, body)
                .ok();
        assertThat(isRepeated).isTrue();
        as("rita").post("/v1/namespace/in-slow/describe", "{}").ok();
        as("petra")
                .post("/v1/table/" + RunningServer.id("in-slow", "t") + "/exists", "{}")
                .ok();
    }
}
