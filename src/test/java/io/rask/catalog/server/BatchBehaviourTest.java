package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.StagedVersion.deleting;
import static io.rask.catalog.testing.StagedVersion.inserting;
import static io.rask.catalog.testing.StagedVersion.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.StagedVersion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Changes of several tables that happen together or not at all. */
@ExtendWith(SharedCatalog.Provider.class)
class BatchBehaviourTest {
    private static final byte[] ONE_MORE = ArrowStreams.longs("id", 9);

    private final SharedCatalog catalog;
    private final RunningServer server;
    private final SharedCatalog.Home here;
    private final SharedCatalog.Home there;

    BatchBehaviourTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.here = catalog.freshNamespace();
        this.there = catalog.freshNamespace();
    }

    private static ObjectId id(SharedCatalog.Home home, String name) {
        return ObjectId.of(home.namespace(), name);
    }

    private ObjectId made(SharedCatalog.Home home, String name) {
        server.arrow(home.table(name) + "/create", Rows.THREE).ok();
        return id(home, name);
    }

    private String address(ObjectId id) {
        return "/v1/table/" + RunningServer.id(id.segments().toArray(String[]::new));
    }

    private long count(ObjectId id) {
        return Long.parseLong(server.post(address(id) + "/count_rows").ok().text());
    }

    private List<Long> versions(ObjectId id) {
        return server.post(address(id) + "/version/list")
                .ok()
                .json()
                .path("versions")
                .valueStream()
                .map(version -> version.path("version").longValue())
                .toList();
    }

    private Answer create(StagedVersion... entries) {
        return server.post(
                "/v1/table/version/batch-create",
                Stream.of(entries)
                        .map(StagedVersion::request)
                        .collect(Collectors.joining(",", "{\"entries\":[", "]}")));
    }

    private Answer commit(String... operations) {
        return server.post("/v1/table/batch-commit", "{\"operations\":[" + String.join(",", operations) + "]}");
    }

    private static String declare(ObjectId id) {
        return "{\"declare_table\":{\"id\":" + json(id) + ",\"properties\":{\"a\":\"b\"}}}";
    }

    private static String deregister(ObjectId id) {
        return "{\"deregister_table\":{\"id\":" + json(id) + "}}";
    }

    private static String create(StagedVersion staged) {
        return "{\"create_table_version\":" + staged.request() + "}";
    }

    private static String delete(ObjectId id, long from, long to) {
        return "{\"delete_table_versions\":{\"id\":" + json(id) + ",\"ranges\":[{\"start_version\":" + from
                + ",\"end_version\":" + to + "}]}}";
    }

    private void requireNothingLeft() {
        assertThat(server.bean(Records.class).all("_batches", Records.Unreadable.FAIL))
                .isEmpty();
    }

    @Test
    void versionsOfSeveralTablesAreMadeTogetherAndToldInTheOrderOfTheRequest() {
        StagedVersion one = inserting(server, made(here, "one"), ONE_MORE);
        StagedVersion two = inserting(server, made(here, "two"), ArrowStreams.longs("id", 7, 8));
        StagedVersion three = inserting(server, made(there, "three"), ONE_MORE);
        assertThat(count(id(here, "two"))).isEqualTo(3);
        JsonNode answer = create(three, two, one).ok().json();
        assertThat(answer.path("versions")).hasSize(3);
        for (JsonNode version : answer.path("versions")) {
            assertThat(version.path("version").longValue()).isEqualTo(2);
            assertThat(version.path("manifest_path").asString()).endsWith(".manifest");
            assertThat(version.path("manifest_size").longValue()).isPositive();
        }
        assertThat(count(id(here, "one"))).isEqualTo(4);
        assertThat(count(id(here, "two"))).isEqualTo(5);
        assertThat(count(id(there, "three"))).isEqualTo(4);
        server.arrow(here.table("one") + "/insert", ONE_MORE).ok();
        assertThat(count(id(here, "one"))).isEqualTo(5);
        Answer transaction =
                server.post("/v1/transaction/" + answer.path("transaction_id").asString() + "/describe");
        assertThat(transaction.ok().json().path("status").asString()).isEqualTo("Succeeded");
        requireNothingLeft();
    }

    @Test
    void oneVersionThatCannotBeMadeLeavesAllTablesAsTheyWere() {
        StagedVersion good = inserting(server, made(here, "good"), ONE_MORE);
        ObjectId other = made(here, "other");
        StagedVersion bad = inserting(server, other, ONE_MORE);
        String second = json(other);
        refused(create(good, new StagedVersion(second, 1, bad.path())), 409, 14);
        refused(create(good, new StagedVersion(second, 3, bad.path())), 400, 13);
        refused(create(good, new StagedVersion(second, 2, "_versions/none")), 400, 13);
        refused(create(good, new StagedVersion(json(id(here, "absent")), 2, bad.path())), 404, 4);
        refused(create(good, new StagedVersion(json(id(catalogName(), "t")), 2, bad.path())), 404, 4);
        assertThat(count(id(here, "good"))).isEqualTo(3);
        assertThat(versions(id(here, "good"))).containsExactly(1L);
        create(good, bad).ok();
        assertThat(count(id(here, "good"))).isEqualTo(4);
    }

    private SharedCatalog.Home catalogName() {
        return new SharedCatalog.Home("none", catalog.freshName("space"));
    }

    @Test
    void operationsOfEveryKindOverTwoWarehousesHappenTogether() {
        ObjectId written = made(here, "written");
        ObjectId trimmed = made(there, "trimmed");
        server.arrow(there.table("trimmed") + "/insert", ONE_MORE).ok();
        ObjectId left = made(there, "left");
        ObjectId born = id(here, "born");
        StagedVersion staged = inserting(server, written, ONE_MORE);
        JsonNode results = commit(declare(born), delete(trimmed, 1, 2), create(staged), deregister(left))
                .ok()
                .json()
                .path("results");
        assertThat(results).hasSize(4);
        assertThat(results.get(0).at("/declare_table/location").asString()).isNotEmpty();
        assertThat(results.get(0).at("/declare_table/properties/a").asString()).isEqualTo("b");
        assertThat(results.get(1).at("/delete_table_versions/deleted_count").longValue())
                .isEqualTo(1);
        assertThat(results.get(2).at("/create_table_version/version/version").longValue())
                .isEqualTo(2);
        assertThat(results.get(3).at("/deregister_table/id/1").asString()).isEqualTo("left");
        for (JsonNode result : results) {
            assertThat(result.size()).isEqualTo(1);
        }
        assertThat(count(written)).isEqualTo(4);
        assertThat(versions(trimmed)).containsExactly(2L);
        refused(server.post(address(left) + "/describe"), 404, 4);
        server.arrow(address(born) + "/insert", Rows.THREE).ok();
        assertThat(count(born)).isEqualTo(3);
        requireNothingLeft();
    }

    @Test
    void oneOperationThatCannotBeLeavesBothWarehousesAsTheyWere() {
        ObjectId present = made(there, "present");
        ObjectId stays = made(here, "stays");
        ObjectId wanted = id(here, "wanted");
        StagedVersion staged = inserting(server, made(here, "staged"), ONE_MORE);
        List<String> good = List.of(declare(wanted), deregister(stays), create(staged));
        record Bad(String operation, int status, int code) {}
        for (Bad bad : List.of(
                new Bad(declare(present), 409, 5),
                new Bad(declare(ObjectId.of(there.namespace(), "absent", "t")), 404, 1),
                new Bad(deregister(id(there, "absent")), 404, 4),
                new Bad(delete(present, 1, 2), 409, 19),
                new Bad(delete(id(there, "absent"), 1, 2), 404, 4))) {
            List<String> all = new ArrayList<>(good);
            all.add(bad.operation());
            refused(commit(all.toArray(String[]::new)), bad.status(), bad.code());
            assertThat(count(stays)).isEqualTo(3);
            assertThat(count(id(here, "staged"))).isEqualTo(3);
            refused(server.post(address(wanted) + "/describe"), 404, 4);
        }
        commit(good.toArray(String[]::new)).ok();
        requireNothingLeft();
    }

    @Test
    void rowsOfOneWarehouseAreOneCommit() {
        ObjectId old = made(here, "old");
        commit(deregister(old), declare(id(here, "young")), declare(id(here, "younger")))
                .ok();
        refused(server.post(address(old) + "/describe"), 404, 4);
        server.post(here.table("young") + "/describe").ok();
        refused(commit(declare(id(here, "third")), declare(id(here, "young"))), 409, 5);
        refused(server.post(here.table("third") + "/describe"), 404, 4);
    }

    @Test
    void aProtectedTableRefusesForAllUnlessForced() {
        ObjectId kept = made(here, "kept");
        server.bean(Records.class)
                .put(
                        RecordKey.of("_protection", RecordKey.hashed("table", kept.stored())),
                        JsonNodeFactory.instance.objectNode().put("protected", "true"));
        refused(commit(declare(id(there, "new")), deregister(kept)), 409, 19);
        refused(server.post(there.table("new") + "/describe"), 404, 4);
        server.post(
                        "/v1/table/batch-commit?force=true",
                        "{\"operations\":[" + declare(id(there, "new")) + "," + deregister(kept) + "]}")
                .ok();
        refused(server.post(address(kept) + "/describe"), 404, 4);
    }

    @Test
    void aProtectedTableKeepsItsVersionsInABatchUntilForced() {
        ObjectId kept = made(here, "versioned");
        server.arrow(address(kept) + "/insert", Rows.THREE).ok();
        server.post(address(kept) + "/protection", "{\"protected\":true}").ok();
        String removal =
                "{\"delete_table_versions\":{\"id\":[\"" + kept.segments().getFirst() + "\",\"versioned\"],"
                        + "\"ranges\":[{\"start_version\":1,\"end_version\":2}]}}";
        refused(commit(declare(id(there, "beside")), removal), 409, 19);
        refused(server.post(there.table("beside") + "/describe"), 404, 4);
        server.post(address(kept) + "/version/describe", "{\"version\":1}").ok();
        server.post("/v1/table/batch-commit?force=true", "{\"operations\":[" + removal + "]}")
                .ok();
        refused(server.post(address(kept) + "/version/describe", "{\"version\":1}"), 404, 11);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"operations\":[]}",
                "{\"operations\":null}",
                "{\"operations\":[null]}",
                "{\"operations\":[{}]}",
                "{\"operations\":[7]}",
                "{\"operations\":[{\"declare_table\":{}}]}",
                "{\"operations\":[{\"declare_table\":{\"id\":[]}}]}",
                "{\"operations\":[{\"declare_table\":{\"id\":[null]}}]}",
                "{\"operations\":[{\"declare_table\":{\"id\":[\"a\",\"..\"]}}]}",
                "{\"operations\":[{\"declare_table\":{\"id\":[\"a\",\"t\"],\"location\":\"x\"}}]}",
                "{\"operations\":[{\"declare_table\":{\"id\":[\"a\",\"t\"],\"branch\":\"dev\"}}]}",
                "{\"operations\":[{\"deregister_table\":{\"id\":[\"a\",\"t\"],\"branch\":\"dev\"}}]}",
                "{\"operations\":[{\"deregister_table\":{\"id\":[\"a\",\"t\"]},\"declare_table\":{\"id\":[\"a\",\"u\"]}}]}",
                "{\"operations\":[{\"deregister_table\":{\"id\":[\"a\",\"t\"]}},{\"deregister_table\":{\"id\":[\"a\",\"t\"]}}]}",
                "{\"operations\":[{\"delete_table_versions\":{\"id\":[\"a\",\"t\"],\"ranges\":[]}}]}",
                "{\"operations\":[{\"create_table_version\":{\"id\":[\"a\",\"t\"],\"version\":2}}]}",
                "{\"operations\":[{\"drop_table\":{\"id\":[\"a\",\"t\"]}}]}"
            })
    void aBatchThatMakesNoSenseIsRefused(String body) {
        refused(server.post("/v1/table/batch-commit", body), 400, 13);
        refused(server.post("/v1/table/version/batch-create", body), 400, 13);
    }

    @Test
    void aBatchHasABound() {
        String[] many = IntStream.range(0, 101)
                .mapToObj(number -> declare(id(here, "t" + number)))
                .toArray(String[]::new);
        refused(commit(many), 400, 13);
        commit(Arrays.copyOf(many, 100)).ok();
    }

    @Test
    void severalBranchesOfATableMayChangeInOneBatchAndOneBranchOnce() {
        ObjectId table = made(here, "branched");
        server.arrow(address(table) + "/insert", ONE_MORE).ok();
        server.post(address(table) + "/branches/create", "{\"name\":\"dev\",\"from_version\":1}")
                .ok();
        server.arrow(address(table) + "/insert?branch=dev", ONE_MORE).ok();
        String onDev = delete(table, 1, 2).replace("\"ranges\"", "\"branch\":\"dev\",\"ranges\"");
        refused(commit(onDev, onDev), 400, 13);
        refused(commit(delete(table, 1, 2), delete(table, 1, 2)), 400, 13);
        // The branch was made from version 1 of the main branch.
        refused(commit(delete(table, 1, 2), onDev), 409, 19);
        StagedVersion staged = inserting(server, table, ONE_MORE);
        commit(create(staged), onDev).ok();
        assertThat(count(table)).isEqualTo(5);
    }

    @Test
    void ofSeveralBatchesOverTheSameTablesEachHappensWholeOrNotAtAll(@TempDir Path elsewhere) throws Exception {
        byte[] many = ArrowStreams.longs("id", LongStream.range(0, 50).toArray());
        ObjectId one = id(here, "raced-one");
        ObjectId two = id(there, "raced-two");
        server.arrow(address(one) + "/create", many).ok();
        server.arrow(address(two) + "/create", many).ok();
        long gone = 0;
        try (Race race = new Race(4)) {
            for (int round = 0; round < 12; round++) {
                String predicate = "id = " + round;
                StagedVersion first = deleting(server, one, predicate, elsewhere);
                StagedVersion second = deleting(server, two, predicate, elsewhere);
                List<Answer> answers = race.run(runner -> switch (runner) {
                    case 0 -> create(first, second);
                    case 1 -> create(second, first);
                    case 2 -> server.arrow(address(two) + "/insert", ArrowStreams.longs("id", 1000));
                    default -> commit(create(first), create(second));
                });
                assertThat(answers.get(2).status()).as(answers.get(2).text()).isEqualTo(200);
                List<Answer> batches = List.of(answers.get(0), answers.get(1), answers.get(3));
                long won = batches.stream()
                        .filter(answer -> answer.status() == 200)
                        .count();
                assertThat(won).isLessThanOrEqualTo(1);
                batches.stream()
                        .filter(answer -> answer.status() != 200)
                        .forEach(answer ->
                                assertThat(answer.code()).as(answer.text()).isIn(14, 13));
                gone += won;
                assertThat(count(one)).as("round " + round).isEqualTo(50 - gone);
                assertThat(count(two)).as("round " + round).isEqualTo(50 - gone + round + 1);
            }
        }
        requireNothingLeft();
    }
}
