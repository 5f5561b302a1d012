package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** A database of LanceDB's clients is a top-level namespace that a header names: all ids of the request are inside it. */
@ExtendWith(SharedCatalog.Provider.class)
class DatabaseScopeTest {
    private static final String DATABASE = "x-lancedb-database";
    private static final String PREFIX = "x-lancedb-database-prefix";

    private final SharedCatalog catalog;
    private final RunningServer server;
    private final SharedCatalog.Home home;
    private final RunningServer database;

    DatabaseScopeTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.home = catalog.freshNamespace();
        this.database = server.asking(DATABASE, home.namespace());
    }

    private static List<String> names(Answer answer, String field) {
        List<String> names = new ArrayList<>();
        answer.ok().json().path(field).forEach(name -> names.add(name.asString()));
        return names;
    }

    @Test
    void aTableOfADatabaseIsTheTableOfTheNamespace() {
        database.arrow("/v1/table/t/create/", Rows.THREE).ok();
        assertThat(server.post(home.table("t") + "/count_rows").ok().text()).isEqualTo("3");
        JsonNode told = database.post("/v1/table/t/describe/").ok().json();
        assertThat(told.path("table").asString()).isEqualTo("t");
        assertThat(told.path("namespace").isEmpty()).isTrue();
        assertThat(server.post(home.table("t") + "/describe").ok().json().path("namespace"))
                .hasToString("[\"" + home.namespace() + "\"]");
        assertThat(database.post("/v1/table/t/drop/").ok().json().path("id")).hasToString("[\"t\"]");
        refused(server.post(home.table("t") + "/exists"), 404, 4);
    }

    @Test
    void theIdInTheBodyIsTheOneInsideTheDatabase() {
        database.arrow("/v1/table/t/create", Rows.THREE).ok();
        database.post("/v1/table/t/describe", "{\"id\":[\"t\"]}").ok();
        refused(database.post("/v1/table/t/describe", "{\"id\":[\"" + home.namespace() + "\",\"t\"]}"), 400, 13);
        String inside = "{\"query\":{\"id\":[%s],\"k\":1,\"vector\":{}}}";
        database.post("/v1/table/t/explain_plan", inside.formatted("\"t\"")).ok();
        refused(database.post("/v1/table/t/explain_plan", inside.formatted("\"u\"")), 400, 13);
    }

    @Test
    void twoDatabasesHaveTablesOfOneName() {
        RunningServer other = server.asking(DATABASE, catalog.freshNamespace().namespace());
        database.arrow("/v1/table/t/create/", Rows.THREE).ok();
        other.arrow("/v1/table/t/create/", ArrowStreams.longs("id", 7)).ok();
        assertThat(database.post("/v1/table/t/count_rows/", "{}").ok().text()).isEqualTo("3");
        assertThat(other.post("/v1/table/t/count_rows/", "{}").ok().text()).isEqualTo("1");
    }

    @Test
    void namespacesInsideADatabaseAreMadeListedAndDropped() {
        database.post("/v1/namespace/a/create", "{\"mode\":\"\\\"Create\\\"\"}").ok();
        database.post("/v1/namespace/a$b/create", "{}").ok();
        assertThat(names(database.get("/v1/namespace/$/list"), "namespaces")).containsExactly("a");
        assertThat(names(server.get("/v1/namespace/" + home.namespace() + "/list"), "namespaces"))
                .containsExactly("a");
        database.arrow("/v1/table/a$b$t/create/", Rows.THREE).ok();
        assertThat(names(database.get("/v1/namespace/a$b/table/list"), "tables"))
                .containsExactly("t");
        assertThat(names(database.get("/v1/namespace/$/table/list"), "tables")).isEmpty();
        database.post("/v1/namespace/a/drop", "{\"behavior\":\"\\\"Cascade\\\"\"}")
                .ok();
        assertThat(names(database.get("/v1/namespace/$/list"), "namespaces")).isEmpty();
    }

    @Test
    void theRootOfADatabaseIsNeitherMadeNorDroppedFromInside() {
        refused(database.post("/v1/namespace/$/create", "{}"), 400, 13);
        refused(database.post("/v1/namespace/$/drop", "{\"behavior\":\"Cascade\"}"), 400, 13);
        database.post("/v1/namespace/$/exists").ok();
        server.post("/v1/namespace/" + home.namespace() + "/exists").ok();
    }

    @Test
    void tableNamesAreThoseABareNameOpensAndAnyNameIsAToken() {
        database.post("/v1/namespace/inner/create", "{}").ok();
        database.arrow("/v1/table/inner$deep/create/", Rows.THREE).ok();
        for (String name : List.of("c", "a", "b")) {
            database.arrow("/v1/table/" + name + "/create/", Rows.THREE).ok();
        }
        assertThat(names(database.get("/v1/table/"), "tables")).containsExactly("a", "b", "c");
        Answer first = database.get("/v1/table/?limit=2");
        assertThat(names(first, "tables")).containsExactly("a", "b");
        assertThat(first.json().path("page_token").asString()).isEqualTo("b");
        assertThat(names(database.get("/v1/table/?limit=2&page_token=b"), "tables"))
                .containsExactly("c");
        assertThat(names(database.get("/v1/table/?page_token=aa"), "tables")).containsExactly("b", "c");
    }

    @Test
    void theListOfAllTablesHoldsThoseOfEveryDepthInsideTheDatabase() {
        catalog.server().arrow(catalog.freshTable() + "/create", Rows.THREE).ok();
        database.post("/v1/namespace/inner/create", "{}").ok();
        database.arrow("/v1/table/inner$deep/create", Rows.THREE).ok();
        database.arrow("/v1/table/top/create", Rows.THREE).ok();
        assertThat(names(database.get("/v1/table"), "tables")).containsExactly("inner$deep", "top");
        Answer first = database.get("/v1/table?limit=1");
        assertThat(names(first, "tables")).containsExactly("inner$deep");
        assertThat(names(database.get("/v1/table?page_token=inner%24deep"), "tables"))
                .containsExactly("top");
        assertThat(first.json().path("page_token").asString()).isEqualTo("inner$deep");
    }

    @Test
    void aPrefixLeadsToANamespaceInsideTheDatabase() {
        database.post("/v1/namespace/team/create", "{}").ok();
        database.post("/v1/namespace/team$search/create", "{}").ok();
        RunningServer inner = database.asking(PREFIX, "team/search");
        inner.arrow("/v1/table/t/create/", Rows.THREE).ok();
        assertThat(database.post("/v1/table/team$search$t/count_rows/", "{}")
                        .ok()
                        .text())
                .isEqualTo("3");
        assertThat(names(inner.get("/v1/table/"), "tables")).containsExactly("t");
        refused(server.asking(PREFIX, "team").get("/v1/table/"), 400, 13);
    }

    @Test
    void aDatabaseThatIsNotThereIsAnAbsentNamespace() {
        RunningServer absent = server.asking(DATABASE, "nowhere-at-all");
        refused(absent.get("/v1/table/"), 404, 1);
        refused(absent.get("/v1/table"), 404, 1);
        refused(absent.arrow("/v1/table/t/create/", Rows.THREE), 404, 1);
        refused(absent.post("/v1/table/t/describe/"), 404, 4);
        refused(absent.get("/v1/namespace/$/list"), 404, 1);
        refused(server.asking(DATABASE, "a$b").get("/v1/table/"), 400, 13);
        refused(server.asking(DATABASE, "..").post("/v1/table/t/describe/"), 400, 13);
    }

    @Test
    void aTableMovesWithinItsDatabase() {
        database.post("/v1/namespace/inner/create", "{}").ok();
        database.arrow("/v1/table/t/create/", Rows.THREE).ok();
        database.post("/v1/table/t/rename/", "{\"new_table_name\":\"u\"}").ok();
        database.post("/v1/table/u/rename/", "{\"new_table_name\":\"v\",\"new_namespace\":[\"inner\"]}")
                .ok();
        assertThat(server.post("/v1/table/" + RunningServer.id(home.namespace(), "inner", "v") + "/count_rows")
                        .ok()
                        .text())
                .isEqualTo("3");
        refused(database.post("/v1/table/t/describe/"), 404, 4);
    }

    @Test
    void aBatchNamesTheTablesOfItsDatabase() {
        database.post("/v1/table/batch-commit", "{\"operations\":[{\"declare_table\":{\"id\":[\"one\"]}}]}")
                .ok();
        server.post(home.table("one") + "/exists").ok();
        JsonNode left = database.post(
                        "/v1/table/batch-commit", "{\"operations\":[{\"deregister_table\":{\"id\":[\"one\"]}}]}")
                .ok()
                .json();
        assertThat(left.at("/results/0/deregister_table/id")).hasToString("[\"one\"]");
    }

    @Test
    void aJobOfAnotherDatabaseIsAbsent() {
        IndexedTable table = IndexedTable.filled(database, "/v1/table/words");
        table.make("{\"column\":\"id\",\"index_type\":\"BTREE\"}");
        String job = "{\"job_id\":\"" + jobs("job_id").getFirst() + "\"}";
        JsonNode told = database.post("/v1/jobs/describe", job).ok().json();
        assertThat(told.path("table").asString()).isEqualTo("words");
        assertThat(told.at("/spec/table")).hasToString("[\"words\"]");
        assertThat(server.post("/v1/jobs/describe", job).ok().json().at("/spec/table"))
                .hasToString("[\"" + home.namespace() + "\",\"words\"]");
        database.post("/v1/jobs/query_events", job).ok();
        RunningServer other = server.asking(DATABASE, catalog.freshNamespace().namespace());
        for (String route : List.of("describe", "query_events", "cancel")) {
            refused(other.post("/v1/jobs/" + route, job), 404, 10);
        }
        database.post("/v1/jobs/cancel", job).ok();
    }

    @Test
    void jobsOfADatabaseAreListedByTheNamesInsideIt() {
        IndexedTable table = IndexedTable.filled(database, "/v1/table/words");
        table.make("{\"column\":\"id\",\"index_type\":\"BTREE\"}");
        assertThat(jobs("table")).containsExactly("words");
    }

    /** What the list of jobs tells of each. */
    private List<String> jobs(String field) {
        List<String> told = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = database.post("/v1/jobs/list", "{\"page_token\":\"" + token + "\"}")
                    .ok()
                    .json();
            page.path("jobs").forEach(job -> told.add(job.path(field).asString()));
            token = page.path("page_token").asString("");
        } while (!token.isEmpty());
        return told;
    }

    @Test
    void theHeaderMayStandInTheContextOfTheBody() {
        database.arrow("/v1/table/t/create", Rows.THREE).ok();
        String body = "{\"context\":{\"header.x-lancedb-database\":\"" + home.namespace() + "\"}}";
        assertThat(server.post("/v1/table/t/count_rows", body).ok().text()).isEqualTo("3");
    }
}
