package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.Register.Operation;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.webtest.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for the specification's operations as a whole. */
@ExtendWith(SharedCatalog.Provider.class)
class OperationsTest {
    private final SharedCatalog catalog;
    private final RunningServer server;
    private final RawHttp raw;

    OperationsTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.raw = new RawHttp(server.port());
    }

    static List<Operation> operations() {
        return Register.operations();
    }

    static Stream<Operation> served() {
        return Register.served();
    }

    @Test
    void theSpecificationHas54Operations() {
        assertThat(operations()).hasSize(54);
        assertThat(operations().stream().map(Operation::name)).doesNotHaveDuplicates();
        assertThat(operations().stream().map(operation -> operation.method() + operation.path()))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anOperationIsServedUnderItsMethodAndPathOrSaysThatItIsNot(Operation operation) throws IOException {
        String address = operation.at(id(catalog.freshName("space"), "absent"));
        RawHttp.Answer answer = raw.send(operation.method(), address, "{}".getBytes(StandardCharsets.UTF_8));
        // A listing that names no object has nothing that could be absent.
        boolean namesNothing = operation.isServed() && operation.path().equals("/v1/table");
        assertThat(answer.status()).as(answer.text()).isBetween(namesNothing ? 200 : 400, 501);
        assertThat(answer.code() != 0).as(answer.text()).isEqualTo(operation.isServed());
        assertThat(answer.code()).isNotEqualTo(18);
    }

    @ParameterizedTest
    @MethodSource("served")
    void anotherMethodIsRefusedAndTheRightOneNamed(Operation operation) throws IOException {
        String address = operation.at(id(catalog.freshName("space"), "absent"));
        RawHttp.Answer answer = raw.send("PUT", address, "{}".getBytes(StandardCharsets.UTF_8));
        assertThat(answer.status()).as(answer.text()).isEqualTo(405);
        assertThat(answer.code()).isZero();
        assertThat(answer.header("allow")).contains(operation.method());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{}", "null", "{\"id\":[]}", "{\"id\":null,\"context\":null,\"identity\":{}}"})
    void anOperationThatNeedsNoBodyTakesAnyEmptyOne(String body) {
        SharedCatalog.Home home = catalog.freshNamespace();
        String namespace = "/v1/namespace/" + id(home.namespace(), "n");
        String table = home.table("t");
        for (String address : List.of(
                namespace + "/create",
                namespace + "/describe",
                namespace + "/exists",
                namespace + "/drop",
                table + "/declare",
                table + "/describe",
                table + "/exists",
                table + "/drop",
                "/v1/warehouses/" + home.warehouse() + "/deactivate",
                "/v1/warehouses/" + home.warehouse() + "/activate")) {
            server.post(address, body).ok();
        }
    }

    @Test
    void theIdOfTheBodyIsThePathsOrRefused() {
        SharedCatalog.Home home = catalog.freshNamespace();
        server.arrow(home.table("t") + "/create", Rows.THREE).ok();
        String ids = "{\"id\":[\"" + home.namespace() + "\",\"%s\"]}";
        server.post(home.table("t") + "/describe", ids.formatted("t")).ok();
        for (String operation : List.of("describe", "exists", "drop", "count_rows", "declare")) {
            refused(server.post(home.table("t") + "/" + operation, ids.formatted("other")), 400, 13);
        }
        refused(server.post("/v1/namespace/" + home.namespace() + "/drop", "{\"id\":[\"other\"]}"), 400, 13);
        server.post(home.table("t") + "/exists", "{\"id\":[]}").ok();
    }

    @Test
    void aRequestsOwnDelimiterIsHonouredAndTheStoredOneStaysForbiddenInNames() {
        SharedCatalog.Home home = catalog.freshNamespace();
        String dotted = "/v1/table/" + home.namespace() + ".t";
        server.arrow(dotted + "/create?delimiter=.", Rows.THREE).ok();
        server.post(home.table("t") + "/exists").ok();
        server.post("/v1/table/" + home.namespace() + "::t/exists?delimiter=::").ok();
        refused(server.post(home.table("t") + "/exists?delimiter=."), 400, 13);
        refused(server.post("/v1/namespace/" + home.namespace() + ".a$b/create?delimiter=.", "{}"), 400, 13);
        refused(server.post(dotted + "/exists?delimiter="), 400, 13);
        server.get("/v1/namespace/./list?delimiter=.").ok();
        server.get("/v1/namespace/list?delimiter=.").ok();
    }

    @Test
    void shapeIsCheckedBeforeTheParentAndTheParentBeforeAConflict() {
        SharedCatalog.Home home = catalog.freshNamespace();
        String absent = id(catalog.freshName("space"), "x");
        refused(server.post("/v1/namespace/" + absent + "/create", "{\"mode\":\"bogus\"}"), 400, 13);
        refused(server.arrow("/v1/table/" + absent + "/create?mode=bogus", Rows.THREE), 400, 13);
        refused(server.post("/v1/namespace/" + absent + "/create", "{}"), 404, 1);
        refused(server.arrow("/v1/table/" + absent + "/create", new byte[0]), 404, 1);
        server.post(home.table("t") + "/declare").ok();
        refused(server.arrow(home.table("t") + "/create", new byte[0]), 409, 5);
        refused(server.post("/v1/warehouses", "{\"id\":\"Bad\",\"project\":\"absent\"}"), 400, 13);
        refused(server.post("/v1/warehouses", "{\"id\":\"" + home.warehouse() + "\",\"project\":\"absent\"}"), 404, 4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timed out",
                "connection refused",
                "commit conflict",
                "already exists",
                "not found",
                "permission denied",
                "server error",
                "dataset already exists",
                "too many concurrent writers",
                "slow down"
            })
    void noWordInTheCallersOwnNamesChangesTheCode(String words) {
        SharedCatalog.Home home = catalog.freshNamespace();
        String table = home.table(words);
        refused(server.post(table + "/describe"), 404, 4);
        server.arrow(table + "/create", Rows.THREE).ok();
        refused(server.arrow(table + "/create", Rows.THREE), 409, 5);
        refused(server.post(table + "/describe", "{\"version\":9}"), 404, 11);
        refused(server.post(table + "/describe", "{\"tag\":\"" + words + "\"}"), 404, 8);
        refused(server.post(table + "/count_rows", "{\"predicate\":\"\\\"" + words + "\\\" = 1\"}"), 404, 12);
        refused(server.post(table + "/delete", "{\"predicate\":\"\\\"" + words + "\\\" = 1\"}"), 404, 12);
        refused(server.post(table + "/update", "{\"updates\":[[\"id\",\"\\\"" + words + "\\\"\"]]}"), 404, 12);
        refused(server.post(table + "/update", "{\"updates\":[[\"id\",\"cast('" + words + "' as int)\"]]}"), 400, 13);
        refused(
                server.post(table + "/query", "{\"k\":1,\"vector\":{},\"filter\":\"\\\"" + words + "\\\" = 1\"}"),
                404,
                12);
        refused(server.post("/v1/namespace/" + id(home.namespace(), words, "x") + "/describe"), 404, 1);
    }

    @Test
    void aRefusalCarriesTheRequestIdInHeaderAndBody() throws IOException {
        RawHttp.Answer answer = raw.post(
                "/v1/table/" + id(catalog.freshName("space"), "t") + "/describe", "{}", "X-Request-ID: mine-1");
        assertThat(answer.header("x-request-id")).isEqualTo("mine-1");
        assertThat(answer.json().path("request_id").asString()).isEqualTo("mine-1");
        assertThat(answer.json().path("error_code").asString()).isEqualTo("table_not_found");
        assertThat(answer.json().at("/resource/kind").asString()).isEqualTo("table");
        assertThat(answer.json().at("/resource/name").asString()).isEqualTo("t");
    }

    @Test
    void aRefusalSaysWhatIsInTheWay() {
        SharedCatalog.Home home = catalog.freshNamespace();
        server.post(home.table("t") + "/declare").ok();
        Answer busy = refused(server.post("/v1/namespace/" + home.namespace() + "/drop"), 409, 3);
        assertThat(reason(busy)).contains("not empty").contains("t").doesNotContain("not found");
        server.post("/v1/warehouses/" + home.warehouse() + "/deactivate").ok();
        Answer off = refused(server.post(home.table("t") + "/describe"), 403, 15);
        assertThat(reason(off)).contains("deactivated").contains(home.warehouse());
    }
}
