package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.lance.DeletedVersions;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.Ref;
import tools.jackson.databind.JsonNode;

/** Branches: where they begin, what they hold, and when they go. */
@ExtendWith(SharedCatalog.Provider.class)
class BranchBehaviourTest {
    private final SharedCatalog catalog;
    private final RunningServer server;
    private final String table;

    BranchBehaviourTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.table = catalog.freshTable();
        server.arrow(table + "/create", Rows.THREE).ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
    }

    private void create(String body) {
        server.post(table + "/branches/create", body).ok();
    }

    private JsonNode branches() {
        return server.post(table + "/branches/list").ok().json().path("branches");
    }

    private String count(String branch) {
        return server.post(table + "/count_rows", "{\"branch\":\"" + branch + "\"}")
                .ok()
                .text();
    }

    private Path folder() {
        return Clones.folder(
                server.post(table + "/describe").ok().json().path("location").asString());
    }

    @Test
    void aBranchBeginsAtAVersionOfMainOrOfABranchAndLivesApart() {
        create("{\"name\":\"old\",\"from_version\":1}");
        create("{\"name\":\"new\"}");
        server.arrow(table + "/insert?branch=new", ArrowStreams.longs("id", 5)).ok();
        create("{\"name\":\"feat/child\",\"from_branch\":\"new\"}");
        create("{\"name\":\"feat/earlier\",\"from_branch\":\"new\",\"from_version\":2}");
        create("{\"name\":\"named\",\"from_branch\":\"main\",\"from_version\":null}");
        assertThat(List.of(count("old"), count("new"), count("feat/child"), count("feat/earlier"), count("main")))
                .containsExactly("3", "5", "5", "4", "4");
        JsonNode told = branches();
        assertThat(told.propertyNames()).containsExactly("feat/child", "feat/earlier", "named", "new", "old");
        JsonNode child = told.path("feat/child");
        assertThat(child.path("parentBranch").asString()).isEqualTo("new");
        assertThat(child.path("parentVersion").longValue()).isEqualTo(3);
        assertThat(child.path("createAt").longValue()).isPositive();
        assertThat(child.path("manifestSize").longValue()).isPositive();
        assertThat(child.path("metadata").isObject()).isTrue();
        assertThat(told.path("old").has("parentBranch")).isFalse();
        assertThat(told.path("old").path("parentVersion").longValue()).isEqualTo(1);
        assertThat(server.post(table + "/describe").ok().json().path("version").longValue())
                .isEqualTo(2);
    }

    @Test
    void pagesOfBranchesHoldEachOnceInOrder() {
        for (int i = 0; i < 5; i++) {
            create("{\"name\":\"b" + i + "\"}");
        }
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = server.post(table + "/branches/list?limit=2&page_token=" + token)
                    .ok()
                    .json();
            seen.addAll(page.path("branches").propertyNames());
            token = page.path("page_token").asString("");
        } while (!token.isEmpty());
        assertThat(seen).containsExactly("b0", "b1", "b2", "b3", "b4");
    }

    @Test
    void whatIsNotThereOrIsThereAlreadyHasItsCode() {
        create("{\"name\":\"dev\"}");
        refused(server.post(table + "/branches/create", "{\"name\":\"dev\"}"), 409, 23);
        refused(server.post(table + "/branches/create", "{\"name\":\"main\"}"), 409, 23);
        refused(server.post(table + "/branches/create", "{\"name\":\"x\",\"from_branch\":\"none\"}"), 404, 22);
        for (String version : List.of("0", "-1", "99", "9223372036854775807")) {
            String body = "{\"name\":\"x\",\"from_version\":" + version + "%s}";
            refused(server.post(table + "/branches/create", body.formatted("")), 404, 11);
            refused(server.post(table + "/branches/create", body.formatted(",\"from_branch\":\"dev\"")), 404, 11);
        }
        refused(
                server.post(table + "/branches/create", "{\"name\":\"x\",\"from_branch\":\"dev\",\"from_version\":1}"),
                404,
                11);
        refused(server.post(table + "/branches/create", "{}"), 400, 13);
        refused(server.post(table + "/branches/delete", "{\"name\":\"none\"}"), 404, 22);
        refused(server.post(table + "/branches/delete", "{\"name\":\"main\"}"), 400, 13);
        refused(server.post(catalog.freshTable() + "/branches/create", "{\"name\":\"x\"}"), 404, 4);
        refused(server.post(catalog.freshTable() + "/branches/list"), 404, 4);
        assertThat(branches().propertyNames()).containsExactly("dev");
        for (String door : List.of("describe", "count_rows", "version/list", "version/describe", "stats", "exists")) {
            refused(server.post(table + "/" + door, "{\"branch\":\"none\"}"), 404, 22);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/a",
                "a/",
                "a//b",
                "../a",
                "a/../b",
                ".",
                "a/.",
                "a b",
                "é",
                "a\\\\b",
                "a.lock",
                "a$b",
                "a\\u0000",
                "*",
                "data",
                "tree",
                "_versions",
                "a/data",
                "a/tree/b",
                "a/_versions",
                "_refs",
                "a/b/c/d/e/f/g/h/i"
            })
    void aBranchOfABadNameIsTheCallersErrorAndLeavesNothing(String name) throws IOException {
        refused(server.post(table + "/branches/create", "{\"name\":\"" + name + "\"}"), 400, 13);
        refused(server.post(table + "/branches/delete", "{\"name\":\"" + name + "\"}"), 400, 13);
        assertThat(branches()).isEmpty();
        assertThat(folder().resolve("tree")).doesNotExist();
    }

    @Test
    void aBranchDoesNotNestInTheFilesOfAnother() {
        create("{\"name\":\"dev\"}");
        create("{\"name\":\"team/x\"}");
        create("{\"name\":\"team/y\"}");
        create("{\"name\":\"dev2\"}");
        refused(server.post(table + "/branches/create", "{\"name\":\"dev/x\"}"), 400, 13);
        refused(server.post(table + "/branches/create", "{\"name\":\"team\"}"), 400, 13);
        server.arrow(table + "/insert?branch=team/y", ArrowStreams.longs("id", 5))
                .ok();
        server.post(table + "/branches/delete", "{\"name\":\"team/x\"}").ok();
        server.post(table + "/branches/delete", "{\"name\":\"dev\"}").ok();
        assertThat(count("team/y")).isEqualTo("5");
        assertThat(count("dev2")).isEqualTo("4");
        create("{\"name\":\"dev/x\"}");
    }

    @Test
    void aDeletedBranchIsGoneWithItsFilesAndItsNameIsFree() {
        create("{\"name\":\"dev\",\"from_version\":1}");
        server.arrow(table + "/insert?branch=dev", ArrowStreams.longs("id", 7)).ok();
        assertThat(count("dev")).isEqualTo("4");
        server.post(table + "/branches/delete", "{\"name\":\"dev\"}").ok();
        refused(server.post(table + "/count_rows", "{\"branch\":\"dev\"}"), 404, 22);
        refused(server.post(table + "/count_rows", "{\"branch\":\"dev\",\"version\":1}"), 404, 22);
        refused(server.arrow(table + "/insert?branch=dev", ArrowStreams.longs("id", 8)), 404, 22);
        assertThat(folder().resolve("tree/dev")).doesNotExist();
        create("{\"name\":\"dev\",\"from_version\":2}");
        assertThat(count("dev")).isEqualTo("4");
        assertThat(server.post(table + "/query", "{\"k\":9,\"vector\":{},\"branch\":\"dev\",\"filter\":\"id = 7\"}")
                        .ok()
                        .bytes())
                .isNotEmpty();
        assertThat(server.post(table + "/count_rows", "{\"branch\":\"dev\",\"predicate\":\"id = 7\"}")
                        .ok()
                        .text())
                .isEqualTo("0");
        assertThat(count("main")).isEqualTo("4");
    }

    @Test
    void aBranchThatATagOrAnotherBranchHoldsStays() {
        create("{\"name\":\"dev\"}");
        create("{\"name\":\"child\",\"from_branch\":\"dev\"}");
        assertThat(reason(refused(server.post(table + "/branches/delete", "{\"name\":\"dev\"}"), 409, 19)))
                .contains("branch 'child'");
        server.post(table + "/branches/delete", "{\"name\":\"child\"}").ok();
        server.post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":2,\"branch\":\"dev\"}")
                .ok();
        assertThat(reason(refused(server.post(table + "/branches/delete?force=true", "{\"name\":\"dev\"}"), 409, 19)))
                .contains("tag 'gold'");
        assertThat(count("dev")).isEqualTo("4");
        server.post(table + "/tags/delete", "{\"tag\":\"gold\"}").ok();
        server.post(table + "/branches/delete", "{\"name\":\"dev\"}").ok();
    }

    @Test
    void aProtectedTableKeepsItsBranchesUntilForced() {
        create("{\"name\":\"dev\"}");
        Protecting.protect(catalog, table);
        assertThat(reason(refused(server.post(table + "/branches/delete", "{\"name\":\"dev\"}"), 409, 19)))
                .contains("protected");
        create("{\"name\":\"more\"}");
        server.post(table + "/branches/delete?force=true", "{\"name\":\"dev\"}").ok();
        assertThat(branches().propertyNames()).containsExactly("more");
    }

    @Test
    void aDeclaredTableHasNoBranchesAndNothingToBeginOneAt() {
        String declared = catalog.freshTable();
        server.post(declared + "/declare").ok();
        assertThat(server.post(declared + "/branches/list").ok().json().path("branches"))
                .isEmpty();
        refused(server.post(declared + "/branches/create", "{\"name\":\"a\"}"), 409, 19);
        refused(server.post(declared + "/branches/create", "{\"name\":\"a\",\"from_version\":1}"), 404, 11);
        refused(server.post(declared + "/branches/create", "{\"name\":\"a\",\"from_branch\":\"b\"}"), 404, 22);
        refused(server.post(declared + "/branches/delete", "{\"name\":\"a\"}"), 404, 22);
    }

    @Test
    void whatACutOffCreationLeftStandsInNobodysWay() throws IOException {
        create("{\"name\":\"dev\",\"from_version\":1}");
        // The library writes the first version of a branch, and then that there is one.
        Files.delete(folder().resolve("_refs/branches/dev.json"));
        assertThat(branches()).isEmpty();
        refused(server.post(table + "/count_rows", "{\"branch\":\"dev\"}"), 404, 22);
        refused(server.post(table + "/branches/delete", "{\"name\":\"dev\"}"), 404, 22);
        create("{\"name\":\"dev\",\"from_version\":2}");
        assertThat(count("dev")).isEqualTo("4");
    }

    private void devWithoutItsReference() throws IOException {
        create("{\"name\":\"dev\"}");
        server.arrow(table + "/insert?branch=dev", ArrowStreams.longs("id", 7)).ok();
        Files.delete(folder().resolve("_refs/branches/dev.json"));
        assertThat(branches()).isEmpty();
    }

    @Test
    void versionsThatNoBranchNamesAreNotTakenForWhatACreationLeft() throws IOException {
        devWithoutItsReference();
        refused(server.post(table + "/branches/create", "{\"name\":\"dev\"}"), 409, 19);
        refused(server.post(table + "/branches/delete", "{\"name\":\"dev\"}"), 404, 22);
        assertThat(folder().resolve("tree/dev/_versions")).isNotEmptyDirectory();
        create("{\"name\":\"dev-again\"}");
    }

    /** The deletion is noted, the library removes the reference, and then the files. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDeletionThatWasCutOffIsFinishedByItsRepetitionOrTheNextCreation(boolean repeated) throws IOException {
        devWithoutItsReference();
        server.bean(DeletedVersions.class).going(new TableLocation(folder().toString(), Map.of()), "dev");
        refused(server.post(table + "/count_rows", "{\"branch\":\"dev\"}"), 404, 22);
        if (repeated) {
            server.post(table + "/branches/delete", "{\"name\":\"dev\"}").ok();
            assertThat(folder().resolve("tree/dev")).doesNotExist();
            refused(server.post(table + "/branches/delete", "{\"name\":\"dev\"}"), 404, 22);
        }
        create("{\"name\":\"dev\",\"from_version\":1}");
        assertThat(count("dev")).isEqualTo("3");
    }

    @Test
    void aBranchThatAnotherProgramMakesAnewIsReadAnew() {
        create("{\"name\":\"dev\",\"from_version\":1}");
        server.arrow(table + "/insert?branch=dev", ArrowStreams.longs("id", 7)).ok();
        assertThat(count("dev")).isEqualTo("4");
        assertThat(server.post(table + "/count_rows", "{\"branch\":\"dev\",\"version\":2}")
                        .ok()
                        .text())
                .isEqualTo("4");
        // The other's branch of that name has the same latest version, and other rows.
        try (Dataset other = Dataset.open(folder().toString())) {
            other.branches().delete("dev");
            other.createBranch("dev", Ref.ofMain(2)).close();
        }
        server.post(table + "/delete", "{\"predicate\":\"id < 3\"}").ok();
        assertThat(server.post(table + "/count_rows", "{\"branch\":\"dev\",\"predicate\":\"id = 7\"}")
                        .ok()
                        .text())
                .isEqualTo("0");
        assertThat(server.post(table + "/count_rows", "{\"branch\":\"dev\",\"version\":2,\"predicate\":\"id = 7\"}")
                        .ok()
                        .text())
                .isEqualTo("0");
    }
}
