package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.lance.DeletedVersions;
import io.rask.catalog.lance.NumberRange;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import tools.jackson.databind.JsonNode;

/** The versions of a table: which there are, the return to one, and how they go. */
@ExtendWith(SharedCatalog.Provider.class)
class VersionBehaviourTest {
    private final SharedCatalog catalog;
    private final RunningServer server;
    private final String table;

    /** Six versions on main, with 3 to 8 rows; a branch that began at the fourth and has a fifth and a sixth of its own. */
    VersionBehaviourTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.table = catalog.freshTable();
        server.arrow(table + "/create", Rows.THREE).ok();
        for (int id = 4; id <= 8; id++) {
            server.arrow(table + "/insert", ArrowStreams.longs("id", id)).ok();
        }
        server.post(table + "/branches/create", "{\"name\":\"team/dev\",\"from_version\":4}")
                .ok();
        server.arrow(table + "/insert?branch=team/dev", ArrowStreams.longs("id", 14))
                .ok();
        server.arrow(table + "/insert?branch=team/dev", ArrowStreams.longs("id", 15))
                .ok();
    }

    private Path folder() {
        return Clones.folder(
                server.post(table + "/describe").ok().json().path("location").asString());
    }

    private List<Long> versions(String query) {
        return server.post(table + "/version/list" + query)
                .ok()
                .json()
                .path("versions")
                .valueStream()
                .map(version -> version.path("version").longValue())
                .toList();
    }

    private RunningServer.Answer delete(String ranges) {
        return server.post(table + "/version/delete", "{\"ranges\":[" + ranges + "]}");
    }

    private static String range(long start, long end) {
        return "{\"start_version\":" + start + ",\"end_version\":" + end + "}";
    }

    private String count(String body) {
        return server.post(table + "/count_rows", body).ok().text();
    }

    @Test
    void versionsAreListedInBothOrdersWithTimeAndManifest() throws IOException {
        Instant now = Instant.now();
        assertThat(versions("")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(versions("?descending=true")).containsExactly(6L, 5L, 4L, 3L, 2L, 1L);
        assertThat(versions("?branch=team/dev")).containsExactly(4L, 5L, 6L);
        assertThat(versions("/?branch=team/dev")).containsExactly(4L, 5L, 6L);
        JsonNode onBranch = server.post(
                        table + "/version/list", "{\"branch\":\"team/dev\",\"descending\":true,\"limit\":1}")
                .ok()
                .json();
        assertThat(onBranch.at("/versions/0/version").longValue()).isEqualTo(6);
        assertThat(onBranch.at("/versions/0/manifest_path").asString())
                .isEqualTo("tree/team/dev/_versions/18446744073709551609.manifest");
        for (JsonNode version :
                server.post(table + "/version/list", "null").ok().json().path("versions")) {
            Path manifest = folder().resolve(version.path("manifest_path").asString());
            assertThat(Files.size(manifest))
                    .isEqualTo(version.path("manifest_size").longValue());
            try (Dataset dataset = Dataset.open(folder().toString());
                    Dataset at = dataset.checkoutVersion(version.path("version").longValue())) {
                assertThat(version.path("timestamp_millis").longValue())
                        .isEqualTo(at.getVersion().getDataTime().toInstant().toEpochMilli())
                        .isBetween(
                                now.minusSeconds(600).toEpochMilli(),
                                now.plusSeconds(60).toEpochMilli());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1,false", "2,false", "4,true", "5,true", "6,false", "7,true"})
    void pagesOfVersionsHoldEachOnceInOrder(int size, boolean descending) {
        List<Long> seen = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = server.post(table + "/version/list?limit=" + size + "&descending=" + descending
                            + "&page_token=" + token)
                    .ok()
                    .json();
            page.path("versions")
                    .forEach(version -> seen.add(version.path("version").longValue()));
            token = page.path("page_token").asString("");
            // Versions that come between two pages neither shift nor repeat what is there.
            server.arrow(table + "/insert", ArrowStreams.longs("id", 99)).ok();
        } while (!token.isEmpty() && seen.size() < 6);
        List<Long> expected = descending ? List.of(6L, 5L, 4L, 3L, 2L, 1L) : List.of(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(seen.subList(0, 6)).isEqualTo(expected);
    }

    @Test
    void aListingThatMeansNothingIsRefused() {
        for (String query : List.of("?page_token=x", "?limit=0", "?limit=-1", "?limit=x", "?descending=maybe")) {
            refused(server.post(table + "/version/list" + query), 400, 13);
        }
        refused(server.post(table + "/version/list?branch=none"), 404, 22);
        refused(server.post(table + "/version/list?branch=../x"), 404, 22);
        refused(server.post(catalog.freshTable() + "/version/list"), 404, 4);
    }

    @Test
    void oneVersionIsDescribedAndWithoutANumberTheLatest() {
        JsonNode third = server.post(table + "/version/describe", "{\"version\":3}")
                .ok()
                .json()
                .path("version");
        assertThat(third.path("version").longValue()).isEqualTo(3);
        assertThat(third.path("manifest_path").asString()).isEqualTo("_versions/18446744073709551612.manifest");
        assertThat(third.path("manifest_size").longValue()).isPositive();
        assertThat(third.path("timestamp_millis").longValue()).isPositive();
        assertThat(third.at("/metadata/total_rows").asString()).isEqualTo("5");
        assertThat(server.post(table + "/version/describe")
                        .ok()
                        .json()
                        .at("/version/version")
                        .longValue())
                .isEqualTo(6);
        assertThat(server.post(table + "/version/describe?branch=team/dev", "{\"version\":5}")
                        .ok()
                        .json()
                        .at("/version/metadata/total_rows")
                        .asString())
                .isEqualTo("7");
        for (String branch : List.of("", ",\"branch\":\"team/dev\"")) {
            for (String version : List.of("0", "-1", "7", "9223372036854775807")) {
                refused(server.post(table + "/version/describe", "{\"version\":" + version + branch + "}"), 404, 11);
            }
        }
        refused(server.post(table + "/version/describe", "{\"branch\":\"none\"}"), 404, 22);
        refused(server.post(table + "/version/describe", "{\"version\":1.5}"), 400, 13);
    }

    @Test
    void aRestoreIsANewVersionAndLosesNone() {
        assertThat(server.post(table + "/restore", "{\"version\":2}")
                        .ok()
                        .json()
                        .path("version")
                        .longValue())
                .isEqualTo(7);
        assertThat(count("{}")).isEqualTo("4");
        assertThat(count("{\"version\":6}")).isEqualTo("8");
        server.arrow(table + "/insert", ArrowStreams.longs("id", 20)).ok();
        assertThat(count("{}")).isEqualTo("5");
        server.post(table + "/restore", "{\"version\":6}").ok();
        assertThat(count("{}")).isEqualTo("8");
        assertThat(versions("")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(server.post(table + "/restore", "{\"version\":4,\"branch\":\"team/dev\"}")
                        .ok()
                        .json()
                        .path("version")
                        .longValue())
                .isEqualTo(7);
        assertThat(count("{\"branch\":\"team/dev\"}")).isEqualTo("6");
        assertThat(count("{}")).isEqualTo("8");
    }

    @Test
    void aRestoreToWhatIsNotThereChangesNothing() {
        for (String branch : List.of("", ",\"branch\":\"team/dev\"")) {
            for (String version : List.of("0", "-1", "99", "9223372036854775807")) {
                refused(server.post(table + "/restore", "{\"version\":" + version + branch + "}"), 404, 11);
            }
        }
        refused(server.post(table + "/restore", "{\"version\":1,\"branch\":\"team/dev\"}"), 404, 11);
        refused(server.post(table + "/restore", "{\"version\":1,\"branch\":\"none\"}"), 404, 22);
        refused(server.post(table + "/restore", "{}"), 400, 13);
        refused(server.post(table + "/restore", "{\"version\":null}"), 400, 13);
        refused(server.post(catalog.freshTable() + "/restore", "{\"version\":1}"), 404, 4);
        // LanceDB says so when it means the current version.
        server.post(table + "/restore/", "{\"version\":null}").ok();
        assertThat(versions("")).hasSize(6);
        assertThat(versions("?branch=team/dev")).hasSize(3);
    }

    @Test
    void deletedVersionsAreGoneEverywhereAndTheOthersKeepTheirRows() throws IOException {
        assertThat(delete(range(2, 3) + "," + range(5, 6))
                        .ok()
                        .json()
                        .path("deleted_count")
                        .longValue())
                .isEqualTo(2);
        assertThat(versions("")).containsExactly(1L, 3L, 4L, 6L);
        for (long gone : new long[] {2, 5}) {
            String version = "{\"version\":" + gone + "}";
            for (String door : List.of("describe", "exists", "count_rows", "version/describe", "restore")) {
                refused(server.post(table + "/" + door, version), 404, 11);
            }
            refused(server.post(table + "/tags/create", "{\"tag\":\"x\",\"version\":" + gone + "}"), 404, 11);
            refused(server.post(table + "/branches/create", "{\"name\":\"x\",\"from_version\":" + gone + "}"), 404, 11);
        }
        assertThat(List.of(count("{\"version\":1}"), count("{\"version\":3}"), count("{\"version\":4}"), count("{}")))
                .containsExactly("3", "5", "6", "8");
        try (Stream<Path> manifests = Files.list(folder().resolve("_versions"))) {
            assertThat(manifests.filter(file -> file.toString().endsWith(".manifest")))
                    .hasSize(4);
        }
        assertThat(delete(range(2, 3)).ok().json().path("deleted_count").longValue())
                .isZero();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 9)).ok();
        assertThat(versions("")).containsExactly(1L, 3L, 4L, 6L, 7L);
    }

    @Test
    void aBranchLosesVersionsOfItsOwnAlone() {
        assertThat(server.post(table + "/version/delete", "{\"branch\":\"team/dev\",\"ranges\":[" + range(0, 6) + "]}")
                        .ok()
                        .json()
                        .path("deleted_count")
                        .longValue())
                .isEqualTo(2);
        assertThat(versions("?branch=team/dev")).containsExactly(6L);
        assertThat(versions("")).hasSize(6);
        assertThat(count("{\"branch\":\"team/dev\"}")).isEqualTo("8");
        refused(server.post(table + "/count_rows", "{\"branch\":\"team/dev\",\"version\":5}"), 404, 11);
        assertThat(count("{\"version\":5}")).isEqualTo("7");
        server.post(table + "/branches/delete", "{\"name\":\"team/dev\"}").ok();
        server.post(table + "/branches/create", "{\"name\":\"team/dev\",\"from_version\":5}")
                .ok();
        assertThat(count("{\"branch\":\"team/dev\",\"version\":5}")).isEqualTo("7");
    }

    @Test
    void theLatestVersionStaysAndSoDoesEveryOtherOfTheRequest() {
        for (String ranges : List.of(range(0, -1), range(6, 7), range(1, 7), range(1, 2) + "," + range(6, -1))) {
            assertThat(reason(refused(delete(ranges), 409, 19))).contains("latest");
        }
        refused(server.post(table + "/version/delete?branch=team/dev", "{\"ranges\":[" + range(4, 7) + "]}"), 409, 19);
        assertThat(versions("")).hasSize(6);
        assertThat(versions("?branch=team/dev")).hasSize(3);
    }

    @Test
    void whatATagABranchOrACloneHoldsStays() {
        assertThat(reason(refused(delete(range(3, 6)), 409, 19))).contains("branch 'team/dev'");
        server.post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":2}").ok();
        server.post(table + "/tags/create", "{\"tag\":\"ours\",\"version\":5,\"branch\":\"team/dev\"}")
                .ok();
        assertThat(reason(refused(delete(range(1, 4)), 409, 19))).contains("tag 'gold'");
        refused(
                server.post(table + "/version/delete", "{\"branch\":\"team/dev\",\"ranges\":[" + range(4, 6) + "]}"),
                409,
                19);
        assertThat(versions("")).hasSize(6);
        delete(range(5, 6)).ok();
        server.post(table + "/tags/delete", "{\"tag\":\"gold\"}").ok();
        Path source = folder();
        Clones.make(source, source.resolveSibling(catalog.freshName("clone")));
        assertThat(reason(refused(delete(range(1, 3)), 409, 19))).contains("shallow clone");
        assertThat(versions("")).containsExactly(1L, 2L, 3L, 4L, 6L);
    }

    @Test
    void aProtectedTableKeepsItsVersionsUntilForced() {
        Protecting.protect(catalog, table);
        assertThat(reason(refused(delete(range(1, 3)), 409, 19))).contains("protected");
        server.post(table + "/version/delete?force=true", "{\"ranges\":[" + range(1, 3) + "]}")
                .ok();
        assertThat(versions("")).containsExactly(3L, 4L, 5L, 6L);
        refused(server.post(table + "/version/delete?force=true", "{\"ranges\":[" + range(3, 5) + "]}"), 409, 19);
        server.post(table + "/restore", "{\"version\":3}").ok();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"ranges\":null}",
                "{\"ranges\":[]}",
                "{\"ranges\":[null]}",
                "{\"ranges\":{}}",
                "{\"ranges\":[{\"start_version\":1}]}",
                "{\"ranges\":[{\"start_version\":-1,\"end_version\":2}]}",
                "{\"ranges\":[{\"start_version\":4,\"end_version\":2}]}",
                "{\"ranges\":[{\"start_version\":1,\"end_version\":-2}]}",
                "{\"ranges\":[{\"start_version\":\"1\",\"end_version\":2}]}",
                "{\"ranges\":[{\"start_version\":1,\"end_version\":99999999999999999999}]}",
            })
    void aRangeThatIsNoneIsRefused(String body) {
        refused(server.post(table + "/version/delete", body), 400, 13);
        assertThat(versions("")).hasSize(6);
    }

    @Test
    void aRangeMayBeEmptyOrHoldNumbersThatAreGoneOrNotYetTaken() {
        for (String ranges : List.of(range(0, 0), range(0, 1), range(3, 3), range(7, 9), range(100, Long.MAX_VALUE))) {
            assertThat(delete(ranges).ok().json().path("deleted_count").longValue())
                    .isZero();
        }
        server.arrow(table + "/insert", ArrowStreams.longs("id", 9)).ok();
        assertThat(count("{\"version\":7}")).isEqualTo("9");
        assertThat(delete(range(1, 3) + "," + range(0, 4) + "," + range(2, 3))
                        .ok()
                        .json()
                        .path("deleted_count")
                        .longValue())
                .isEqualTo(3);
    }

    @Test
    void aDeletionThatWasCutOffHasHappenedAndIsFinishedByItsRepetition() throws IOException {
        assertThat(count("{\"version\":2}")).isEqualTo("4");
        // It is noted first; then the server was gone.
        server.bean(DeletedVersions.class)
                .add(new TableLocation(folder().toString(), Map.of()), null, List.of(new NumberRange(1, 3)));
        refused(server.post(table + "/count_rows", "{\"version\":2}"), 404, 11);
        assertThat(versions("")).containsExactly(4L, 5L, 6L);
        assertThat(delete(range(1, 4)).ok().json().path("deleted_count").longValue())
                .isEqualTo(3);
        try (Stream<Path> manifests = Files.list(folder().resolve("_versions"))) {
            assertThat(manifests.filter(file -> file.toString().endsWith(".manifest")))
                    .hasSize(3);
        }
    }

    /** As a writer meets it that stalled until others had taken its number and that was deleted. */
    @Test
    void aCommitUnderADeletedNumberIsNotAcknowledged() {
        server.bean(DeletedVersions.class)
                .add(new TableLocation(folder().toString(), Map.of()), null, List.of(new NumberRange(7, 10)));
        refused(server.arrow(table + "/insert", ArrowStreams.longs("id", 9)), 409, 14);
        refused(server.post(table + "/delete", "{\"predicate\":\"id = 1\"}"), 409, 14);
        server.post(table + "/update", "{\"updates\":[[\"id\",\"id + 100\"]]}").ok();
        assertThat(versions("").getLast()).isGreaterThan(10);
    }

    @Test
    void aDeclaredTableHasNoVersions() {
        String declared = catalog.freshTable();
        server.post(declared + "/declare").ok();
        assertThat(server.post(declared + "/version/list").ok().json().path("versions"))
                .isEmpty();
        refused(server.post(declared + "/version/list?branch=dev"), 404, 22);
        refused(server.post(declared + "/version/describe", "{\"version\":1}"), 404, 11);
        refused(server.post(declared + "/version/describe"), 409, 19);
        refused(server.post(declared + "/restore", "{\"version\":1}"), 404, 11);
        refused(server.post(declared + "/version/delete", "{\"ranges\":[" + range(1, 2) + "]}"), 409, 19);
    }

    @Test
    void aTableThatIsDroppedAndMadeAnewHasItsOwnVersions() {
        delete(range(1, 3)).ok();
        server.post(table + "/drop").ok();
        server.arrow(table + "/create", Rows.THREE).ok();
        assertThat(versions("")).containsExactly(1L);
        assertThat(count("{\"version\":1}")).isEqualTo("3");
    }
}
