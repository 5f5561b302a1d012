package io.rask.catalog.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RawIdTest {
    private static final Delimiter DOLLAR = Delimiter.STORED;

    private static ObjectId read(String raw) {
        return new RawId(raw).resolve(DOLLAR, false, null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ns1%24n%20s%2F2", "ns1$n%20s/2", "ns1$n%20s%2f2", "ns1%24n%20s%2F2"})
    void everyClientFamilySpellsTheSameId(String raw) {
        assertThat(read(raw)).isEqualTo(ObjectId.of("ns1", "n s/2"));
    }

    @ParameterizedTest
    @CsvSource({"a%3Bb,a;b", "a;b,a;b", "a%5Cb,a\\b", "a%25b,a%b", "a%2Bb,a+b", "%C3%A9,é", "a:b,a:b", "a%2Cb,'a,b'"})
    void oddCharactersAreKept(String raw, String name) {
        assertThat(read(raw)).isEqualTo(ObjectId.of(name));
    }

    @Test
    void theDelimiterAloneIsTheRoot() {
        assertThat(read("$")).isEqualTo(ObjectId.ROOT);
        assertThat(read("%24")).isEqualTo(ObjectId.ROOT);
        assertThat(new RawId(".").resolve(new Delimiter("."), true, List.of())).isEqualTo(ObjectId.ROOT);
    }

    @Test
    void aRequestsOwnDelimiterIsHonoured() {
        assertThat(new RawId("a.b").resolve(new Delimiter("."), true, null)).isEqualTo(ObjectId.of("a", "b"));
        assertThat(new RawId("a%1Fb").resolve(new Delimiter("\u001f"), true, null))
                .isEqualTo(ObjectId.of("a", "b"));
        assertThat(new RawId("a::b:c").resolve(new Delimiter("::"), true, null)).isEqualTo(ObjectId.of("a", "b:c"));
    }

    @Test
    void aSegmentWithTheStoredDelimiterIsRefused() {
        assertInvalid(() -> new RawId("a$b.c").resolve(new Delimiter("."), true, null));
        assertInvalid(() -> new RawId("a%24b").resolve(new Delimiter("."), true, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a$",
                "$a",
                "a$$b",
                "$$",
                ".",
                "..",
                "%2E%2E",
                "a$..",
                "a$%2e",
                "a%00b",
                "a%0Ab",
                "a%7Fb",
                "%",
                "a%2",
                "a%zz",
                "%FF",
                "%C3",
                "%ED%A0%80",
                "a%C2%85b"
            })
    void badIdsAreInvalidInput(String raw) {
        assertInvalid(() -> read(raw));
    }

    @Test
    void aPlusIsAPlusUnlessTheRequestNamesItsDelimiter() {
        RawId raw = new RawId("ns1%24n+s%2F2");
        assertThat(raw.resolve(DOLLAR, false, null)).isEqualTo(ObjectId.of("ns1", "n+s/2"));
        assertThat(raw.resolve(DOLLAR, true, null)).isEqualTo(ObjectId.of("ns1", "n s/2"));
    }

    @Test
    void theBodyDecidesWhatAPlusMeans() {
        RawId raw = new RawId("a+b");
        for (boolean given : new boolean[] {true, false}) {
            assertThat(raw.resolve(DOLLAR, given, List.of("a b"))).isEqualTo(ObjectId.of("a b"));
            assertThat(raw.resolve(DOLLAR, given, List.of("a+b"))).isEqualTo(ObjectId.of("a+b"));
            assertInvalid(() -> raw.resolve(DOLLAR, given, List.of("a-b")));
        }
    }

    @Test
    void anEmptyBodyIdDefersToThePath() {
        assertThat(new RawId("a$b").resolve(DOLLAR, true, List.of())).isEqualTo(ObjectId.of("a", "b"));
        assertThat(new RawId("a$b").resolve(DOLLAR, true, null)).isEqualTo(ObjectId.of("a", "b"));
        assertThat(new RawId("a$b").resolve(DOLLAR, true, List.of("a", "b"))).isEqualTo(ObjectId.of("a", "b"));
    }

    @Test
    void aDifferentBodyIdIsInvalidInput() {
        assertInvalid(() -> new RawId("a$b").resolve(DOLLAR, true, List.of("a", "c")));
        assertInvalid(() -> new RawId("a$b").resolve(DOLLAR, true, Arrays.asList("a", null)));
        assertInvalid(() -> new RawId("$").resolve(DOLLAR, true, List.of("a")));
    }

    private static void assertInvalid(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CatalogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_INPUT));
    }
}
