package io.rask.webtest;

import static io.rask.webtest.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.webtest.RawHttp.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(
        classes = EchoApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"lance.limits.json-body=64KB", "lance.limits.arrow-body=1MB"})
class AddressHttpTest {
    private RawHttp http;

    @BeforeEach
    void open(@LocalServerPort int port) {
        http = new RawHttp(port);
    }

    private static List<String> id(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().get("id").valueStream().map(n -> n.stringValue()).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "ns1%24n%20s%2F2/describe, 'ns1|n s/2'",
        "ns1$n%20s/2/describe/, 'ns1|n s/2'",
        "ns;x$t/describe, ns;x|t",
        "ns%3Bx$t/describe, ns;x|t",
        "a%5Cb$t/describe, a\\b|t",
        "a$t:1/describe, a|t:1",
        "a$[b]/describe, a|[b]",
        "a$b^c/describe, a|b^c",
        "%C3%A9$t/describe, é|t",
        "a$b%25c/describe, a|b%c",
        "a+b$t/describe, a+b|t",
        "a+b$t/describe?delimiter=%24, a b|t",
        "a.t/describe?delimiter=., a|t",
    })
    void theHandlerSeesTheIdTheClientMeant(String target, String expected) throws IOException {
        assertThat(id(http.post("/v1/table/" + target, ""))).isEqualTo(List.of(expected.split("\\|", -1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                "%2E%2E",
                "a$..",
                "a$%2e%2e",
                "a$$b",
                "$",
                "a$",
                "a%00b",
                "%FF",
                "a%C3",
                "a%0ab",
                "a%zz",
                "a%",
                "a%7f",
                "é",
                "a b"
            })
    void badIdsAreRefusedWithCode13(String id) throws IOException {
        assertProblem(http.post("/v1/table/" + id + "/describe", ""), 400, 13);
    }

    @Test
    void anEmptyIdIsRefusedWithCode13() throws IOException {
        assertProblem(http.post("/v1/table//describe", ""), 400, 13);
    }

    @Test
    void aPathAboveTheRootIsRefusedWithCode13() throws IOException {
        assertProblem(http.post("/../../etc/passwd", ""), 400, 13);
    }

    @Test
    void aStoredDelimiterInASegmentIsRefused() throws IOException {
        assertProblem(http.post("/v1/table/a.b%24c/describe?delimiter=.", ""), 400, 13);
        assertProblem(http.post("/v1/table/a.b/describe?delimiter=", ""), 400, 13);
        assertProblem(http.post("/v1/table/a.b/describe?delimiter=%zz", ""), 400, 13);
    }

    @Test
    void theRootListIsServedWhereTheDelimiterIsADot() throws IOException {
        assertThat(id(http.get("/v1/namespace/list?delimiter=."))).isEmpty();
        assertThat(id(http.get("/v1/namespace/./list?delimiter=."))).isEmpty();
        assertThat(id(http.get("/v1/namespace/$/list"))).isEmpty();
        assertThat(id(http.get("/v1/namespace/%24/list/"))).isEmpty();
        assertProblem(http.get("/v1/namespace/./list"), 400, 13);
        assertProblem(http.get("/v1/namespace/list"), 400, 13);
    }

    @Test
    void namesOf300CharactersCannotBeMade() throws IOException {
        String name = "n".repeat(300);
        assertProblem(http.post("/v1/table/ns$" + name + "/create", "x"), 400, 13);
        assertProblem(http.post("/v1/namespace/" + name + "/create", ""), 400, 13);
        assertProblem(http.post("/v1/warehouses/wh1/namespaces", "{\"namespace\":\"" + name + "\"}"), 400, 13);
        assertThat(id(http.post("/v1/table/ns$" + name + "/describe", ""))).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a$b*", "a$%3F", "a$%20b", "a$b%20", "t", "a$b$c$d$e$f$g$h$i"})
    void namesThatBreakTheRulesCannotBeMade(String id) throws IOException {
        assertProblem(http.post("/v1/table/" + id + "/create", "x"), 400, 13);
    }

    @Test
    void aPathVariableKeepsItsSemicolonAndSlash() throws IOException {
        Answer answer = http.post("/v1/table/a$t/index/my;idx%2F1/stats/", "");
        assertThat(id(answer)).containsExactly("a", "t");
        assertThat(answer.json().get("index").stringValue()).isEqualTo("my;idx/1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                " \n",
                "{\"id\":[]}",
                "{\"id\":null}",
                "{\"id\":[\"a\",\"t\"]}",
                "{\"id\":[\"a\",\"t\"],\"context\":{},\"identity\":null,\"unheard_of\":[1]}"
            })
    void theBodysIdAgreesOrDefersToThePath(String body) throws IOException {
        assertThat(id(http.post("/v1/table/a$t/describe", body))).containsExactly("a", "t");
        assertThat(id(http.post("/v1/table/a$t/drop/", body))).containsExactly("a", "t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"id\":[\"a\",\"u\"]}", "{\"id\":[\"a\"]}", "{\"id\":[null]}", "{\"id\":[\"a$t\"]}"})
    void aDifferentIdInTheBodyIsCode13(String body) throws IOException {
        assertProblem(http.post("/v1/table/a$t/describe", body), 400, 13);
        assertProblem(http.post("/v1/table/a$t/drop", body), 400, 13);
    }

    @Test
    void theBodysIdDecidesWhatAPlusMeans() throws IOException {
        assertThat(id(http.post("/v1/table/a$n+s/drop?delimiter=%24", "{\"id\":[\"a\",\"n+s\"]}")))
                .containsExactly("a", "n+s");
        assertThat(id(http.post("/v1/table/a$n+s/drop", "{\"id\":[\"a\",\"n s\"]}")))
                .containsExactly("a", "n s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/v1",
                "/v1/nothing",
                "/v1/table/a$t/no_such_operation",
                "/v1/table/a$t/tags/delete",
                "/error",
                "/management/v1/table/a$t/describe",
                "/favicon.ico",
                "/v1/table/a$t"
            })
    void anUnknownRouteIs404WithCode0(String target) throws IOException {
        assertProblem(http.post(target, "{}"), 404, 0);
        assertProblem(http.get(target), 404, 0);
    }

    @Test
    void aWrongMethodIs405WithAllow() throws IOException {
        Answer answer = http.get("/v1/table/a$t/describe");
        assertProblem(answer, 405, 0);
        assertThat(answer.header("allow")).isEqualTo("POST");
        assertProblem(http.send("PUT", "/v1/table/a$t/describe", new byte[0]), 405, 0);
        assertProblem(http.send("BREW", "/v1/table/a$t/describe", new byte[0]), 405, 0);
        assertProblem(http.send("TRACE", "/v1/table/a$t/describe", new byte[0]), 405, 0);
    }

    @Test
    void requestsThatAreNotHttpAreProblems() throws IOException {
        assertProblem(http.raw("POST /v1/table/a b/describe HTTP/1.1\r\nHost: x\r\n\r\n", new byte[0]), 400, 13);
        assertProblem(http.raw("POST /v1/table/<x>/describe HTTP/1.1\r\nHost: x\r\n\r\n", new byte[0]), 400, 13);
        assertProblem(http.raw("POST /v1/table/t/describe HTTP/1.1\r\n\r\n", new byte[0]), 400, 13);
    }

    @Test
    void parametersThatDoNotFitAreCode13() throws IOException {
        assertProblem(http.get("/v1/table"), 400, 13);
        assertProblem(http.get("/v1/table?required=x"), 400, 13);
        assertProblem(http.get("/v1/namespace/a/list?limit=x"), 400, 13);
        assertProblem(http.get("/v1/namespace/a/list?limit=0"), 400, 13);
        assertProblem(http.get("/v1/namespace/a/list?limit=1&limit=2"), 400, 13);
        assertProblem(http.get("/v1/namespace/a/list?x=%FF"), 400, 13);
    }

    @Test
    void queriesAreReadIntoTheRoutesRecord() throws IOException {
        Answer answer = http.get("/v1/namespace/a/list?limit=7&on=x&on=y%20z&unknown=1&page_token=");
        assertThat(answer.json().get("limit").stringValue()).isEqualTo("7");
        assertThat(answer.json().get("on").toString()).isEqualTo("[\"x\",\"y z\"]");
        assertThat(http.get("/v1/namespace/a/list?limit=&on=x").json().toString())
                .contains("\"limit\":\"null\"", "[\"x\"]");
        assertThat(http.get("/v1/namespace/a/list?a={\"b\":\"c\"}").status()).isEqualTo(200);
    }

    @Test
    void aTrailingSlashIsAcceptedAndTellsTheDialect() throws IOException {
        assertThat(http.post("/v1/table/a$t/describe/", "")
                        .json()
                        .get("lance_db_dialect")
                        .booleanValue())
                .isTrue();
        assertThat(http.post("/v1/table/a$t/describe", "")
                        .json()
                        .get("lance_db_dialect")
                        .booleanValue())
                .isFalse();
        assertThat(http.get("/v1/table/?required=1")
                        .json()
                        .get("lance_db_dialect")
                        .booleanValue())
                .isTrue();
        assertThat(http.get("/v1/namespace/a/list/")
                        .json()
                        .get("lance_db_dialect")
                        .booleanValue())
                .isFalse();
    }

    @Test
    void aliasesReachTheSameHandlers() throws IOException {
        assertThat(http.send("DELETE", "/management/v1/warehouses/wh-1", new byte[0])
                        .text())
                .isEqualTo(
                        http.send("DELETE", "/v1/warehouses/wh-1/", new byte[0]).text())
                .contains("wh-1");
    }

    @Test
    void containersAreNamedByPathOrBody() throws IOException {
        Answer made = http.post("/v1/warehouses", "{\"id\":\"wh1\",\"project\":\"acme\"}");
        assertThat(made.json().get("id").stringValue()).isEqualTo("wh1");
        assertThat(made.json().get("project").stringValue()).isEqualTo("acme");
        Answer bound = http.post("/v1/warehouses/wh1/namespaces", "{\"namespace\":\"team/search\"}");
        assertThat(id(bound)).containsExactly("team/search");
        assertThat(bound.json().get("warehouse").stringValue()).isEqualTo("wh1");
    }

    @Test
    void badContainerNamesAreCode13() throws IOException {
        assertProblem(http.post("/v1/warehouses", "{\"project\":\"acme\"}"), 400, 13);
        assertProblem(http.post("/v1/warehouses", "{\"id\":\"wh1\"}"), 400, 13);
        assertProblem(http.post("/v1/warehouses", "{\"id\":\"wh1\\n\",\"project\":\"acme\"}"), 400, 13);
        assertProblem(http.post("/v1/warehouses/wh1/namespaces", "{}"), 400, 13);
        assertProblem(http.post("/v1/warehouses/wh1/namespaces", "{\"namespace\":\"a$b\"}"), 400, 13);
        assertProblem(http.send("DELETE", "/v1/warehouses/WH1", new byte[0]), 400, 13);
        assertProblem(http.send("DELETE", "/v1/warehouses/wh1;x", new byte[0]), 400, 13);
        assertProblem(http.send("DELETE", "/v1/warehouses/wh1%2F..", new byte[0]), 400, 13);
    }
}
