package io.rask.webtest;

import static io.rask.webtest.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.webtest.RawHttp.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
class BodyHttpTest {
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
}
