package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import java.util.regex.Pattern;

/** What holds for every refusal of the server. */
final class Refusals {
    /** Paths of files, places in sources, names of classes, and the library's own wrappings. */
    private static final Pattern INTERNAL =
            Pattern.compile("\\.rs:|/tmp/|shared-catalog|LanceError|\\b(org|io|java|tools)\\.[a-z]+\\.|Exception");

    private Refusals() {}

    /** The answer, which must be a problem document with this status and code that tells nothing internal. */
    static Answer refused(Answer answer, int status, int code) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.response().headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
        assertThat(answer.code()).as(answer.text()).isEqualTo(code);
        assertThat(answer.json().path("status").intValue()).isEqualTo(status);
        for (String member : List.of("type", "title", "detail", "error", "error_code", "request_id")) {
            assertThat(answer.json().path(member).asString("")).as(member).isNotBlank();
        }
        assertThat(answer.json().path("error").asString()).doesNotContainPattern(INTERNAL);
        return answer;
    }

    /** The text of a refusal. */
    static String reason(Answer answer) {
        return answer.json().path("error").asString();
    }
}
