package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.Register.Operation;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A branch that a request names, in its body or in its query, is honoured or refused, at every door there is. */
@ExtendWith(SharedCatalog.Provider.class)
class BranchDoorsTest {
    private static final Set<String> ARROW = Set.of("InsertIntoTable", "MergeInsertIntoTable", "CreateTable");
    private static final Set<String> MAKING = Set.of("CreateTable", "DeclareTable");

    /** What operations need in their bodies; the others need nothing. */
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("RenameTable", "{\"new_table_name\":\"other\"}"),
            Map.entry("RestoreTable", "{\"version\":1}"),
            Map.entry("BatchDeleteTableVersions", "{\"ranges\":[{\"start_version\":1,\"end_version\":2}]}"),
            Map.entry("UpdateTable", "{\"updates\":[[\"id\",\"7\"]]}"),
            Map.entry("DeleteFromTable", "{\"predicate\":\"true\"}"),
            Map.entry("QueryTable", "{\"k\":1,\"vector\":{}}"),
            Map.entry("AnalyzeTableQueryPlan", "{\"k\":1,\"vector\":{}}"),
            Map.entry("ExplainTableQueryPlan", "{\"query\":{\"k\":1,\"vector\":{}}}"),
            Map.entry("GetTableTagVersion", "{\"tag\":\"gold\"}"),
            Map.entry("CreateTableTag", "{\"tag\":\"new\",\"version\":1}"),
            Map.entry("UpdateTableTag", "{\"tag\":\"gold\",\"version\":1}"),
            Map.entry("DeleteTableTag", "{\"tag\":\"gold\"}"),
            Map.entry("CreateTableBranch", "{\"name\":\"new\"}"),
            Map.entry("DeleteTableBranch", "{\"name\":\"dev\"}"),
            Map.entry("AlterTableAddColumns", "{\"new_columns\":[{\"name\":\"twice\",\"expression\":\"id * 2\"}]}"),
            Map.entry("AlterTableAlterColumns", "{\"alterations\":[{\"path\":\"id\",\"rename\":\"number\"}]}"),
            Map.entry("AlterTableBackfillColumns", "{\"column\":\"later\"}"),
            Map.entry("AlterTableDropColumns", "{\"columns\":[\"word\"]}"),
            Map.entry("UpdateTableSchemaMetadata", "{\"metadata\":{\"unit\":\"none\"}}"),
            Map.entry("CreateTableIndex", "{\"column\":\"id\",\"index_type\":\"BTREE\"}"),
            Map.entry("CreateTableScalarIndex", "{\"column\":\"id\",\"index_type\":\"BITMAP\"}"),
            Map.entry("UpdateFieldMetadata", "{\"updates\":[{\"path\":\"id\",\"metadata\":{\"unit\":\"none\"}}]}"));

    /** These need a place, a file or an index that lies ready, without which they are refused anyway. */
    private static final Set<String> TESTED_ALONE =
            Set.of("CreateTableVersion", "RegisterTable", "DescribeTableIndexStats", "DropTableIndex");

    private final SharedCatalog catalog;
    private final RunningServer server;
    private final String table;

    BranchDoorsTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.table = catalog.freshTable();
        server.arrow(table + "/create", Rows.THREE).ok();
        server.post(table + "/add_columns", """
                        {"new_columns":[{"name":"word","expression":"'a'"},{"name":"later","computed":"2 + 2"}]}""").ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        server.post(table + "/branches/create", "{\"name\":\"dev\"}").ok();
        server.post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":2}").ok();
    }

    static Stream<Operation> tableOperations() {
        return Register.served()
                .filter(operation -> operation.path().startsWith("/v1/table/{id}/"))
                .filter(operation -> !TESTED_ALONE.contains(operation.name()));
    }

    private String state() {
        return server.post(table + "/version/list").ok().text()
                + server.post(table + "/version/list?branch=dev").ok().text()
                + server.post(table + "/tags/list").ok().text()
                + server.post(table + "/branches/list").ok().text()
                + server.post(table + "/count_rows").ok().text();
    }

    private Answer send(Operation operation, String address, String query, String branch) {
        String at = operation.path().replace("/v1/table/{id}", address);
        if (ARROW.contains(operation.name())) {
            String on = operation.name().equals("MergeInsertIntoTable") ? "on=id&when_matched_update_all=true&" : "";
            return server.arrow(at + "?" + on + query, ArrowStreams.longs("id", 4));
        }
        String body = BODIES.getOrDefault(operation.name(), "{}");
        ObjectNode sent = (ObjectNode) JsonMapper.shared().readTree(body);
        if (!branch.isEmpty()) {
            sent.put("branch", branch);
        }
        return server.post(at + "?" + query, sent.toString());
    }

    @ParameterizedTest
    @MethodSource("tableOperations")
    void aBranchThatIsNotThereIsNeverTakenForMain(Operation operation) {
        String address = MAKING.contains(operation.name()) ? catalog.freshTable() : table;
        String before = state();
        for (Answer answer : ARROW.contains(operation.name())
                ? List.of(send(operation, address, "branch=nowhere", ""))
                : List.of(
                        send(operation, address, "branch=nowhere", ""),
                        send(operation, address, "", "nowhere"),
                        send(operation, address, "branch=main", "nowhere"))) {
            // A tag is not on a branch that is not there.
            assertThat(answer.code()).as(answer.text()).isIn(22, 13, 8);
        }
        assertThat(state()).isEqualTo(before);
        // The branch alone was what was wrong with them.
        Answer without = send(operation, address, "", "");
        assertThat(without.status()).as(without.text()).isLessThan(300);
    }

    @Test
    void aRegistrationNamesNoBranch() {
        String location =
                server.post(table + "/deregister").ok().json().path("location").asString();
        String body = "{\"location\":\"" + location + "\"%s}";
        refused(server.post(table + "/register?branch=dev", body.formatted("")), 400, 13);
        refused(server.post(table + "/register", body.formatted(",\"branch\":\"dev\"")), 400, 13);
        server.post(table + "/register", body.formatted("")).ok();
    }

    @ParameterizedTest
    @ValueSource(strings = {"drop", "deregister", "tags/list", "branches/list"})
    void anOperationOnTheWholeTableRefusesEveryBranchEvenMain(String operation) {
        for (String branch : List.of("dev", "main")) {
            refused(server.post(table + "/" + operation + "?branch=" + branch), 400, 13);
            refused(server.post(table + "/" + operation, "{\"branch\":\"" + branch + "\"}"), 400, 13);
        }
        server.post(table + "/exists").ok();
        assertThat(server.post(table + "/" + operation + "?branch=", "{\"branch\":null}")
                        .status())
                .isLessThan(300);
    }

    @Test
    void aBranchInTheQueryIsHonouredWhereTheSpecificationHasItInTheBody() {
        server.arrow(table + "/insert?branch=dev", ArrowStreams.longs("id", 5, 6))
                .ok();
        String dev = "?branch=dev";
        assertThat(server.post(table + "/count_rows" + dev, "{}").ok().text()).isEqualTo("6");
        assertThat(server.get(table + "/count_rows" + dev).ok().text()).isEqualTo("6");
        assertThat(server.get(table + "/stats" + dev)
                        .ok()
                        .json()
                        .path("num_rows")
                        .longValue())
                .isEqualTo(6);
        assertThat(server.post(table + "/stats" + dev)
                        .ok()
                        .json()
                        .path("num_rows")
                        .longValue())
                .isEqualTo(6);
        server.post(table + "/exists" + dev, "{\"version\":4}").ok();
        refused(server.post(table + "/exists", "{\"version\":4}"), 404, 11);
        server.post(table + "/exists", "{\"branch\":\"dev\"}").ok();
        server.post(table + "/delete" + dev, "{\"predicate\":\"id = 5\"}").ok();
        server.post(table + "/update" + dev, "{\"updates\":[[\"id\",\"id + 10\"]]}")
                .ok();
        assertThat(server.post(table + "/count_rows" + dev, "{\"predicate\":\"id > 10\"}")
                        .ok()
                        .text())
                .isEqualTo("5");
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("4");
        // The body wins.
        assertThat(server.post(table + "/count_rows" + dev, "{\"branch\":\"main\"}")
                        .ok()
                        .text())
                .isEqualTo("4");
        String inside = "{\"query\":{\"k\":1,\"vector\":{},\"branch\":\"dev\"}}";
        server.post(table + "/explain_plan" + dev, inside).ok();
        refused(server.post(table + "/explain_plan?branch=main", inside), 400, 13);
    }
}
