package io.rask.catalog.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BasePlacesTest {
    @ParameterizedTest
    @CsvSource({
        "/lake/t, /lake/t",
        "/lake/t/, /lake/t",
        "file:///lake/t, /lake/t",
        "file:/lake/t, /lake/t",
        "file-object-store:///lake/t, /lake/t",
        "file:///lake/a%20b, /lake/a b",
        "/lake/a%20b, /lake/a%20b",
        "/lake/t/tree/dev, /lake/t",
        "/lake, /lake/t",
        "/lake/x/../t, /lake/t",
        "s3://b/p/t, s3://b/p/t",
        "s3a://b/p/t, s3://b/p/t",
        "s3://b/p/n%24t, s3://b/p/n$t",
        "s3://b/p/t/tree/dev, s3://b/p/t",
    })
    void spellingsOfOnePlaceOverlap(String one, String other) {
        assertThat(BasePlaces.overlap(one, other)).isTrue();
        assertThat(BasePlaces.overlap(other, one)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"/lake/t, /lake/t2", "/lake/t2, /lake/t", "s3://b/t, s3://b/t2", "s3://b/t, s3://c/t", "/b/t, s3://b/t"
    })
    void neighboursDoNotOverlap(String one, String other) {
        assertThat(BasePlaces.overlap(one, other)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/lake/t, true",
        "/lake/t/tree/x, true",
        "file:///lake/t, true",
        "/lake, false",
        "/lake/, false",
        "/lake2/t, false",
        "/lake/../other/t, false",
        "/lake/%2e%2e/other/t, false",
        "s3://lake/t, false",
        "'', false",
        "t, false",
    })
    void onlyWhatLiesInsideInEverySpellingIsSurelyInside(String place, boolean inside) {
        assertThat(BasePlaces.surelyInside(place, "/lake")).isEqualTo(inside);
    }

    @Test
    void aLinkIsThePlaceItLeadsTo(@TempDir Path folder) throws IOException {
        Path real = Files.createDirectories(folder.resolve("real/t"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("real"));
        assertThat(BasePlaces.overlap(link.resolve("t").toString(), real.toString()))
                .isTrue();
        Path inside = Files.createSymbolicLink(folder.resolve("real/out"), folder);
        assertThat(BasePlaces.surelyInside(
                        inside.toString(), folder.resolve("real").toString()))
                .isFalse();
    }
}
