package io.rask.catalog.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.conformance.LiveRun.Outcome;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.Register.Operation;
import io.rask.webtest.RawHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation of the register is tried on a running server: it succeeds as it says, and fails by every code it says. */
@ExtendWith(ConformanceCatalog.Provider.class)
class CoverageTest {
    private static final Path DOCUMENT = Path.of("lance_docs", "COVERAGE.md");

    private final LiveRun run;

    CoverageTest(ConformanceCatalog catalog) {
        this.run = catalog.run();
    }

    static Stream<Operation> served() {
        return Register.served();
    }

    static Stream<Operation> open() {
        return Register.operations().stream().filter(operation -> !operation.isServed());
    }

    @ParameterizedTest
    @MethodSource("served")
    void anOperationThatIsServedSucceedsWithItsStatus(Operation operation) {
        RawHttp.Answer answer = run.of(operation).answer();
        assertThat(answer.status()).as(answer.text()).isEqualTo(operation.status());
    }

    @Test
    void noOperationOfTheSpecificationIsOpen() {
        assertThat(open()).isEmpty();
        assertThat(Register.operations()).hasSize(54);
    }

    @ParameterizedTest
    @MethodSource("served")
    void everyCodeAnOperationDeclaresHasARealCause(Operation operation) {
        Outcome outcome = run.of(operation);
        assertThat(outcome.refusals()).containsOnlyKeys(operation.codes());
        outcome.refusals().forEach((code, answer) -> {
            assertThat(answer.status()).as(code + " " + answer.text()).isGreaterThanOrEqualTo(400);
            assertThat(answer.code()).as(answer.text()).isEqualTo(code);
            assertThat(answer.status()).isEqualTo(ErrorCode.ofNumber(code).status());
            assertThat(answer.json().path("error").asString()).isNotBlank();
        });
    }

    @Test
    void theDocumentIsWhatTheRunTells() throws IOException {
        String told = CoverageDocument.of(run, Register.specification());
        if (Boolean.getBoolean("coverage.write")) {
            Files.writeString(DOCUMENT, told);
        }
        assertThat(Files.readString(DOCUMENT)).isEqualTo(told);
    }
}
