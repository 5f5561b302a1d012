package io.rask.webtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.webtest.RawHttp.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
class DoorHttpTest {
    private RawHttp http;

    @BeforeEach
    void open(@LocalServerPort int port) {
        http = new RawHttp(port);
    }

    private static List<String> id(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().get("id").valueStream().map(n -> n.stringValue()).toList();
    }

    static void assertProblem(Answer answer, int status, int code) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.header("content-type")).startsWith("application/problem+json");
        assertThat(answer.complete()).isTrue();
        assertThat(answer.code()).as(answer.text()).isEqualTo(code);
        assertThat(answer.json().get("status").intValue()).isEqualTo(status);
        assertThat(answer.json().get("error").stringValue()).isNotBlank();
        assertThat(answer.json().get("request_id").stringValue()).isEqualTo(answer.header("x-request-id"));
        for (String member : List.of("type", "title", "detail", "error_code")) {
            assertThat(answer.json().get(member).stringValue()).as(member).isNotBlank();
        }
    }

    // Ids in paths

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

    // Ids in bodies

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

    // JSON

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"mode\":}",
                "[]",
                "[{}]",
                "\"x\"",
                "1",
                "true",
                "{} {}",
                "{}x",
                "nul",
                "{\"id\":\"a\"}",
                "{\"id\":[1]}",
                "{\"batch_size\":\"5\"}",
                "{\"batch_size\":1.5}",
                "{\"batch_size\":true}",
                "{\"batch_size\":0}",
                "{\"batch_size\":99999999999999999999}",
                "{\"mode\":1}",
                "{\"mode\":\"Replace\"}",
                "{\"mode\":\"\"}",
                "{\"predicate\":5}",
                "{\"predicate\":{}}",
                "{\"updates\":[[\"a\",1]]}",
                "{\"updates\":{}}",
                "{\"predicate\":\"a\",\"predicate\":\"b\"}",
                "{'mode':'create'}",
                "{\"mode\":\"cre\\uZZZZ\"}",
                "\u0000"
            })
    void jsonThatDoesNotFitIsCode13(String body) throws IOException {
        assertProblem(http.post("/v1/table/a$t/describe", body), 400, 13);
    }

    @Test
    void bytesThatAreNotUtf8AreCode13() throws IOException {
        byte[] body = {'{', '"', 'p', 'r', 'e', 'd', 'i', 'c', 'a', 't', 'e', '"', ':', '"', (byte) 0xff, '"', '}'};
        assertProblem(http.send("POST", "/v1/table/a$t/describe", body), 400, 13);
    }

    @Test
    void theFieldThatDoesNotFitIsNamed() throws IOException {
        assertThat(fields("{\"updates\":[[\"a\",\"b\"],[\"c\",1]]}")).containsExactly("updates[1][1]");
        assertThat(fields("{\"batch_size\":0}")).containsExactly("batch_size");
        assertThat(fields("{\"mode\":\"Replace\"}")).containsExactly("mode");
    }

    private List<String> fields(String body) throws IOException {
        Answer answer = http.post("/v1/table/a$t/describe", body);
        assertProblem(answer, 400, 13);
        return answer.json()
                .get("errors")
                .valueStream()
                .map(e -> e.get("field").stringValue())
                .toList();
    }

    @Test
    void deepNestingAndLongNumbersAreCode13() throws IOException {
        assertProblem(http.post("/v1/table/a$t/describe", "[".repeat(20_000)), 400, 13);
        assertProblem(http.post("/v1/table/a$t/describe", "{\"a\":".repeat(5_000)), 400, 13);
        assertProblem(http.post("/v1/table/a$t/describe", "{\"batch_size\":" + "9".repeat(5_000) + "}"), 400, 13);
        assertProblem(http.post("/v1/table/a$t/describe", "{\"batch_size\":1e999999999}"), 400, 13);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ExistOk", "exist_ok", "EXIST_OK", "existok", "\\\"ExistOk\\\""})
    void modesAreReadInEverySpelling(String mode) throws IOException {
        Answer answer = http.post("/v1/table/a$t/describe", "{\"mode\":\"" + mode + "\"}");
        assertThat(answer.json().get("mode").stringValue()).isEqualTo("EXIST_OK");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/plain",
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Type: nonsense",
                "Content-Type: multipart/form-data; boundary=x",
                "Accept: text/html",
                "Accept: nonsense",
                "Accept: image/png",
                "Content-Type: application/vnd.apache.arrow.stream"
            })
    void contentTypeAndAcceptDecideNothing(String header) throws IOException {
        Answer answer = http.post("/v1/table/a$t/describe", "{\"id\":[\"a\",\"t\"],\"mode\":\"create\"}", header);
        assertThat(id(answer)).containsExactly("a", "t");
        assertThat(answer.json().get("mode").stringValue()).isEqualTo("CREATE");
        assertThat(answer.header("content-type")).startsWith("application/json");
    }

    // Size

    @Test
    void aJsonBodyOverTheLimitIs413() throws IOException {
        String body = "{\"predicate\":\"" + "x".repeat(65 * 1024) + "\"}";
        Answer announced = http.post("/v1/table/a$t/describe", body);
        assertProblem(announced, 413, 13);
        assertThat(announced.header("connection")).isEqualTo("close");
        assertProblem(chunked("/v1/table/a$t/describe", body.getBytes(StandardCharsets.UTF_8)), 413, 13);
    }

    @Test
    void anArrowBodyOverTheLimitIs413() throws IOException {
        assertProblem(http.send("POST", "/v1/table/a$t/create", new byte[(1 << 20) + 1]), 413, 13);
        assertProblem(chunked("/v1/table/a$t/create", new byte[(1 << 20) + 1]), 413, 13);
        assertThat(http.send(
                                "POST",
                                "/v1/table/a$t/create",
                                new byte[1 << 20],
                                "Content-Type: application/x-www-form-urlencoded")
                        .json()
                        .get("bytes")
                        .intValue())
                .isEqualTo(1 << 20);
    }

    @Test
    void aBrokenChunkIsCode13() throws IOException {
        String head = "POST /v1/table/a$t/create HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertProblem(http.raw(head + "zz\r\nabc\r\n", new byte[0]), 400, 13);
    }

    @Test
    void aHeaderThatIsTooLargeIsAProblem() throws IOException {
        assertProblem(http.get("/v1/namespace/a/list", "X-Big: " + "x".repeat(70_000)), 400, 13);
    }

    private Answer chunked(String target, byte[] body) throws IOException {
        String head =
                "POST " + target + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                        + Integer.toHexString(body.length) + "\r\n";
        byte[] end = "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] all = java.util.Arrays.copyOf(body, body.length + end.length);
        System.arraycopy(end, 0, all, body.length, end.length);
        return http.raw(head, all);
    }

    // Routes

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

    // Containers

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

    // Order and denial

    @Test
    void shapeComesBeforeAuthorization() throws IOException {
        assertProblem(http.post("/v1/table/a$t/describe", "{\"mode\":\"x\"}", "x-deny: 1"), 400, 13);
        assertProblem(http.get("/v1/namespace/a/list?limit=0", "x-deny: 1"), 400, 13);
        assertProblem(http.post("/v1/table/t/create", "", "x-deny: 1"), 400, 13);
        assertProblem(http.post("/v1/table/a$t/describe", "", "x-deny: 1"), 403, 15);
    }

    @Test
    void aDenialAtADestructiveDoorLooksLikeAbsence() throws IOException {
        Answer denied = http.post("/v1/table/a$t/drop", "", "x-deny: 1");
        Answer absent = http.post("/v1/table/a$t/exists", "");
        assertProblem(denied, 404, 4);
        assertProblem(absent, 404, 4);
        assertThat(denied.json().get("error")).isEqualTo(absent.json().get("error"));
        assertThat(absent.json().get("resource").toString())
                .isEqualTo("{\"kind\":\"table\",\"name\":\"t\",\"namespace_path\":[\"a\"]}");
        assertProblem(http.send("DELETE", "/v1/warehouses/wh1", new byte[0], "x-deny: 1"), 404, 4);
    }

    // Context

    @Test
    void theBodysContextStandsInForHeadersButNeverAuthenticates() throws IOException {
        String body = "{\"context\":{\"header.x-trace\":\"body\",\"header.x-api-key\":\"stolen\",\"x\":null}}";
        Answer answer = http.post("/v1/table/a$t/describe", body);
        assertThat(answer.json().get("trace").stringValue()).isEqualTo("body");
        assertThat(answer.json().get("key").stringValue()).isEqualTo("-");
        assertThat(http.post("/v1/table/a$t/describe", body, "X-Trace: header")
                        .json()
                        .get("trace")
                        .stringValue())
                .isEqualTo("header");
        assertThat(answer.json().get("principal").stringValue()).isEqualTo("anonymous");
    }

    // Failures

    @Test
    void anUnexpectedFailureIsCode18AndSaysNothingInternal() throws IOException {
        Answer answer = http.post("/v1/table/a$t/stats", "", "X-Request-ID: abc-1");
        assertProblem(answer, 500, 18);
        assertThat(answer.header("x-request-id")).isEqualTo("abc-1");
        assertThat(answer.text()).doesNotContain("lance at", "/var", "io.rs", "Exception");
    }

    @Test
    void anOutageCarriesRetryAfterAndNoAddress() throws IOException {
        Answer answer = http.post("/v1/table/a$t/restore", "");
        assertProblem(answer, 503, 17);
        assertThat(answer.header("retry-after")).isEqualTo("2");
        assertThat(answer.text()).doesNotContain("secret", "s3:");
    }

    @Test
    void unsupportedIs501() throws IOException {
        assertProblem(http.post("/v1/table/a$t/rename", ""), 501, 0);
    }

    @Test
    void anAnswerThatFailsHalfWayIsBrokenOff() throws IOException {
        Answer answer = http.post("/v1/table/a$t/query", "");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.complete()).isFalse();
        assertThat(answer.text()).doesNotContain("code");
    }

    @Test
    void anAnswerThatFailsBeforeItsFirstByteIsAProblem() throws IOException {
        assertProblem(http.post("/v1/table/a$t/count_rows", ""), 400, 13);
    }

    @Test
    void theInstanceIsTheAddressAsSent() throws IOException {
        Answer answer = http.post("/v1/table/a$x;y/2/exists/?delimiter=%24", "");
        assertThat(answer.json().get("instance").stringValue()).isEqualTo("/v1/table/a$x;y/2/exists/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "é"})
    void anUnfitRequestIdIsReplaced(String sent) throws IOException {
        String echoed =
                http.post("/v1/table/a$t/describe", "", "X-Request-ID: " + sent).header("x-request-id");
        assertThat(echoed).hasSize(36).isNotEqualTo(sent);
        assertThat(http.get("/nowhere", "X-Request-ID: " + "x".repeat(129)).header("x-request-id"))
                .hasSize(36);
        assertThat(http.get("/nowhere", "X-Request-ID: " + "x".repeat(128)).header("x-request-id"))
                .hasSize(128);
    }
}
