package io.rask.catalog.record;

import io.rask.catalog.platform.CatalogProperties;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Temporary. */
@Configuration
class TempBeans {
    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    Records records(CatalogProperties properties, Clock clock) {
        return new Records(RecordStores.open(properties), clock);
    }
}
