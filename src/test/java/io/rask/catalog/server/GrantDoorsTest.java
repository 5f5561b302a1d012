package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.namespace;
import static io.rask.catalog.server.GovernedCatalog.table;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Rung;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Giving and taking rights on every kind of object, and what each rung comes to at the doors. */
@Tag("engine")
class GrantDoorsTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String LAKE = "/v1/warehouse/lake";
    private static final String SHOP = "/v1/namespace/shop";
    private static GovernedCatalog catalog;
    private static RunningServer olga;

    @BeforeAll
    static void start() {
        catalog = GovernedCatalog.shared();
        olga = catalog.as("olga");
        olga.post("/v1/table/" + id("shop", "gates") + "/declare", "{}").ok();
    }

    private static String fresh(String kind) {
        return kind + "-of-grants-" + NAMES.incrementAndGet();
    }

    private static String giving(String user, String rung) {
        return "{\"principal\":\"user:" + user + "\",\"rung\":\"" + rung + "\"}";
    }

    @ParameterizedTest
    @EnumSource(Rung.class)
    void namespacesAndWarehousesTakeTheirRungsOnly(Rung rung) {
        for (String object : List.of(LAKE, SHOP)) {
            String user = fresh("user");
            String body = giving(user, rung.wireName());
            Answer given = olga.post(object + "/access/grant", body);
            if (!Rung.of(Kind.NAMESPACE).contains(rung)) {
                refused(given, 400, 13);
                refused(olga.post(object + "/access/revoke", body), 400, 13);
            } else {
                given.ok();
                assertThat(olga.post(object + "/access/list", "{}").ok().text()).contains(body);
                assertThat(olga.post(object + "/access/revoke", body).ok().text())
                        .contains("\"revoked\":true");
                assertThat(olga.post(object + "/access/list", "{}").ok().text()).doesNotContain(user);
            }
        }
    }

    @Test
    void whereTheAccessOfAWarehouseIsManagedOwnersNeitherGiveNorTake() {
        String lake = fresh("lake");
        olga.post("/v1/warehouses", "{\"id\":\"" + lake + "\",\"project\":\"acme\"}")
                .ok();
        olga.post("/v1/warehouses/" + lake + "/namespaces", "{\"namespace\":\"in-" + lake + "\"}")
                .ok();
        String owner = fresh("owner");
        catalog.grant(owner, "owner", AccessObject.warehouse(lake));
        RunningServer asOwner = catalog.as(owner);
        List<String> doors = List.of("/v1/warehouse/" + lake, "/v1/namespace/in-" + lake);
        for (String door : doors) {
            asOwner.post(door + "/access/grant", giving("given", "reader")).ok();
        }
        String managed = "/v1/warehouse/" + lake + "/managed-access";
        refused(asOwner.post(managed + "/set", "{\"managed\":true}"), 403, 15);
        olga.post(managed + "/set", "{\"managed\":true}").ok();
        assertThat(asOwner.post("/v1/namespace/in-" + lake + "/managed-access/describe", "{}")
                        .ok()
                        .text())
                .isEqualTo("{\"managed\":true,\"inherited\":true}");
        for (String door : doors) {
            refused(asOwner.post(door + "/access/grant", giving("more", "reader")), 403, 15);
            refused(asOwner.post(door + "/access/revoke", giving("given", "reader")), 403, 15);
            refused(asOwner.post(door + "/access/list", "{}"), 403, 15);
        }
        // Who manages grants goes on, without being an owner.
        String manager = fresh("manager");
        olga.post("/v1/warehouse/" + lake + "/access/grant", giving(manager, "manage_grants"))
                .ok();
        for (String door : doors) {
            catalog.as(manager)
                    .post(door + "/access/revoke", giving("given", "reader"))
                    .ok();
        }
        olga.post(managed + "/set", "{\"managed\":false}").ok();
        for (String door : doors) {
            asOwner.post(door + "/access/grant", giving("again", "reader")).ok();
            asOwner.post(door + "/access/revoke", giving("again", "reader")).ok();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"principal\":\"user:x\"}",
                "{\"principal\":\"user:x\",\"rung\":\"parent\"}",
                "{\"principal\":\"user:x\",\"rung\":\"can_drop\"}",
                "{\"principal\":\"user:x\",\"rung\":\"navigator\"}",
                "{\"principal\":\"user:x\",\"rung\":\"admin\"}",
                "{\"principal\":\"user:*\",\"rung\":\"reader\"}",
                "{\"principal\":\"x\",\"rung\":\"reader\"}"
            })
    void takingWhatTheModelDoesNotKnowIsTheClientsError(String body) {
        for (String object : List.of(LAKE, SHOP, "/v1/table/" + id("shop", "gates"))) {
            refused(olga.post(object + "/access/revoke", body), 400, 13);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?principal=user:x",
                "?rung=member",
                "?principal=user:x&rung=owner",
                "?principal=user:x&rung=can_administer",
                "?principal=user:x&rung=team",
                "?principal=x&rung=member",
                "?principal=user:*&rung=member"
            })
    void removingAMemberOfARungThatIsNoneIsTheClientsError(String query) {
        refused(olga.delete("/v1/projects/acme/members" + query), 400, 13);
    }

    @Test
    void whatIsKnownAlreadyKeepsNothingNewFromBeingWritten() {
        String object = ObjectNames.of(table("shop", "gates"));
        Tuple known = new Tuple(ObjectNames.user(fresh("known")), "reader", object);
        Tuple other = new Tuple(ObjectNames.user(fresh("new")), "reader", object);
        Tuple absent = new Tuple(ObjectNames.user(fresh("absent")), "reader", object);
        catalog.engine().write(List.of(known), List.of());
        catalog.engine().write(List.of(known, other), List.of(absent));
        assertThat(catalog.engine().of(object)).contains(known, other).doesNotContain(absent);
        catalog.engine().write(List.of(), List.of(absent, known, other));
        assertThat(catalog.engine().of(object)).doesNotContain(known, other, absent);
    }

    /** A door that asks for an action; what is sent to it changes nothing. */
    private record Gate(String action, String method, String path, String body) {
        boolean opensTo(String user) {
            RunningServer caller = catalog.as(user);
            Answer answer = switch (method) {
                case "GET" -> caller.get(path);
                case "DELETE" -> caller.delete(path);
                case "PUT" -> caller.put(path, body);
                default -> caller.post(path, body);
            };
            // Some answer a denial as an absence, and everything here is there.
            return answer.code() != 15 && answer.status() != 404;
        }
    }

    private static final String UNLOCKED = "{\"protected\":false}";
    private static final String READER = "{\"principal\":\"user:given\",\"rung\":\"reader\"}";
    private static final String OWNER = "{\"principal\":\"user:given\",\"rung\":\"owner\"}";

    /** What is the same on tables, namespaces and warehouses. */
    private static List<Gate> gates(String access, String protection, Gate... more) {
        List<Gate> gates = new ArrayList<>(List.of(more));
        gates.add(new Gate("can_set_protection", "POST", protection, UNLOCKED));
        gates.add(new Gate("can_read_assignments", "POST", access + "/list", "{}"));
        gates.add(new Gate("can_grant_reader", "POST", access + "/grant", READER));
        gates.add(new Gate("can_grant_owner", "POST", access + "/grant", OWNER));
        gates.add(new Gate("can_revoke_grant", "POST", access + "/revoke", READER));
        return gates;
    }

    private static final String TABLE = "/v1/table/" + "shop%24gates";

    private static final Map<Kind, List<Gate>> GATES = Map.of(
            Kind.TABLE,
            gates(
                    TABLE + "/access",
                    TABLE + "/protection",
                    new Gate("can_get_metadata", "POST", TABLE + "/exists", "{}"),
                    new Gate("can_read_data", "POST", TABLE + "/count_rows", "{}"),
                    new Gate("can_write_data", "POST", TABLE + "/delete", "{\"predicate\":\"false\"}"),
                    new Gate("can_maintain", "POST", TABLE + "/maintenance/compact", "{\"branch\":\"none\"}"),
                    new Gate("can_deregister", "POST", TABLE + "/deregister?dry_run=true", "{}"),
                    new Gate("can_drop", "POST", TABLE + "/drop?dry_run=true", "{}")),
            Kind.NAMESPACE,
            gates(
                    SHOP + "/access",
                    SHOP + "/protection",
                    new Gate("can_get_metadata", "POST", SHOP + "/describe", "{}"),
                    new Gate("can_create_table", "POST", "/v1/table/shop%24gates/declare", "{}"),
                    new Gate("can_set_managed_access", "POST", SHOP + "/managed-access/set", "{\"managed\":false}"),
                    new Gate("can_delete", "POST", SHOP + "/drop?dry_run=true", "{}")),
            Kind.WAREHOUSE,
            gates(
                    LAKE + "/access",
                    "/v1/warehouses/lake/protection",
                    new Gate("can_get_metadata", "GET", "/v1/warehouses/lake", ""),
                    new Gate(
                            "can_create_namespace",
                            "POST",
                            "/v1/warehouses/lake/namespaces",
                            "{\"namespace\":\"shop\"}"),
                    new Gate("can_set_managed_access", "POST", LAKE + "/managed-access/set", "{\"managed\":false}"),
                    new Gate("can_administer", "DELETE", "/v1/warehouses/lake?dry_run=true", "")),
            Kind.PROJECT,
            List.of(
                    new Gate("can_observe_events", "GET", "/v1/projects/acme", ""),
                    new Gate("can_read_assignments", "GET", "/v1/projects/acme/members", ""),
                    new Gate("can_set_protection", "POST", "/v1/projects/acme/protection", UNLOCKED),
                    new Gate("can_grant_member", "PUT", "/v1/projects/acme/members", giving("given", "member")),
                    new Gate(
                            "can_grant_role_creator",
                            "PUT",
                            "/v1/projects/acme/members",
                            giving("given", "role_creator")),
                    new Gate("can_administer", "DELETE", "/v1/projects/acme?dry_run=true", "")));

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"PROJECT", "WAREHOUSE", "NAMESPACE", "TABLE"})
    void whatEachRungIsToldThatItMayIsWhatTheGatesLetItDo(Kind kind) {
        AccessObject object = switch (kind) {
            case PROJECT -> AccessObject.project("acme");
            case WAREHOUSE -> AccessObject.warehouse("lake");
            case NAMESPACE -> namespace("shop");
            default -> table("shop", "gates");
        };
        String mine = switch (kind) {
            case PROJECT -> "/v1/projects/acme/access";
            case WAREHOUSE -> LAKE + "/access";
            case NAMESPACE -> SHOP + "/access";
            default -> TABLE + "/access";
        };
        int told = 0;
        for (Rung rung : Rung.of(kind)) {
            String user = fresh(rung.wireName());
            catalog.grant(user, rung.wireName(), object);
            Answer answer = catalog.as(user).post(mine + "/my-permissions", "{}");
            if (answer.code() == 15) {
                // Whoever does not see the object is not told what else may be done to it.
                continue;
            }
            told++;
            Set<String> actions = new TreeSet<>();
            answer.ok().json().path("permissions").forEach(action -> actions.add(action.asString()));
            for (Gate gate : GATES.get(kind)) {
                assertThat(gate.opensTo(user)).as(rung + " " + gate).isEqualTo(actions.contains(gate.action()));
            }
        }
        assertThat(told).isGreaterThanOrEqualTo(3);
    }
}
