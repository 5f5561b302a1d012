package io.rask.catalog.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.Collections;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameRulesTest {

    @ParameterizedTest
    @ValueSource(strings = {"abc", "a-b", "0a9", "a--b"})
    void containerIdsAreLowercaseWordsWithHyphens(String id) {
        assertThat(NameRules.container("project", id)).isEqualTo(id);
        assertThat(NameRules.container("project", "a".repeat(63))).hasSize(63);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "ab", "-ab", "ab-", "Abc", "a_b", "abc\n", "abc\r\n", "a.b", "äbc", "-", "a b c"})
    void otherContainerIdsAreInvalidInput(String id) {
        assertInvalid(() -> NameRules.container("project", id));
    }

    @Test
    void aContainerIdOf64CharactersIsInvalidInput() {
        assertInvalid(() -> NameRules.container("project", "a".repeat(64)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"team/search", "Ünïcödé", "a b", "x;y", "表", "👩‍🔬", "a.b", "...", "%", "a\\b"})
    void anyPrintableTextNamesANamespaceOrTable(String name) {
        assertThatCode(() -> NameRules.newNamespace(ObjectId.of(name))).doesNotThrowAnyException();
        assertThatCode(() -> NameRules.newTable(ObjectId.of("ns", name))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {" a", "a ", "a*", "?", "a\u202eb", "a\u2028b", "\u00a0a", "\ud800", "a\uffff"})
    void textThatWidensOrHidesIsInvalidInput(String name) {
        assertInvalid(() -> NameRules.newNamespace(ObjectId.of(name)));
        assertInvalid(() -> NameRules.newTable(ObjectId.of("ns", name)));
    }

    @Test
    void aSegmentHasAtMost200BytesOfUtf8() {
        assertThatCode(() -> NameRules.newNamespace(ObjectId.of("a".repeat(200))))
                .doesNotThrowAnyException();
        assertInvalid(() -> NameRules.newNamespace(ObjectId.of("a".repeat(201))));
        assertThatCode(() -> NameRules.newNamespace(ObjectId.of("é".repeat(100))))
                .doesNotThrowAnyException();
        assertInvalid(() -> NameRules.newNamespace(ObjectId.of("é".repeat(101))));
    }

    @Test
    void theDeepestNamespaceHasSevenSegments() {
        assertThatCode(() -> NameRules.newNamespace(deep(7))).doesNotThrowAnyException();
        assertInvalid(() -> NameRules.newNamespace(deep(8)));
        assertThatCode(() -> NameRules.newTable(deep(8))).doesNotThrowAnyException();
        assertInvalid(() -> NameRules.newTable(deep(9)));
    }

    @Test
    void aTableNeedsANamespace() {
        assertInvalid(() -> NameRules.newTable(ObjectId.of("t")));
        assertInvalid(() -> NameRules.newTable(ObjectId.ROOT));
        assertInvalid(() -> NameRules.newNamespace(ObjectId.ROOT));
    }

    private static ObjectId deep(int depth) {
        return new ObjectId(Collections.nCopies(depth, "n"));
    }

    private static void assertInvalid(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CatalogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_INPUT));
    }
}
