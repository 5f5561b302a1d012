package io.rask.webtest;

import static io.rask.webtest.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.webtest.RawHttp.Answer;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(
        classes = EchoApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"lance.limits.json-body=64KB", "lance.limits.arrow-body=1MB"})
class FailureHttpTest {
    private RawHttp http;

    @BeforeEach
    void open(@LocalServerPort int port) {
        http = new RawHttp(port);
    }

    @Test
    void guardsRefuseInTheOrderOfTheirSteps() throws IOException {
        String[] all = {"x-conflict: 1", "x-deny: 1", "x-orphan: 1"};
        assertProblem(http.post("/v1/table/t/create", "", all), 400, 13);
        assertProblem(http.post("/v1/table/a$t/create", "", all), 404, 1);
        assertProblem(http.post("/v1/table/a$t/create", "", all[0], all[1]), 403, 15);
        assertProblem(http.post("/v1/table/a$t/create", "", all[0]), 409, 5);
    }

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
