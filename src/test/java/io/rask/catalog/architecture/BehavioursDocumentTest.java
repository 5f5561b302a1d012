package io.rask.catalog.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;

/** The document that leads from a promise to its tests names tests that exist. */
class BehavioursDocumentTest {
    private static final Pattern NAMED = Pattern.compile("`(?<type>[\\w.]+)#(?<method>\\w+)`");
    private static final Pattern NUMBERED = Pattern.compile("^\\| (?<number>\\d+) \\|.*`.+#.+`", Pattern.MULTILINE);

    private static String document() throws IOException {
        return Files.readString(Path.of("docs", "behaviours.md"));
    }

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        List<String> absent = NAMED.matcher(document())
                .results()
                .filter(named -> !isTest(named.group("type"), named.group("method")))
                .map(named -> named.group())
                .toList();
        assertThat(absent).isEmpty();
    }

    @Test
    void everyPromiseOfWhatIsServedSoFarHasATest() throws IOException {
        Set<Integer> found = NUMBERED.matcher(document())
                .results()
                .map(row -> Integer.valueOf(row.group("number")))
                .collect(Collectors.toCollection(TreeSet::new));
        List<Integer> promised = Stream.of(
                        IntStream.rangeClosed(1, 19),
                        IntStream.of(44, 45),
                        IntStream.rangeClosed(48, 59),
                        IntStream.of(69, 70),
                        IntStream.rangeClosed(71, 79),
                        IntStream.rangeClosed(83, 100))
                .flatMap(IntStream::boxed)
                .toList();
        assertThat(found).containsAll(promised);
    }

    private static boolean isTest(String type, String method) {
        return Stream.of("io.rask.catalog.", "io.rask.")
                .flatMap(base -> declared(base + type))
                .anyMatch(found -> found.getName().equals(method)
                        && (found.isAnnotationPresent(Test.class)
                                || found.isAnnotationPresent(ParameterizedTest.class)
                                || found.isAnnotationPresent(TestFactory.class)
                                || found.isAnnotationPresent(ArchTest.class)));
    }

    private static Stream<Method> declared(String type) {
        try {
            Class<?> outer = Class.forName(type, false, BehavioursDocumentTest.class.getClassLoader());
            return Stream.concat(Stream.of(outer), Arrays.stream(outer.getDeclaredClasses()))
                    .flatMap(each -> Arrays.stream(each.getDeclaredMethods()));
        } catch (ClassNotFoundException e) {
            return Stream.empty();
        }
    }
}
