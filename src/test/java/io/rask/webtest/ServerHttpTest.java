package io.rask.webtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.webtest.RawHttp.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(
        classes = EchoApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "server.tomcat.connection-timeout=500ms")
class ServerHttpTest {
    private int port;
    private RawHttp http;

    @BeforeEach
    void open(@LocalServerPort int port) {
        this.port = port;
        http = new RawHttp(port);
    }

    @Test
    void healthIsServedToAnyone() throws IOException {
        for (String path : new String[] {"/livez", "/readyz"}) {
            Answer answer = http.get(path);
            assertThat(answer.status()).as(path).isEqualTo(200);
            assertThat(answer.json().get("status").stringValue()).isEqualTo("UP");
        }
    }

    @Test
    void onlyHealthAndMetricsAreServedBesideTheApi() throws IOException {
        assertThat(http.get("/actuator/health").status()).isEqualTo(200);
        for (String path :
                new String[] {"/actuator/env", "/actuator/heapdump", "/actuator/beans", "/actuator/shutdown"}) {
            ProblemAssert.assertProblem(http.get(path), 404, 0);
        }
    }

    @Test
    void aBodyThatStallsIs408() throws IOException {
        String head = "POST /v1/table/a$t/%s HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{";
        for (String operation : new String[] {"describe", "create"}) {
            Answer answer = http.raw(head.formatted(operation), new byte[0]);
            ProblemAssert.assertProblem(answer, 408, 13);
            assertThat(answer.header("connection")).isEqualTo("close");
        }
    }

    @Test
    void onlyARequestThatPassedItsDoorIsToldToSendItsBody() throws IOException {
        String head = "POST /v1/table/%s/create HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\n"
                + "Content-Length: 1000\r\n\r\n";
        assertThat(exchange(head.formatted("t"))).startsWith("HTTP/1.1 400");
        assertThat(exchange(head.formatted("a$t") + "x".repeat(1000)))
                .startsWith("HTTP/1.1 100")
                .contains("HTTP/1.1 200");
    }

    @Test
    void oneConnectionServesRequestsAfterARefusal() throws IOException {
        String refused = "POST /v1/table/a$t/exists HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";
        String served =
                "POST /v1/table/a$t/describe HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
        assertThat(exchange(refused + served))
                .contains("HTTP/1.1 404", "\"code\":4", "HTTP/1.1 200", "\"id\":[\"a\",\"t\"]");
    }

    private String exchange(String requests) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
