package io.rask.catalog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.testing.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordStoresTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"s3://", "s3://Bucket", "s3://bucket/a//b", "s3://bucket/../x", "gs://bucket/x", "file://host/x"
            })
    void aRootThatIsNoneStopsTheStartAndNamesTheSetting(String root) {
        assertThatThrownBy(() -> RecordStores.open(Settings.of(Map.of("lance.control.root", root))))
                .hasStackTraceContaining("lance.control.root");
    }

    @Test
    void byDefaultTheRecordsLieBelowTheRestRoot(@TempDir Path folder) {
        try (RecordStore store = RecordStores.open(
                Settings.of(Map.of("lance.rest.root", folder.toUri().toString())))) {
            store.createIfAbsent(RecordKey.of("f", "a"), new byte[0]);
            assertThat(folder.resolve("_control/f/a.json")).exists();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "lance.s3.access-key-id,ak,lance.s3.secret-access-key",
        "lance.s3.endpoint,localhost:9000,lance.s3.endpoint",
        "lance.s3.endpoint,http://host/path,lance.s3.endpoint"
    })
    void anS3SettingThatDoesNotFitStopsTheStartAndIsNamed(String setting, String value, String named) {
        assertThatThrownBy(() ->
                        RecordStores.open(Settings.of(Map.of("lance.control.root", "s3://bucket", setting, value))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(named);
    }

    @Test
    void aPlainTextEndpointCanBeForbidden() {
        assertThatThrownBy(() -> RecordStores.open(Settings.of(Map.of(
                        "lance.control.root", "s3://bucket",
                        "lance.s3.endpoint", "http://host:9000",
                        "lance.s3.allow-http", "false"))))
                .hasMessageContaining("lance.s3.allow-http");
    }

    @Test
    void openingTouchesNothing(@TempDir Path folder) {
        try (RecordStore store = RecordStores.open(
                Settings.of(Map.of("lance.control.root", folder.resolve("new").toString())))) {
            assertThat(folder.resolve("new")).doesNotExist();
            assertThat(store.read(RecordKey.of("f", "a"))).isEmpty();
            assertThat(folder.resolve("new")).exists();
        }
    }
}
