package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What operators see of a running server. */
@ExtendWith(SharedCatalog.Provider.class)
class MetricsTest {
    @Test
    void metricsTellTheNativeMemoryOfCachesAndArrowData(SharedCatalog catalog) {
        String metrics = catalog.server().get("/actuator/prometheus").ok().text();

        assertThat(metrics.lines())
                .anyMatch(line -> line.matches("lance_native_cache_bytes [0-9.E]+"))
                .anyMatch(line -> line.matches("lance_native_arrow_bytes [0-9.E]+"))
                .anyMatch(line -> line.matches("lance_native_datasets [0-9.E]+"))
                .anyMatch(line -> line.matches("lance_native_calls [0-9.E]+"));
    }
}
