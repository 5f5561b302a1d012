package io.rask.catalog.lance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LanceError(IO): Object at location '/srv/lake/00_t/data/x.lance' is broken, /src/io/reader.rs:317:51",
                "External error: cannot open \"s3://key:secret@lake/t?token=abc\", library/core/src/result.rs:12:3",
                "Invalid user input: bad value in `/srv/lake/00_t`"
            })
    void pathsAddressesAndSourceLocationsAreTakenOutAlsoInsideQuotes(String text) {
        assertThat(NativeText.reason(new IllegalStateException(text)))
                .isNotBlank()
                .doesNotContain("/srv")
                .doesNotContain("s3://")
                .doesNotContain("secret")
                .doesNotContain(".rs")
                .doesNotContain("LanceError")
                .doesNotContain("Invalid user input");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", ".", "/", "a/", "LanceError(IO): ", "'/"})
    @Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aTextThatRepeatsAClientsLongInputIsCutBeforeItIsSearched(String part) {
        assertThat(NativeText.reason(new IllegalStateException("No field named " + part.repeat(400_000))))
                .hasSizeLessThan(400);
    }

    @Test
    void theReasonOfTheEngineIsKept() {
        assertThat(
                        NativeText.reason(
                                new IllegalArgumentException(
                                        "LanceError(IO): Invalid user input: Schema error: No field named nope. Valid fields are id, name.")))
                .isEqualTo("No field named nope. Valid fields are id, name");
    }
}
