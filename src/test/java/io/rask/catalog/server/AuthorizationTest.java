package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.namespace;
import static io.rask.catalog.server.GovernedCatalog.table;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Who may do what, on a real permission engine. */
@Tag("engine")
class AuthorizationTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static GovernedCatalog catalog;

    @BeforeAll
    static void start() {
        catalog = new GovernedCatalog(OpenFga.shared(), Map.of());
        catalog.makeNamespace("olga", "acme", "lake", "shop");
    }

    @AfterAll
    static void stop() {
        if (catalog != null) {
            catalog.close();
        }
    }

    private static String fresh(String kind) {
        return kind + "-" + NAMES.incrementAndGet();
    }

    private static String path(String... segments) {
        return "/v1/table/" + RunningServer.id(segments);
    }

    private static String freshTable(String maker) {
        String name = fresh("table");
        catalog.as(maker).post(path("shop", name) + "/declare", "{}").ok();
        return name;
    }

    @Test
    void theMakerOwnsWhatHeMakesAndAStrangerSeesNothing() {
        String name = freshTable("olga");
        assertThat(catalog.as("olga")
                        .post(path("shop", name) + "/describe", "{}")
                        .status())
                .isEqualTo(200);
        Answer refused = catalog.as("stranger").post(path("shop", name) + "/describe", "{}");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.code()).isEqualTo(15);
        assertThat(catalog.as("stranger").get("/v1/table").json().path("tables"))
                .isEmpty();
        assertThat(catalog.as("stranger").get("/v1/namespace/%24/list").json().path("namespaces"))
                .isEmpty();
        assertThat(catalog.as("stranger").get("/v1/warehouses").json().path("warehouses"))
                .isEmpty();
    }

    @Test
    void whoSaysNotWhoTheyAreIsNotLetIn() {
        assertThat(catalog.server().get("/v1/table").code()).isEqualTo(16);
    }

    @Test
    void anAbsentTableIsToldToWhoMayReadItsParentAndDeniedToOthers() {
        catalog.grant("rita", "reader", namespace("shop"));
        assertThat(catalog.as("rita")
                        .post(path("shop", "nothing") + "/describe", "{}")
                        .code())
                .isEqualTo(4);
        assertThat(catalog.as("rita")
                        .post(path("shop", "nothing") + "/drop", "{}")
                        .code())
                .isEqualTo(4);
        assertThat(catalog.as("stranger")
                        .post(path("shop", "nothing") + "/describe", "{}")
                        .code())
                .isEqualTo(15);
        String name = freshTable("olga");
        assertThat(catalog.as("rita").post(path("shop", name) + "/drop", "{}").code())
                .isEqualTo(15);
    }

    @Test
    void theWayToAReadableTableCanBeSeenAndNothingBesideIt() {
        String deep = fresh("deep");
        catalog.as("olga")
                .post("/v1/namespace/" + RunningServer.id("shop", deep) + "/create", "{}")
                .ok();
        catalog.as("olga").post(path("shop", deep, "mine") + "/declare", "{}").ok();
        catalog.as("olga").post(path("shop", deep, "other") + "/declare", "{}").ok();
        String user = fresh("walker");
        catalog.grant(user, "reader", table("shop", deep, "mine"));
        RunningServer walker = catalog.as(user);
        assertThat(walker.get("/v1/namespace/%24/list").text()).contains("\"shop\"");
        assertThat(walker.post("/v1/namespace/shop/describe", "{}").status()).isEqualTo(200);
        assertThat(walker.get("/v1/namespace/shop/list")
                        .json()
                        .path("namespaces")
                        .toString())
                .isEqualTo("[\"" + deep + "\"]");
        assertThat(walker.get("/v1/namespace/" + RunningServer.id("shop", deep) + "/table/list")
                        .json()
                        .path("tables")
                        .toString())
                .isEqualTo("[\"mine\"]");
        assertThat(walker.get("/v1/warehouses").text()).contains("lake");
        assertThat(walker.get("/v1/table").json().path("tables").toString()).isEqualTo("[\"shop$" + deep + "$mine\"]");
        assertThat(walker.post(path("shop", deep, "other") + "/describe", "{}").code())
                .isEqualTo(15);
        // Nothing else below the shop is his, so without the grant the way is gone as well.
        catalog.revoke(user, "reader", table("shop", deep, "mine"));
        assertThat(walker.post("/v1/namespace/shop/describe", "{}").code()).isEqualTo(15);
        assertThat(walker.get("/v1/warehouses").json().path("warehouses")).isEmpty();
    }

    @Test
    void aRightThatIsTakenBackEndsAtOnceOnThisServer() {
        String name = freshTable("olga");
        catalog.grant("temp", "reader", table("shop", name));
        assertThat(catalog.as("temp").post(path("shop", name) + "/exists", "{}").status())
                .isEqualTo(200);
        catalog.revoke("temp", "reader", table("shop", name));
        assertThat(catalog.as("temp").post(path("shop", name) + "/exists", "{}").status())
                .isEqualTo(403);
    }

    @Test
    void aTeamOfTheTokenGivesWhatTheTeamMay() {
        String name = freshTable("olga");
        catalog.engine()
                .write(
                        List.of(new Tuple(
                                ObjectNames.team("analysts") + "#member",
                                "reader",
                                ObjectNames.of(table("shop", name)))),
                        List.of());
        RunningServer tom = catalog.as("tom");
        assertThat(tom.post(path("shop", name) + "/exists", "{}").status()).isEqualTo(403);
        assertThat(tom.asking(HeaderIdentification.TEAMS, "analysts")
                        .post(path("shop", name) + "/exists", "{}")
                        .status())
                .isEqualTo(200);
        assertThat(tom.asking(HeaderIdentification.TEAMS, "others")
                        .post(path("shop", name) + "/exists", "{}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aCallerInMoreTeamsThanTheEngineTakesAtATimeHasTheRightsOfAll() {
        String name = freshTable("olga");
        catalog.engine()
                .write(
                        List.of(new Tuple(
                                ObjectNames.team("zebras") + "#member", "reader", ObjectNames.of(table("shop", name)))),
                        List.of());
        String many = IntStream.range(0, 250).mapToObj(at -> "herd-" + at).collect(Collectors.joining(",")) + ",zebras";
        RunningServer tom = catalog.as("tom").asking(HeaderIdentification.TEAMS, many);
        assertThat(tom.post(path("shop", name) + "/exists", "{}").status()).isEqualTo(200);
        assertThat(tom.post(path("shop", name) + "/drop", "{}").status()).isEqualTo(403);
    }

    @Test
    void aGrantWithAnEndEnds() {
        String name = freshTable("olga");
        java.time.Instant now = java.time.Instant.now();
        AccessObject object = table("shop", name);
        catalog.engine()
                .write(
                        List.of(
                                new Tuple(
                                        "user:early",
                                        "reader",
                                        ObjectNames.of(object),
                                        new Tuple.Expiry(now, java.time.Duration.ofHours(1))),
                                new Tuple(
                                        "user:late",
                                        "reader",
                                        ObjectNames.of(object),
                                        new Tuple.Expiry(now.minusSeconds(7200), java.time.Duration.ofHours(1)))),
                        List.of());
        assertThat(catalog.as("early")
                        .post(path("shop", name) + "/exists", "{}")
                        .status())
                .isEqualTo(200);
        assertThat(catalog.as("late").post(path("shop", name) + "/exists", "{}").status())
                .isEqualTo(403);
    }

    @Test
    void aDestructiveDoorAboveNamespacesTellsAStrangerNothing() {
        for (String[] pair : new String[][] {
            {"/v1/warehouses/lake", "/v1/warehouses/no-such-lake"},
            {"/v1/projects/acme", "/v1/projects/no-such-project"},
            {"/v1/warehouses/lake/namespaces/shop", "/v1/warehouses/no-such-lake/namespaces/shop"}
        }) {
            for (String query : List.of("", "?force=true")) {
                Answer there = catalog.as("stranger").delete(pair[0] + query);
                Answer absent = catalog.as("stranger").delete(pair[1] + query);
                assertThat(there.status()).isEqualTo(404);
                assertThat(there.json()
                                .path("detail")
                                .asString()
                                .replace("acme", "X")
                                .replace("lake", "X"))
                        .isEqualTo(absent.json()
                                .path("detail")
                                .asString()
                                .replace("no-such-project", "X")
                                .replace("no-such-lake", "X"));
                assertThat(there.code()).isEqualTo(absent.code());
            }
        }
    }

    @Test
    void replacingATableNeedsTheRightToDropItAndMakingOneDoesNot() {
        catalog.grant("wren", "writer", namespace("shop"));
        byte[] rows = ArrowStreams.longs("id", 1, 2);
        String name = fresh("table");
        assertThat(catalog.as("wren")
                        .arrow(path("shop", name) + "/create?mode=overwrite", rows)
                        .status())
                .isEqualTo(200);
        String others = freshTable("olga");
        assertThat(catalog.as("wren")
                        .arrow(path("shop", others) + "/create?mode=Overwrite", rows)
                        .code())
                .isEqualTo(15);
        assertThat(catalog.as("wren")
                        .arrow(path("shop", name) + "/create?mode=overwrite", rows)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aRenameNeedsTheDropOfTheSourceAndACreationAtTheDestinationAndTakesTheRightsAlong() {
        String space = fresh("space");
        catalog.as("olga")
                .post("/v1/warehouses/lake/namespaces", "{\"namespace\":\"" + space + "\"}")
                .ok();
        String name = freshTable("olga");
        catalog.grant("rob", "owner", table("shop", name));
        catalog.grant("rea", "reader", table("shop", name));
        String body = "{\"new_table_name\":\"moved\",\"new_namespace_id\":[\"" + space + "\"]}";
        assertThat(catalog.as("rob").post(path("shop", name) + "/rename", body).code())
                .isEqualTo(15);
        catalog.grant("rob", "writer", namespace(space));
        assertThat(catalog.as("rea").post(path("shop", name) + "/rename", body).code())
                .isEqualTo(15);
        catalog.as("rob").post(path("shop", name) + "/rename", body).ok();
        assertThat(catalog.as("rea")
                        .post(path(space, "moved") + "/describe", "{}")
                        .status())
                .isEqualTo(200);
        assertThat(catalog.as("rea")
                        .post("/v1/namespace/" + space + "/describe", "{}")
                        .status())
                .isEqualTo(200);
        assertThat(catalog.engine().of(ObjectNames.of(table("shop", name)))).isEmpty();
        // The name is free: who makes it anew shares nothing with those who had the old one.
        catalog.as("olga").post(path("shop", name) + "/declare", "{}").ok();
        assertThat(catalog.as("rea")
                        .post(path("shop", name) + "/describe", "{}")
                        .code())
                .isEqualTo(15);
    }

    @Test
    void aRenameOntoAnotherTableGivesNoRightOnIt() {
        String mine = freshTable("olga");
        String theirs = freshTable("olga");
        catalog.grant("sly", "owner", table("shop", mine));
        catalog.grant("sly", "writer", namespace("shop"));
        assertThat(catalog.as("sly")
                        .post(path("shop", mine) + "/rename", "{\"new_table_name\":\"" + theirs + "\"}")
                        .code())
                .isEqualTo(5);
        catalog.revoke("sly", "writer", namespace("shop"));
        assertThat(catalog.as("sly")
                        .post(path("shop", theirs) + "/describe", "{}")
                        .code())
                .isEqualTo(15);
    }

    @Test
    void aBatchIsAskedForEveryTableItNames() {
        String mine = freshTable("olga");
        String theirs = freshTable("olga");
        catalog.grant("bob", "owner", table("shop", mine));
        String both = "{\"operations\":[{\"deregister_table\":{\"id\":[\"shop\",\"" + mine + "\"]}},"
                + "{\"deregister_table\":{\"id\":[\"shop\",\"" + theirs + "\"]}}]}";
        assertThat(catalog.as("bob").post("/v1/table/batch-commit", both).code())
                .isEqualTo(15);
        assertThat(catalog.as("bob")
                        .post("/v1/table/batch-commit", "{\"operations\":[{\"deregister_table\":{}}]}")
                        .code())
                .isEqualTo(15);
        String declared = fresh("table");
        String declare = "{\"operations\":[{\"declare_table\":{\"id\":[\"shop\",\"" + declared + "\"]}}]}";
        assertThat(catalog.as("bob").post("/v1/table/batch-commit", declare).code())
                .isEqualTo(15);
        String id = catalog.as("olga")
                .post("/v1/table/batch-commit", declare)
                .ok()
                .json()
                .path("transaction_id")
                .asString();
        assertThat(catalog.as("olga")
                        .post(path("shop", declared) + "/describe", "{}")
                        .status())
                .isEqualTo(200);
        assertThat(catalog.as("olga")
                        .post("/v1/transaction/" + id + "/describe", "{}")
                        .status())
                .isEqualTo(200);
        assertThat(catalog.as("bob")
                        .post("/v1/transaction/" + id + "/describe", "{}")
                        .code())
                .isEqualTo(15);
    }

    @Test
    void aRepeatOfACreationByAStrangerGivesHimNothing() {
        assertThat(catalog.as("stranger")
                        .post("/v1/projects", "{\"id\":\"acme\"}")
                        .code())
                .isEqualTo(15);
        catalog.engine()
                .write(List.of(new Tuple("user:opal", "operator", ObjectNames.of(AccessObject.ESTATE))), List.of());
        refused(catalog.as("opal").post("/v1/projects", "{\"id\":\"acme\"}"), 409, 2);
        assertThat(catalog.as("opal")
                        .post("/v1/warehouses", "{\"id\":\"opal-lake\",\"project\":\"acme\"}")
                        .code())
                .isEqualTo(15);
        // Nor does one who made it, and was removed, come back by it.
        String project = fresh("project");
        catalog.as("opal").post("/v1/projects", "{\"id\":\"" + project + "\"}").ok();
        catalog.revoke("opal", "admin", AccessObject.project(project));
        catalog.as("opal").post("/v1/projects", "{\"id\":\"" + project + "\"}").ok();
        assertThat(catalog.as("opal").delete("/v1/projects/" + project).code()).isEqualTo(4);
    }

    @Test
    void everybodyLearnsWhatTheyAre() {
        catalog.grant("mia", "member", AccessObject.project("acme"));
        assertThat(catalog.as("olga").get("/v1/me").ok().text())
                .contains("\"acme\"", "\"admin\"", "\"estate_admin\":false");
        assertThat(catalog.as("mia").get("/v1/me").ok().text()).contains("\"acme\"", "\"member\"");
        assertThat(catalog.as("stranger").get("/v1/me").ok().text()).doesNotContain("acme");
        assertThat(catalog.as(GovernedCatalog.ADMIN).get("/v1/me").ok().text()).contains("\"estate_admin\":true");
    }

    @Test
    void namesOfAnyKindKeepApart() {
        for (String odd : List.of("a b", "ä#ö:ü", "x".repeat(200), "日本語", "a%20b", "'quoted' \"name\"")) {
            catalog.as("olga").post(path("shop", odd) + "/declare", "{}").ok();
            catalog.grant("odette", "reader", table("shop", odd));
            assertThat(catalog.as("odette")
                            .post(path("shop", odd) + "/describe", "{}")
                            .status())
                    .as(odd)
                    .isEqualTo(200);
        }
        String deep = "y".repeat(190);
        catalog.as("olga")
                .post("/v1/namespace/" + RunningServer.id("shop", deep) + "/create", "{}")
                .ok();
        catalog.as("olga").post(path("shop", deep, deep) + "/declare", "{}").ok();
        assertThat(catalog.as("odette")
                        .post(path("shop", deep, deep) + "/describe", "{}")
                        .code())
                .isEqualTo(15);
        catalog.grant("odette", "reader", table("shop", deep, deep));
        assertThat(catalog.as("odette")
                        .post(path("shop", deep, deep) + "/describe", "{}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void everyDecisionIsOneLineOfTheRecordAndHoldsNoSecret() {
        String name = freshTable("olga");
        Logger logger = (Logger) LoggerFactory.getLogger("audit");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            RunningServer olga = catalog.as("olga").asking("Authorization", "Bearer top-secret");
            Answer allowed = olga.post(path("shop", name) + "/exists?delimiter=$&x-api-key=hidden", "{}");
            catalog.as("stranger").post(path("shop", name) + "/count_rows", "{}");
            catalog.server().get("/v1/table");
            catalog.as("stranger").get("/v1/table");
            List<JsonNode> told = lines.list.stream()
                    .map(event -> JsonMapper.shared().readTree(event.getFormattedMessage()))
                    .toList();
            assertThat(told).hasSize(4);
            JsonNode first = told.getFirst();
            assertThat(first.path("who").asString()).isEqualTo("olga");
            assertThat(first.path("from").asString()).isEqualTo("127.0.0.1");
            assertThat(first.path("what").asString()).isEqualTo("POST " + path("shop", name) + "/exists");
            assertThat(first.path("resource").asString()).isEqualTo("table:shop$" + name);
            assertThat(first.path("relation").asString()).isEqualTo("can_get_metadata");
            assertThat(first.path("verdict").asString()).isEqualTo("ALLOW");
            assertThat(first.path("request_id").asString()).isEqualTo(allowed.header("X-Request-Id"));
            assertThat(told.get(1).path("verdict").asString()).isEqualTo("DENY");
            assertThat(told.get(1).path("relation").asString()).isEqualTo("can_read_data");
            assertThat(told.get(2).path("verdict").asString()).isEqualTo("DENY");
            assertThat(told.get(2).has("who")).isFalse();
            assertThat(told.get(3).path("shown").asInt(-1)).isZero();
            assertThat(lines.list.toString()).doesNotContain("top-secret", "hidden");
        } finally {
            logger.detachAppender(lines);
        }
    }

    /** The verdicts on the record that say that they are about a repeat, while something is done. */
    private static List<String> replaysOnRecord(Runnable work) {
        return onRecord(work).stream()
                .filter(line -> line.path("why").asString().startsWith("replay"))
                .map(line ->
                        line.path("who").asString() + " " + line.path("verdict").asString() + " "
                                + line.path("why").asString())
                .toList();
    }

    /** The lines of the audit that some work leaves. */
    private static List<JsonNode> onRecord(Runnable work) {
        Logger logger = (Logger) LoggerFactory.getLogger("audit");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            work.run();
            return lines.list.stream()
                    .map(event -> JsonMapper.shared().readTree(event.getFormattedMessage()))
                    .toList();
        } finally {
            logger.detachAppender(lines);
        }
    }

    @Test
    void aRepeatWithAKeyIsAnsweredOnlyWhileItsCallerMayStillDoIt() {
        String space = fresh("keyed");
        catalog.as("olga")
                .post("/v1/namespace/" + RunningServer.id("shop", space) + "/create", "{}")
                .ok();
        catalog.grant("rita", "writer", namespace("shop", space));
        RunningServer rita = catalog.as("rita").asking("Idempotency-Key", "made-once");
        byte[] rows = ArrowStreams.longs("id", 1, 2);
        String create = path("shop", space, "t") + "/create";
        Answer first = rita.arrow(create, rows).ok();
        assertThat(replaysOnRecord(() -> {
                    Answer repeat = rita.arrow(create, rows);
                    assertThat(repeat.header("Idempotency-Replayed")).isEqualTo("true");
                    assertThat(repeat.bytes()).isEqualTo(first.bytes());
                }))
                .containsExactly("rita ALLOW replay");
        // She owns the table that she made, but makes no more.
        catalog.revoke("rita", "writer", namespace("shop", space));
        assertThat(replaysOnRecord(() -> {
                    Answer refused = rita.arrow(create, rows);
                    assertThat(refused.status()).isEqualTo(403);
                    assertThat(refused.code()).isEqualTo(15);
                    assertThat(refused.header("Idempotency-Replayed")).isEmpty();
                    assertThat(refused.text()).doesNotContain("location");
                }))
                .containsExactly("rita DENY replay, not granted");
        catalog.grant("rita", "writer", namespace("shop", space));
        assertThat(rita.arrow(create, rows).header("Idempotency-Replayed")).isEqualTo("true");
    }

    @Test
    void aRepeatedDropIsAnsweredToItsCallerAlthoughTheRightsWentWithTheTable() {
        String space = fresh("keyed");
        catalog.as("olga")
                .post("/v1/namespace/" + RunningServer.id("shop", space) + "/create", "{}")
                .ok();
        catalog.grant("rita", "writer", namespace("shop", space));
        String table = path("shop", space, "t");
        catalog.as("rita").post(table + "/declare", "{}").ok();
        RunningServer rita = catalog.as("rita").asking("Idempotency-Key", "dropped-once");
        Answer first = rita.post(table + "/drop", "{}").ok();
        assertThat(replaysOnRecord(() -> {
                    Answer repeat = rita.post(table + "/drop", "{}");
                    assertThat(repeat.header("Idempotency-Replayed")).isEqualTo("true");
                    assertThat(repeat.bytes()).isEqualTo(first.bytes());
                }))
                .containsExactly("rita ALLOW replay, its object is gone");
        // The key of one caller is no other's.
        Answer other =
                catalog.as("stranger").asking("Idempotency-Key", "dropped-once").post(table + "/drop", "{}");
        assertThat(other.status()).isEqualTo(403);
        assertThat(other.header("Idempotency-Replayed")).isEmpty();
        // Another's table of that name is none of hers.
        catalog.as("olga").post(table + "/declare", "{}").ok();
        Answer afterwards = rita.post(table + "/drop", "{}");
        assertThat(afterwards.code()).isEqualTo(15);
        assertThat(catalog.as("olga").post(table + "/exists", "{}").status()).isEqualTo(200);
    }

    @Test
    void aRepeatedDropThatSkipsWhatIsAbsentIsAskedOfTheNamespaceThatItNames() {
        String space = fresh("keyed");
        String address = "/v1/namespace/" + RunningServer.id("shop", space);
        catalog.as("olga").post(address + "/create", "{}").ok();
        catalog.grant("rita", "owner", namespace("shop", space));
        RunningServer rita = catalog.as("rita").asking("Idempotency-Key", "skipped-once");
        Answer first = rita.post(address + "/drop", "{\"mode\":\"Skip\"}").ok();
        assertThat(replaysOnRecord(() -> {
                    Answer repeat = rita.post(address + "/drop", "{\"mode\":\"Skip\"}");
                    assertThat(repeat.header("Idempotency-Replayed")).isEqualTo("true");
                    assertThat(repeat.bytes()).isEqualTo(first.bytes());
                }))
                .containsExactly("rita ALLOW replay, its object is gone");
        // Another's namespace of that name is none of hers, and the refusal names nothing that it lies in.
        catalog.as("olga").post(address + "/create", "{}").ok();
        Answer afterwards = rita.post(address + "/drop", "{\"mode\":\"Skip\"}");
        assertThat(afterwards.code()).isEqualTo(15);
        assertThat(afterwards.text()).contains("shop$" + space).contains("can_delete");
    }

    @Test
    void aDatabaseThatMayNotBeSeenIsLikeOneThatIsNotThere() {
        String name = freshTable("olga");
        catalog.grant("dora", "reader", table("shop", name));
        for (String user : List.of("stranger", "dora")) {
            RunningServer asked = catalog.as(user);
            Answer absent = asked.asking("x-lancedb-database", "nowhere").get("/v1/table");
            Answer forbidden = asked.asking("x-lancedb-database", "shop").get("/v1/table");
            assertThat(absent.code()).isEqualTo(15);
            if (user.equals("dora")) {
                assertThat(forbidden.ok().text()).contains(name);
            } else {
                assertThat(forbidden.code()).isEqualTo(15);
                assertThat(forbidden.json().path("detail").asString().replace("shop", "nowhere"))
                        .isEqualTo(absent.json().path("detail").asString());
            }
            assertThat(asked.asking("x-lancedb-database", "nowhere")
                            .post("/v1/jobs/list", "{}")
                            .code())
                    .isEqualTo(15);
        }
        // Whoever may read what it would lie in learns that it is not there.
        assertThat(catalog.as("olga")
                        .asking("x-lancedb-database", "shop")
                        .asking("x-lancedb-database-prefix", "nowhere")
                        .get("/v1/table")
                        .code())
                .isEqualTo(1);
    }

    @Test
    void aCascadeHasEachThatWentOnRecord() {
        String space = fresh("cascade");
        String path = "/v1/namespace/" + RunningServer.id("shop", space);
        catalog.as("olga").post(path + "/create", "{}").ok();
        catalog.as("olga").post(path("shop", space, "a") + "/declare", "{}").ok();
        catalog.as("olga").post(path("shop", space, "b") + "/declare", "{}").ok();
        List<String> gone =
                onRecord(() -> catalog.as("olga")
                                .post(path + "/drop", "{\"behavior\":\"cascade\"}")
                                .ok())
                        .stream()
                        .filter(line -> line.path("why").asString().equals("cascade"))
                        .map(line -> line.path("who").asString() + " "
                                + line.path("verdict").asString() + " "
                                + line.path("resource").asString())
                        .toList();
        assertThat(gone)
                .containsExactlyInAnyOrder(
                        "olga ALLOW table:shop$" + space + "$a", "olga ALLOW table:shop$" + space + "$b");
    }

    /** Whoever is let in to read rows is on record as whoever is not. */
    @Test
    void aReadOfRowsIsOnRecord() {
        String name = fresh("table");
        catalog.as("olga")
                .arrow(path("shop", name) + "/create", ArrowStreams.longs("id", 1))
                .ok();
        List<JsonNode> reads = onRecord(() -> {
            catalog.as("olga").post(path("shop", name) + "/count_rows", "{}").ok();
            catalog.as("olga")
                    .post(path("shop", name) + "/query", "{\"k\":1,\"vector\":{}}")
                    .ok();
        });
        assertThat(reads).hasSize(2).allSatisfy(line -> {
            assertThat(line.path("who").asString()).isEqualTo("olga");
            assertThat(line.path("what").asString()).startsWith("POST " + path("shop", name));
            assertThat(line.path("resource").asString()).isEqualTo("table:shop$" + name);
            assertThat(line.path("relation").asString()).isEqualTo("can_read_data");
            assertThat(line.path("verdict").asString()).isEqualTo("ALLOW");
        });
    }

    @Test
    void pagesOfWhatMayBeSeenHaveNoGaps() {
        String space = fresh("pages");
        catalog.as("olga")
                .post("/v1/namespace/" + RunningServer.id("shop", space) + "/create", "{}")
                .ok();
        List<String> mine = new ArrayList<>();
        for (int at = 10; at < 40; at++) {
            catalog.as("olga")
                    .post(path("shop", space, "t" + at) + "/declare", "{}")
                    .ok();
            if (at % 7 == 0) {
                mine.add("t" + at);
                catalog.grant("page-reader", "reader", table("shop", space, "t" + at));
            }
        }
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = catalog.as("page-reader")
                    .get("/v1/namespace/" + RunningServer.id("shop", space) + "/table/list?limit=2&page_token=" + token)
                    .ok()
                    .json();
            page.path("tables").forEach(name -> seen.add(name.asString()));
            token = page.path("page_token").asString("");
        } while (!token.isEmpty());
        assertThat(seen).isEqualTo(mine);
    }

    @Test
    void aListThatLooksAtTooMuchSaysSoAndItsTokenTellsNothing() {
        String space = fresh("crowd");
        catalog.as("olga")
                .post("/v1/namespace/" + RunningServer.id("shop", space) + "/create", "{}")
                .ok();
        crowd("shop$" + space, 2_300);
        for (String name : List.of("first", "last")) {
            catalog.as("olga")
                    .post(path("shop", space, (name.equals("last") ? "z-" : "a-") + name) + "/declare", "{}")
                    .ok();
        }
        for (String user : List.of("peeper", "other-peeper")) {
            catalog.grant(user, "reader", table("shop", space, "a-first"));
            catalog.grant(user, "reader", table("shop", space, "z-last"));
        }
        String list = "/v1/namespace/" + RunningServer.id("shop", space) + "/table/list?limit=10&page_token=";
        Answer early = catalog.as("peeper").get(list).ok();
        assertThat(early.header("X-Authorization-Truncated")).isEqualTo("true");
        assertThat(early.json().path("tables")).hasSize(1).first().asString().contains("a-first");
        String token = early.json().path("page_token").asString("");
        assertThat(token).matches("\\$[A-Za-z0-9_-]{100,}");
        assertThat(new String(Base64.getUrlDecoder().decode(token.substring(1)), StandardCharsets.ISO_8859_1))
                .doesNotContain("hidden");
        String sent = URLEncoder.encode(token, StandardCharsets.UTF_8);
        Answer rest = catalog.as("peeper").get(list + sent).ok();
        assertThat(rest.header("X-Authorization-Truncated")).isEmpty();
        assertThat(rest.json().path("tables")).hasSize(1).first().asString().contains("z-last");
        assertThat(rest.json().path("page_token").asString("")).isEmpty();
        // It is good for nobody else, for no other list, and not when it was changed.
        assertThat(catalog.as("other-peeper").get(list + sent).code()).isEqualTo(13);
        assertThat(catalog.as("peeper")
                        .get("/v1/namespace/shop/list?page_token=" + sent)
                        .code())
                .isEqualTo(13);
        assertThat(catalog.as("peeper").get(list + sent + "A").code()).isEqualTo(13);
        assertThat(catalog.as("peeper").get(list + "%24AAAA").code()).isEqualTo(13);
        // The list of all tables reads it past the client's own delimiter.
        Answer all = catalog.as("peeper").get("/v1/table?delimiter=A&limit=10").ok();
        assertThat(all.header("X-Authorization-Truncated")).isEqualTo("true");
        String further = URLEncoder.encode(all.json().path("page_token").asString(), StandardCharsets.UTF_8);
        assertThat(catalog.as("peeper")
                        .get("/v1/table?delimiter=A&limit=10&page_token=" + further)
                        .ok()
                        .text())
                .contains("z-last");
    }

    /** Tables that nobody but those above may see, in one commit. */
    private static void crowd(String space, int tables) {
        StorageProfile home =
                catalog.server().bean(Locator.class).locate(ObjectId.of("shop")).orElseThrow();
        List<ManifestEntry> rows = IntStream.range(0, tables)
                .mapToObj(at -> String.format(Locale.ROOT, "%s$hidden-%04d", space, at))
                .map(name -> ManifestEntry.table(name, name.substring(name.lastIndexOf('$') + 1), null))
                .toList();
        catalog.server()
                .bean(Manifests.class)
                .commit(home.root(), view -> new ManifestChange.Plan(rows, List.of(), List.of(space)));
    }

    @Test
    void aViewReadsNothingThatItsMakerMayNot() {
        String hidden = fresh("table");
        catalog.as("olga")
                .arrow(path("shop", hidden) + "/create", ArrowStreams.longs("id", 1, 2))
                .ok();
        String space = fresh("views");
        catalog.as("olga")
                .post("/v1/warehouses/lake/namespaces", "{\"namespace\":\"" + space + "\"}")
                .ok();
        catalog.grant("vic", "writer", namespace(space));
        String body = "{\"kind\":\"query\",\"source_query\":\"SELECT id FROM shop.\\\"" + hidden
                + "\\\"\",\"with_no_data\":true,\"output_schema\":\""
                + ViewedTables.schema(Field.nullable("id", new ArrowType.Int(64, true))) + "\"}";
        String view = "/v1/materialized_view/" + RunningServer.id(space, "v");
        assertThat(catalog.as("vic").post(view + "/create", body).code()).isEqualTo(15);
        catalog.grant("vic", "reader", table("shop", hidden));
        assertThat(catalog.as("vic").post(view + "/create", body).status()).isEqualTo(201);
        assertThat(catalog.as("vic").post(view + "/describe", "{}").status()).isEqualTo(200);
        assertThat(catalog.as("stranger").post(view + "/describe", "{}").code()).isEqualTo(15);
    }
}
