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
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Catalog;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tags, branches and versions in a bucket. */
class RefsOnS3Test {
    @RegisterExtension
    static final S3Catalog CATALOG = S3Catalog.plain();

    private static int names;

    private final String name = "t" + names++;
    private final String table = "/v1/table/" + id("sales", name);

    private void threeVersions() {
        CATALOG.server().arrow(table + "/create", Rows.THREE).ok();
        CATALOG.server().arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        CATALOG.server().arrow(table + "/insert", ArrowStreams.longs("id", 5)).ok();
    }

    private String count(String body) {
        return CATALOG.server().post(table + "/count_rows", body).ok().text();
    }

    @Test
    void tagsBranchesAndVersionsLiveFromMakingToDeletion() {
        threeVersions();
        CATALOG.server()
                .post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":1}")
                .ok();
        refused(CATALOG.server().post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":2}"), 409, 9);
        CATALOG.server()
                .post(table + "/branches/create", "{\"name\":\"team/dev\",\"from_version\":2}")
                .ok();
        refused(CATALOG.server().post(table + "/branches/create", "{\"name\":\"team/dev\"}"), 409, 23);
        CATALOG.server()
                .arrow(table + "/insert?branch=team/dev", ArrowStreams.longs("id", 9))
                .ok();
        CATALOG.server()
                .post(table + "/branches/create", "{\"name\":\"child\",\"from_branch\":\"team/dev\"}")
                .ok();
        assertThat(List.of(
                        count("{}"),
                        count("{\"branch\":\"team/dev\"}"),
                        count("{\"branch\":\"child\"}"),
                        count("{\"version\":1}")))
                .containsExactly("5", "5", "5", "3");
        refused(CATALOG.server().post(table + "/count_rows", "{\"branch\":\"none\"}"), 404, 22);
        refused(CATALOG.server().post(table + "/count_rows", "{\"branch\":\"team/dev\",\"version\":9}"), 404, 11);
        JsonNode versions = CATALOG.server()
                .post(table + "/version/list?descending=true&limit=2")
                .ok()
                .json();
        assertThat(versions.at("/versions/0/version").longValue()).isEqualTo(3);
        assertThat(versions.at("/versions/0/e_tag").asString()).isNotEmpty();
        assertThat(versions.path("page_token").asString()).isEqualTo("2");
        refused(CATALOG.server().post(table + "/branches/delete", "{\"name\":\"team/dev\"}"), 409, 19);
        CATALOG.server()
                .post(table + "/branches/delete", "{\"name\":\"child\"}")
                .ok();
        CATALOG.server()
                .post(table + "/branches/delete", "{\"name\":\"team/dev\"}")
                .ok();
        refused(CATALOG.server().post(table + "/count_rows", "{\"branch\":\"team/dev\"}"), 404, 22);
        CATALOG.server()
                .post(table + "/branches/create", "{\"name\":\"team/dev\",\"from_version\":1}")
                .ok();
        assertThat(count("{\"branch\":\"team/dev\"}")).isEqualTo("3");
        String second = "{\"ranges\":[{\"start_version\":2,\"end_version\":3}]}";
        assertThat(CATALOG.server()
                        .post(table + "/version/delete", second)
                        .ok()
                        .json()
                        .path("deleted_count")
                        .longValue())
                .isEqualTo(1);
        refused(CATALOG.server().post(table + "/version/describe", "{\"version\":2}"), 404, 11);
        refused(CATALOG.server().post(table + "/restore", "{\"version\":2}"), 404, 11);
        CATALOG.server().post(table + "/restore", "{\"version\":1}").ok();
        assertThat(count("{}")).isEqualTo("3");
        CATALOG.server().post(table + "/tags/delete", "{\"tag\":\"gold\"}").ok();
        refused(CATALOG.server().post(table + "/tags/version", "{\"tag\":\"gold\"}"), 404, 8);
    }

    /** Puts a manifest that lies ready where it belongs; here it is one that the table had as its third version. */
    @Test
    void aManifestThatLiesReadyIsTakenOverOnce() {
        threeVersions();
        JsonNode third = CATALOG.server()
                .post(table + "/version/describe", "{\"version\":3}")
                .ok()
                .json()
                .path("version");
        PlacedTable placed =
                CATALOG.server().bean(Tables.class).require(ObjectId.of("sales").child(name));
        String manifest =
                placed.relativeLocation() + "/" + third.path("manifest_path").asString();
        StoreFiles files = CATALOG.server().bean(StoreFiles.class);
        assertThat(files.copyIfAbsent(placed.home(), manifest, manifest + "-staged"))
                .isTrue();
        files.delete(placed.home(), manifest);
        assertThat(count("{}")).isEqualTo("4");
        String body = "{\"version\":3,\"manifest_path\":\"" + manifest + "-staged\",\"e_tag\":%s}";
        refused(CATALOG.server().post(table + "/version/create", body.formatted("\"other\"")), 400, 13);
        JsonNode made = CATALOG.server()
                .post(table + "/version/create", body.formatted(third.path("e_tag")))
                .ok()
                .json()
                .path("version");
        assertThat(made.path("e_tag")).isEqualTo(third.path("e_tag"));
        assertThat(made.path("timestamp_millis")).isEqualTo(third.path("timestamp_millis"));
        assertThat(count("{}")).isEqualTo("5");
        refused(CATALOG.server().post(table + "/version/create", body.formatted("null")), 409, 14);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTagWhoseMakingIsNotConfirmedIsMadeOrToldAsUnknown(boolean written) {
        threeVersions();
        Answer answer;
        try (FaultRule lost = CATALOG.store()
                .next(
                        1,
                        request -> request.isWrite() && request.path().contains("/_refs/tags/"),
                        written ? new Fault.DropReply() : new Fault.DropRequest())) {
            answer = CATALOG.server().post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":1}");
            assertThat(lost.hits()).isEqualTo(1);
        }
        if (written) {
            answer.ok();
        } else {
            refused(answer, 503, 17);
            CATALOG.server()
                    .post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":1}")
                    .ok();
        }
        refused(CATALOG.server().post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":1}"), 409, 9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/_refs/branches/", "/tree/dev/_versions/", "/tree/dev/_transactions/"})
    void aBranchWhoseMakingIsCutOffAnywhereIsThereOrNotAndCanBeMade(String file) {
        for (Fault fault : List.of(new Fault.DropReply(), new Fault.DropRequest())) {
            String at = table + (fault instanceof Fault.DropReply ? "a" : "b");
            CATALOG.server().arrow(at + "/create", Rows.THREE).ok();
            Answer answer;
            try (FaultRule lost = CATALOG.store()
                    .next(1, request -> request.isWrite() && request.path().contains(file), fault)) {
                answer = CATALOG.server().post(at + "/branches/create", "{\"name\":\"dev\"}");
                assertThat(lost.hits()).isEqualTo(1);
            }
            boolean made = CATALOG.server()
                    .post(at + "/branches/list")
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
                refused(CATALOG.server().post(at + "/count_rows", "{\"branch\":\"dev\"}"), 404, 22);
                CATALOG.server()
                        .post(at + "/branches/create", "{\"name\":\"dev\"}")
                        .ok();
            }
            CATALOG.server()
                    .arrow(at + "/insert?branch=dev", ArrowStreams.longs("id", 4))
                    .ok();
            assertThat(CATALOG.server()
                            .post(at + "/count_rows", "{\"branch\":\"dev\"}")
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
                CATALOG.server()
                        .post(table + "/branches/create", "{\"name\":\"dev\",\"from_version\":1}")
                        .ok();
                CATALOG.server()
                        .arrow(table + "/insert?branch=dev", ArrowStreams.longs("id", 9))
                        .ok();
                Answer answer;
                CATALOG.store()
                        .always(request -> request.isWrite() && request.path().contains(file), fault);
                answer = CATALOG.server().post(table + "/branches/delete", "{\"name\":\"dev\"}");
                CATALOG.store().heal();
                if (answer.status() != 200) {
                    refused(answer, 503, 17);
                    CATALOG.server()
                            .post(table + "/branches/delete", "{\"name\":\"dev\"}")
                            .ok();
                }
                refused(CATALOG.server().post(table + "/count_rows", "{\"branch\":\"dev\"}"), 404, 22);
                assertThat(count("{}")).isEqualTo("5");
            }
        }
    }

    @Test
    void aDeletionOfVersionsThatIsCutOffIsNeverInBetween() {
        threeVersions();
        CATALOG.server().arrow(table + "/insert", ArrowStreams.longs("id", 6)).ok();
        String ranges = "{\"ranges\":[{\"start_version\":1,\"end_version\":4}]}";
        CATALOG.store()
                .always(
                        request -> request.method().equals("DELETE")
                                && request.path().contains("/_versions/"),
                        Fault.Status.slowDown());
        refused(CATALOG.server().post(table + "/version/delete", ranges), 503, 17);
        CATALOG.store().heal();
        for (int version = 1; version < 4; version++) {
            refused(CATALOG.server().post(table + "/count_rows", "{\"version\":" + version + "}"), 404, 11);
        }
        assertThat(CATALOG.server().post(table + "/version/list").ok().json().path("versions"))
                .hasSize(1);
        CATALOG.server().post(table + "/version/delete", ranges).ok();
        assertThat(CATALOG.server().post(table + "/version/list").ok().json().path("versions"))
                .hasSize(1);
        assertThat(count("{}")).isEqualTo("6");
    }

    @Test
    void whileTheStoreIsAwayNothingIsTakenForAbsent() {
        threeVersions();
        CATALOG.store().always(request -> request.path().contains("/lake-one/"), new Fault.DropRequest());
        for (String door : List.of("tags/list", "branches/list", "version/list")) {
            refused(CATALOG.server().post(table + "/" + door), 503, 17);
        }
        refused(CATALOG.server().post(table + "/version/describe", "{\"version\":1}"), 503, 17);
    }
}
