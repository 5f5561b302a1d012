package io.rask.catalog.record;

import io.rask.catalog.platform.CatalogProperties;
import java.time.Clock;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The records of this server, on the control root of its settings. */
@Configuration(proxyBeanMethods = false)
class RecordConfiguration {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    @Bean
    RecordStore recordStore(CatalogProperties properties) {
        return RecordStores.open(properties);
    }

    @Bean
    Records records(RecordStore store, ObjectProvider<Clock> clock) {
        return new Records(store, clock.getIfUnique(Clock::systemUTC));
    }

    @Bean
    Leases leases(Records records, ObjectProvider<Clock> clock) {
        return new Leases(records, clock.getIfUnique(Clock::systemUTC), CLOCK_DIFFERENCE);
    }

    @Bean
    StoreReadiness storeReadiness(RecordStore store) {
        return new StoreReadiness(store, LOOK_EVERY);
    }

    /** Part of readiness under the name {@code recordStore}. */
    @Bean
    HealthIndicator recordStoreHealthIndicator(StoreReadiness readiness) {
        return () -> switch (readiness.state()) {
            case StoreReadiness.State.Ready ready -> Health.up().build();
            case StoreReadiness.State.Unproven unproven -> down(unproven.reason());
            case StoreReadiness.State.Unsafe unsafe -> down(unsafe.sentence());
            case StoreReadiness.State.Unreachable unreachable -> down(unreachable.reason());
        };
    }

    private static Health down(String reason) {
        return Health.down().withDetail("reason", reason).build();
    }
}
