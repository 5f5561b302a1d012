package io.rask.webtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.webtest.RawHttp.Answer;
import java.util.List;

/** What holds for every error answer. */
final class ProblemAssert {
    private ProblemAssert() {}

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
}
