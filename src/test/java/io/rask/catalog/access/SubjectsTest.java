package io.rask.catalog.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectsTest {
    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            ann, ann
            ann@example.com, ann@example.com
            auth0|5f7c8ec7c33c6c004bbafe82, auth0|5f7c8ec7c33c6c004bbafe82
            *, %2A
            user:*, user%3A%2A
            team:a#member, team%3Aa%23member
            a b, a%20b
            "a\tb", a%09b
            "a
            b", a%0Ab
            a/b, a%2Fb
            50%, 50%25
            é, %C3%A9
            """)
    void whatTheModelGivesAMeaningToIsEscaped(String told, String subject) {
        assertThat(Subjects.of("", told)).isEqualTo(subject);
        assertThat(Subjects.isSubject(subject)).isTrue();
    }

    @Test
    void aProvidersSubjectsAndServicesAreNobodyElses() {
        assertThat(Subjects.of("partner", "ann")).isEqualTo("partner/ann");
        assertThat(Subjects.of("", "partner/ann")).isEqualTo("partner%2Fann");
        assertThat(Subjects.ofService("loader")).isEqualTo("service/loader");
        assertThat(Subjects.of("", "service/loader")).isNotEqualTo("service/loader");
    }

    @Test
    void namesThatDifferStayDifferent() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String letters = "ab%2F/:*# é\u0000%";
        Map<String, String> seen = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            String told = random.ints(1 + random.nextInt(5), 0, letters.length())
                    .mapToObj(at -> letters.substring(at, at + 1))
                    .collect(Collectors.joining());
            if (!told.isBlank()) {
                String subject = Subjects.of("", told);
                assertThat(Subjects.isSubject(subject))
                        .as("seed %d, %s", seed, subject)
                        .isTrue();
                assertThat(seen.putIfAbsent(subject, told))
                        .as("seed %d, %s", seed, subject)
                        .isIn(null, told);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void nothingIsNoName(String told) {
        assertThatThrownBy(() -> Subjects.of("", told)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNameThatIsTooLongIsRefusedAndNotCut() {
        assertThat(Subjects.of("", "n".repeat(200))).hasSize(200);
        assertThatThrownBy(() -> Subjects.of("", "n".repeat(201))).hasMessage("is too long");
        assertThatThrownBy(() -> Subjects.of("", "*".repeat(67))).hasMessage("is too long");
        assertThatThrownBy(() -> Subjects.of("partner", "n".repeat(193))).hasMessage("is too long");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "*", "a#b", "a%2", "a%2f", "a/b/c", "A/b", "/a", "a/", "é"})
    void whatIsNotMadeHereIsNoSubject(String text) {
        assertThat(Subjects.isSubject(text)).isFalse();
    }
}
