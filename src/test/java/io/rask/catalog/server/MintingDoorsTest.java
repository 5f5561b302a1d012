package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every door that gives a name to a table refuses the same names, before it does anything. */
@ExtendWith(SharedCatalog.Provider.class)
class MintingDoorsTest {
    private final SharedCatalog catalog;
    private final RunningServer server;
    private final SharedCatalog.Home home;
    private final String there;

    MintingDoorsTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.home = catalog.freshNamespace();
        this.there = home.table("there");
        server.arrow(there + "/create", Rows.THREE).ok();
    }

    private static String json(List<String> segments) {
        return segments.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(",", "[", "]"));
    }

    /** The answers of all doors that would make a table, or give one a new name, by door. */
    private Map<String, Answer> minted(List<String> namespace, String name) {
        List<String> segments = new ArrayList<>(namespace);
        segments.add(name);
        String path = id(segments.toArray(String[]::new));
        String table = "/v1/table/" + path;
        String view = "/v1/materialized_view/" + path + "/create";
        String moved = "{\"new_table_name\":\"" + name + "\",\"new_namespace_id\":" + json(namespace) + "}";
        String query = "SELECT id FROM " + home.namespace() + ".there";
        Map<String, Answer> answers = new LinkedHashMap<>();
        answers.put("create", server.arrow(table + "/create", Rows.THREE));
        answers.put("declare", server.post(table + "/declare", "{}"));
        answers.put("register", server.post(table + "/register", "{\"location\":\"somewhere\"}"));
        answers.put("rename", server.post(there + "/rename", moved));
        answers.put("undrop", server.post(there + "/undrop", moved));
        answers.put(
                "view",
                server.post(
                        view,
                        "{\"kind\":\"query\",\"with_no_data\":true,\"source_query\":\"" + query
                                + "\",\"output_schema\":\"" + ViewedTables.schema() + "\"}"));
        answers.put("view of LanceDB", server.post(view, "{\"query\":\"" + query + "\",\"with_no_data\":true}"));
        answers.put(
                "batch",
                server.post(
                        "/v1/table/batch-commit",
                        "{\"operations\":[{\"declare_table\":{\"id\":" + json(segments) + "}}]}"));
        return answers;
    }

    private void refusedEverywhere(List<String> namespace, String name) {
        Set<String> before = catalog.tableFolders(home.warehouse());
        minted(namespace, name).forEach((door, answer) -> {
            assertThat(answer.code()).as(door + ": " + answer.text()).isEqualTo(13);
            refused(answer, 400, 13);
        });
        assertThat(catalog.tableFolders(home.warehouse())).isEqualTo(before);
        assertThat(server.get("/v1/namespace/" + home.namespace() + "/table/list")
                        .ok()
                        .json()
                        .path("tables")
                        .toString())
                .isEqualTo("[\"there\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a*", "*", "a?b", "?"})
    void wildcardsAreRefusedByEveryDoorThatNamesATable(String name) {
        refusedEverywhere(List.of(home.namespace()), name);
        refusedEverywhere(List.of(home.namespace(), name), "t");
    }

    @Test
    void theEighthLevelIsRefusedByEveryDoorThatNamesATable() {
        List<String> namespace = new ArrayList<>(List.of(home.namespace()));
        for (int level = 2; level <= 8; level++) {
            namespace.add("l" + level);
        }
        refusedEverywhere(namespace, "t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"format", "provider"})
    void aBatchDeclaresNoTableOfAnotherFormatThanLance(String property) {
        String declared = "{\"operations\":[{\"declare_table\":{\"id\":[\"" + home.namespace()
                + "\",\"t\"],\"properties\":{\"" + property + "\":\"%s\"}}}]}";
        refused(server.post("/v1/table/batch-commit", declared.formatted("iceberg")), 400, 13);
        refused(server.post(home.table("t") + "/describe"), 404, 4);
        server.post("/v1/table/batch-commit", declared.formatted("lance")).ok();
    }
}
