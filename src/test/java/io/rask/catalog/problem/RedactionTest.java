package io.rask.catalog.problem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Not found: /var/lib/lance/t.lance/_versions/1.manifest, try again | Not found: <path>, try again",
                "open '/data/a b' failed | open '<path> b' failed",
                "open \"C:\\data\\t.lance\" failed | open \"<path>\" failed",
                "cannot read s3://key:secret@host/bucket/t?token=abc now | cannot read <address> now",
                "GET http://127.0.0.1:9000/bucket/x: refused | GET <address> refused",
                "file:///tmp/x/y.lance is gone | <address> is gone",
                "LanceError(IO): broken, /opt/cargo/registry/src/lance-7/src/io.rs:12:3 | LanceError(IO): broken",
                "broken at rust/lance/src/dataset.rs:540:27 | broken",
                "Execution error, location: Location { file: \"/build/x.rs\", line: 3 } | Execution error, location: Location { file: \"<path>\", line: 3 }",
                "aws_secret_access_key=abc/def+x== rejected | aws_secret_access_key=<secret> rejected",
                "password: hunter2 | password=<secret>",
                "Authorization: Bearer eyJh.bGci.x_y | Authorization: Bearer <secret>",
            })
    void whatIsInternalIsTakenOut(String text, String expected) {
        assertThat(Redaction.redact(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "No field named price. Valid fields are id, name, a/b.",
                "Expected dimension 8 but got 4",
                "The ratio is 1/2 and the key column is id",
                "Column 'x' has type Utf8; 3 of 4 rows failed"
            })
    void whatHelpsTheClientIsKept(String text) {
        assertThat(Redaction.redact(text)).isEqualTo(text);
    }

    @Test
    void aLongTextIsCutAndHostileTextIsDoneInTime() {
        assertThat(Redaction.redact("x ".repeat(5_000))).hasSize(1001);
        assertThat(Redaction.redact("/".repeat(100_000) + "a".repeat(100_000) + ":".repeat(100_000)))
                .hasSizeLessThan(1002);
        assertThat(Redaction.redact("a.".repeat(100_000))).hasSizeLessThan(1002);
        assertThat(Redaction.redact("secret_".repeat(50_000))).hasSizeLessThan(1002);
    }
}
