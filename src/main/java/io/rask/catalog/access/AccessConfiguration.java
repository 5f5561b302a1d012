package io.rask.catalog.access;

import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.record.Records;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What asks and tells the permission engine, where there is one. */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

    @Bean
    AuditLog auditLog(CatalogProperties properties, Clock clock) {
        return new AuditLog(clock, properties.auditEnabled());
    }

    /** Part of readiness under the name {@code permissionEngine}; where there is no engine it stands against nothing. */
    @Bean
    HealthIndicator permissionEngineHealthIndicator(ObjectProvider<EngineReadiness> readiness) {
        return () -> Optional.ofNullable(readiness.getIfAvailable())
                .flatMap(EngineReadiness::trouble)
                .map(reason -> Health.down().withDetail("reason", reason).build())
                .orElseGet(() -> Health.up().build());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "lance.fga.enabled", havingValue = "true")
    static class Engine {
        @Bean
        VerdictCache verdictCache(CatalogProperties properties) {
            return new VerdictCache(properties.fga());
        }

        @Bean
        AccessModel accessModel() {
            return new AccessModel();
        }

        @Bean
        PermissionEngine permissionEngine(
                CatalogProperties properties, Records records, AccessModel model, VerdictCache cache, Clock clock) {
            EngineTransport transport = new EngineTransport(properties.fga());
            EngineStore stores = new EngineStore(properties.fga(), transport, records, model);
            return new PermissionEngine(transport, stores, cache, clock);
        }

        @Bean
        Authorization engineAuthorization(PermissionEngine engine, VerdictCache cache, AuditLog audit) {
            return new EngineAuthorization(engine, cache, audit);
        }

        @Bean
        Standings engineStandings(PermissionEngine engine, ProjectRegistry projects) {
            return new EngineStandings(engine, projects);
        }

        @Bean
        Navigation navigation(PermissionEngine engine, Ancestry ancestry) {
            return new Navigation(engine, ancestry);
        }

        @Bean
        OwnerFacts ownerFacts(Ancestry ancestry, Navigation navigation, CatalogProperties properties) {
            return new OwnerFacts(ancestry, navigation, properties.fga().cascadeWriters());
        }

        @Bean
        Ownership engineOwnership(PermissionEngine engine, Ancestry ancestry, Navigation navigation, OwnerFacts facts) {
            return new EngineOwnership(engine, ancestry, navigation, facts);
        }

        @Bean
        EngineReadiness engineReadiness(PermissionEngine engine, Records records, CatalogProperties properties) {
            Bootstrap bootstrap =
                    new Bootstrap(engine, records, properties.bootstrap().administrator());
            return new EngineReadiness(engine, bootstrap, LOOK_EVERY);
        }
    }
}
