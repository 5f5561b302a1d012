package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.Ref;
import tools.jackson.databind.JsonNode;

/** Every flag of a table's description, in the body and in the query. */
@ExtendWith(SharedCatalog.Provider.class)
class TableDescriptionTest {
    private final RunningServer server;
    private final String table;

    TableDescriptionTest(SharedCatalog catalog) {
        this.server = catalog.server();
        this.table = catalog.freshTable();
    }

    private JsonNode describe(String query, String body) {
        return server.post(table + "/describe" + query, body).ok().json();
    }

    private void versionsTagAndBranch() {
        server.arrow(table + "/create", Rows.THREE).ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        Path folder = Clones.folder(describe("", "{}").path("location").asString());
        try (Dataset dataset = Dataset.open(folder.toString())) {
            dataset.createBranch("dev", Ref.ofMain(1)).close();
            dataset.tags().create("gold", Ref.ofMain(1));
        }
        server.arrow(table + "/insert?branch=dev", ArrowStreams.longs("id", 5)).ok();
        server.arrow(table + "/insert?branch=dev", ArrowStreams.longs("id", 6)).ok();
        try (Dataset dataset = Dataset.open(folder.toString())) {
            dataset.tags().create("on-dev", Ref.ofBranch("dev", 2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/describe", "/describe/"})
    void detailsAreToldOnRequestOnly(String address) {
        server.arrow(table + "/create", Rows.THREE).ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        server.post(table + "/delete", "{\"predicate\":\"id = 2\"}").ok();
        JsonNode plain = server.post(table + address).ok().json();
        assertThat(plain.has("stats")).isFalse();
        assertThat(plain.has("metadata")).isFalse();
        assertThat(plain.has("is_only_declared")).isFalse();
        assertThat(plain.path("version").longValue()).isEqualTo(3);
        assertThat(plain.path("schema").path("fields")).hasSize(1);
        JsonNode detailed = server.post(table + address + "?load_detailed_metadata=true")
                .ok()
                .json();
        assertThat(detailed.path("stats").path("num_fragments").intValue()).isEqualTo(2);
        assertThat(detailed.path("stats").path("num_deleted_rows").intValue()).isEqualTo(1);
        assertThat(detailed.path("metadata").isObject()).isTrue();
        assertThat(detailed.path("is_only_declared").booleanValue()).isFalse();
        assertThat(server.post(table + address, "{\"load_detailed_metadata\":true,\"version\":1}")
                        .ok()
                        .json()
                        .path("stats")
                        .path("num_deleted_rows")
                        .intValue())
                .isZero();
        assertThat(server.post(table + address + "?load_detailed_metadata=true", "{\"load_detailed_metadata\":false}")
                        .ok()
                        .json()
                        .has("stats"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | {} | 2",
                "?version=1 | {} | 1",
                "?version=1 | {\"version\":2} | 2",
                "'' | {\"tag\":\"gold\"} | 1",
                "?tag=gold | {} | 1",
                "?tag=gold | {\"tag\":\"on-dev\"} | 2",
                "?branch=dev | {} | 3",
                "'' | {\"branch\":\"dev\"} | 3",
                "'' | {\"branch\":\"dev\",\"version\":2} | 2",
                "?branch=dev&version=1 | {} | 1",
                "?branch=dev | {\"branch\":\"main\"} | 2",
            })
    void aVersionATagOrABranchIsDescribedAndTheBodyWins(String query, String body, long version) {
        versionsTagAndBranch();
        assertThat(describe(query, body).path("version").longValue()).isEqualTo(version);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | {\"version\":1,\"tag\":\"gold\"} | 400 | 13",
                "?version=1 | {\"tag\":\"gold\"} | 400 | 13",
                "?tag=gold&branch=dev | {} | 400 | 13",
                "?version=9 | {} | 404 | 11",
                "'' | {\"version\":9} | 404 | 11",
                "'' | {\"branch\":\"dev\",\"version\":9} | 404 | 11",
                "?tag=absent | {} | 404 | 8",
                "'' | {\"branch\":\"absent\"} | 404 | 22",
                "?branch=absent&version=1 | {} | 404 | 22",
                "?version=x | {} | 400 | 13",
                "?vend_credentials=maybe | {} | 400 | 13",
            })
    void whatIsNotThereIsNamedAsWhatItIs(String query, String body, int status, int code) {
        versionsTagAndBranch();
        refused(server.post(table + "/describe" + query, body), status, code);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../main",
                "a//b",
                "/dev",
                "dev/",
                "a b",
                "..",
                "tree/../../x",
                "dev.lock",
                "a\\\\b",
                "\u00e4?",
                "x:y"
            })
    void aBranchOrTagThatCannotBeOneIsTheCallersErrorAtEveryDoor(String name) {
        versionsTagAndBranch();
        String branch = "{\"branch\":\"" + name + "\",";
        List<Answer> answers = new ArrayList<>(List.of(
                server.post(table + "/describe", "{\"branch\":\"" + name + "\"}"),
                server.post(table + "/describe", "{\"tag\":\"" + name + "\"}"),
                server.post(table + "/stats", "{\"branch\":\"" + name + "\"}"),
                server.post(table + "/count_rows", "{\"branch\":\"" + name + "\"}"),
                server.post(table + "/query", branch + "\"vector\":[],\"k\":1}"),
                server.post(table + "/explain_plan", branch + "\"query\":{\"vector\":[],\"k\":1}}"),
                server.post(table + "/analyze_plan", branch + "\"vector\":[],\"k\":1}"),
                server.post(table + "/update", branch + "\"updates\":[[\"id\",\"7\"]]}"),
                server.post(table + "/delete", branch + "\"predicate\":\"true\"}")));
        String inQuery = "branch=" + RunningServer.id(name.replace("\\\\", "\\"));
        answers.add(server.arrow(table + "/insert?" + inQuery, Rows.THREE));
        answers.add(server.arrow(table + "/merge_insert?on=id&when_matched_update_all=true&" + inQuery, Rows.THREE));
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.code()).as(answer.text()).isIn(8, 13, 22);
            refused(answer, answer.code() == 13 ? 400 : 404, answer.code());
        });
        assertThat(describe("", "{}").path("version").longValue()).isEqualTo(versionOfMain());
    }

    private long versionOfMain() {
        return describe("", "{\"branch\":\"main\"}").path("version").longValue();
    }

    @Test
    void aDeclaredTableHasNoVersionNoTagAndNoBranch() {
        server.post(table + "/declare").ok();
        assertThat(describe("?load_detailed_metadata=true", "{}")
                        .path("is_only_declared")
                        .booleanValue())
                .isTrue();
        assertThat(describe("?load_detailed_metadata=true", "{}").has("stats")).isFalse();
        refused(server.post(table + "/describe", "{\"version\":1}"), 404, 11);
        refused(server.post(table + "/describe", "{\"tag\":\"gold\"}"), 404, 8);
        refused(server.post(table + "/describe", "{\"branch\":\"dev\"}"), 404, 22);
    }
}
