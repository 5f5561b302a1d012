package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Server;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tags, branches and versions in a bucket. */
class RefsOnS3Test {
    private static S3Server store;
    private static RunningServer server;
    private static int names;

    private final String name = "t" + names++;
    private final String table = "/v1/table/" + id("sales", name);

    @BeforeAll
    static void start() {
        store = S3Server.inMemory().withBucket("lance-catalog");
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        server = RunningServer.with(settings);
        server.makeNamespace("acme", "lake-one", "sales");
    }

    @AfterEach
    void heal() {
        store.heal();
    }

    @AfterAll
    static void stop() {
        server.close();
        store.close();
    }

    private void threeVersions() {
        server.arrow(table + "/create", Rows.THREE).ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 5)).ok();
    }

    private String count(String body) {
        return server.post(table + "/count_rows", body).ok().text();
    }

    @Test
    void tagsBranchesAndVersionsLiveFromMakingToDeletion() {
        threeVersions();
        server.post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":1}").ok();
        refused(server.post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":2}"), 409, 9);
        server.post(table + "/branches/create", "{\"name\":\"team/dev\",\"from_version\":2}")
                .ok();
        refused(server.post(table + "/branches/create", "{\"name\":\"team/dev\"}"), 409, 23);
        server.arrow(table + "/insert?branch=team/dev", ArrowStreams.longs("id", 9))
                .ok();
        server.post(table + "/branches/create", "{\"name\":\"child\",\"from_branch\":\"team/dev\"}")
                .ok();
        assertThat(List.of(
                        count("{}"),
                        count("{\"branch\":\"team/dev\"}"),
                        count("{\"branch\":\"child\"}"),
                        count("{\"version\":1}")))
                .containsExactly("5", "5", "5", "3");
        refused(server.post(table + "/count_rows", "{\"branch\":\"none\"}"), 404, 22);
        refused(server.post(table + "/count_rows", "{\"branch\":\"team/dev\",\"version\":9}"), 404, 11);
        JsonNode versions = server.post(table + "/version/list?descending=true&limit=2")
                .ok()
                .json();
        assertThat(versions.at("/versions/0/version").longValue()).isEqualTo(3);
        assertThat(versions.at("/versions/0/e_tag").asString()).isNotEmpty();
        assertThat(versions.path("page_token").asString()).isEqualTo("2");
        refused(server.post(table + "/branches/delete", "{\"name\":\"team/dev\"}"), 409, 19);
        server.post(table + "/branches/delete", "{\"name\":\"child\"}").ok();
        server.post(table + "/branches/delete", "{\"name\":\"team/dev\"}").ok();
        refused(server.post(table + "/count_rows", "{\"branch\":\"team/dev\"}"), 404, 22);
        server.post(table + "/branches/create", "{\"name\":\"team/dev\",\"from_version\":1}")
                .ok();
        assertThat(count("{\"branch\":\"team/dev\"}")).isEqualTo("3");
        String second = "{\"ranges\":[{\"start_version\":2,\"end_version\":3}]}";
        assertThat(server.post(table + "/version/delete", second)
                        .ok()
                        .json()
                        .path("deleted_count")
                        .longValue())
                .isEqualTo(1);
        refused(server.post(table + "/version/describe", "{\"version\":2}"), 404, 11);
        refused(server.post(table + "/restore", "{\"version\":2}"), 404, 11);
        server.post(table + "/restore", "{\"version\":1}").ok();
        assertThat(count("{}")).isEqualTo("3");
        server.post(table + "/tags/delete", "{\"tag\":\"gold\"}").ok();
        refused(server.post(table + "/tags/version", "{\"tag\":\"gold\"}"), 404, 8);
    }

    /** Puts a manifest that lies ready where it belongs; here it is one that the table had as its third version. */
    @Test
    void aManifestThatLiesReadyIsTakenOverOnce() {
        threeVersions();
        JsonNode third = server.post(table + "/version/describe", "{\"version\":3}")
                .ok()
                .json()
                .path("version");
        PlacedTable placed =
                server.bean(Tables.class).require(ObjectId.of("sales").child(name));
        String manifest =
                placed.relativeLocation() + "/" + third.path("manifest_path").asString();
        StoreFiles files = server.bean(StoreFiles.class);
        assertThat(files.copyIfAbsent(placed.home(), manifest, manifest + "-staged"))
                .isTrue();
        files.delete(placed.home(), manifest);
        assertThat(count("{}")).isEqualTo("4");
        String body = "{\"version\":3,\"manifest_path\":\"" + manifest + "-staged\",\"e_tag\":%s}";
        refused(server.post(table + "/version/create", body.formatted("\"other\"")), 400, 13);
        JsonNode made = server.post(table + "/version/create", body.formatted(third.path("e_tag")))
                .ok()
                .json()
                .path("version");
        assertThat(made.path("e_tag")).isEqualTo(third.path("e_tag"));
        assertThat(made.path("timestamp_millis")).isEqualTo(third.path("timestamp_millis"));
        assertThat(count("{}")).isEqualTo("5");
        refused(server.post(table + "/version/create", body.formatted("null")), 409, 14);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTagWhoseMakingIsNotConfirmedIsMadeOrToldAsUnknown(boolean written) {
        threeVersions();
        Answer answer;
        try (FaultRule lost = store.next(
                1,
                request -> request.isWrite() && request.path().contains("/_refs/tags/"),
                written ? new Fault.DropReply() : new Fault.DropRequest())) {
            answer = server.post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":1}");
            assertThat(lost.hits()).isEqualTo(1);
        }
        if (written) {
            answer.ok();
        } else {
            refused(answer, 503, 17);
            server.post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":1}")
                    .ok();
        }
        refused(server.post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":1}"), 409, 9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/_refs/branches/", "/tree/dev/_versions/", "/tree/dev/_transactions/"})
    void aBranchWhoseMakingIsCutOffAnywhereIsThereOrNotAndCanBeMade(String file) {
        for (Fault fault : List.of(new Fault.DropReply(), new Fault.DropRequest())) {
            String at = table + (fault instanceof Fault.DropReply ? "a" : "b");
            server.arrow(at + "/create", Rows.THREE).ok();
            Answer answer;
            try (FaultRule lost =
                    store.next(1, request -> request.isWrite() && request.path().contains(file), fault)) {
                answer = server.post(at + "/branches/create", "{\"name\":\"dev\"}");
                assertThat(lost.hits()).isEqualTo(1);
            }
            boolean made = server.post(at + "/branches/list")
                    .ok()
                    .json()
                    .at("/branches/dev")
                    .isObject();
            if (answer.status() != 200) {
                refused(answer, 503, 17);
            } else {
                assertThat(made).isTrue();
            }
            if (!made) {
                refused(server.post(at + "/count_rows", "{\"branch\":\"dev\"}"), 404, 22);
                server.post(at + "/branches/create", "{\"name\":\"dev\"}").ok();
            }
            server.arrow(at + "/insert?branch=dev", ArrowStreams.longs("id", 4)).ok();
            assertThat(server.post(at + "/count_rows", "{\"branch\":\"dev\"}")
                            .ok()
                            .text())
                    .isEqualTo("4");
        }
    }

    @Test
    void aDeletionOfABranchThatIsCutOffAnywhereIsFinishedByItsRepetition() {
        threeVersions();
        for (String file : List.of("/_refs/branches/", "/tree/dev/")) {
            for (Fault fault : List.of(new Fault.DropReply(), new Fault.DropRequest())) {
                server.post(table + "/branches/create", "{\"name\":\"dev\",\"from_version\":1}")
                        .ok();
                server.arrow(table + "/insert?branch=dev", ArrowStreams.longs("id", 9))
                        .ok();
                Answer answer;
                store.always(request -> request.isWrite() && request.path().contains(file), fault);
                answer = server.post(table + "/branches/delete", "{\"name\":\"dev\"}");
                store.heal();
                if (answer.status() != 200) {
                    refused(answer, 503, 17);
                    server.post(table + "/branches/delete", "{\"name\":\"dev\"}")
                            .ok();
                }
                refused(server.post(table + "/count_rows", "{\"branch\":\"dev\"}"), 404, 22);
                assertThat(count("{}")).isEqualTo("5");
            }
        }
    }

    @Test
    void aDeletionOfVersionsThatIsCutOffIsNeverInBetween() {
        threeVersions();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 6)).ok();
        String ranges = "{\"ranges\":[{\"start_version\":1,\"end_version\":4}]}";
        store.always(
                request -> request.method().equals("DELETE") && request.path().contains("/_versions/"),
                Fault.Status.slowDown());
        refused(server.post(table + "/version/delete", ranges), 503, 17);
        store.heal();
        for (int version = 1; version < 4; version++) {
            refused(server.post(table + "/count_rows", "{\"version\":" + version + "}"), 404, 11);
        }
        assertThat(server.post(table + "/version/list").ok().json().path("versions"))
                .hasSize(1);
        server.post(table + "/version/delete", ranges).ok();
        assertThat(server.post(table + "/version/list").ok().json().path("versions"))
                .hasSize(1);
        assertThat(count("{}")).isEqualTo("6");
    }

    @Test
    void whileTheStoreIsAwayNothingIsTakenForAbsent() {
        threeVersions();
        store.always(request -> request.path().contains("/lake-one/"), new Fault.DropRequest());
        for (String door : List.of("tags/list", "branches/list", "version/list")) {
            refused(server.post(table + "/" + door), 503, 17);
        }
        refused(server.post(table + "/version/describe", "{\"version\":1}"), 503, 17);
    }
}
