package io.rask.catalog.access.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.access.Identification;
import io.rask.catalog.access.key.ApiKeys;
import io.rask.catalog.platform.CatalogProperties;
import java.net.InetAddress;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class IdentityConfigurationTest {
    private static Identification chosen(boolean authorization, Map<String, String> settings) {
        ServerProperties server = new ServerProperties();
        server.setAddress(InetAddress.getLoopbackAddress());
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("lance.fga.enabled", String.valueOf(authorization))));
        return new IdentityConfiguration()
                .identification(
                        new Binder(new MapConfigurationPropertySource(settings))
                                .bindOrCreate("lance", CatalogProperties.class),
                        server,
                        environment,
                        new DefaultListableBeanFactory().getBeanProvider(ApiKeys.class),
                        Clock.systemUTC());
    }

    @Test
    void authorizationWithoutIdentityStopsTheStart() {
        assertThatThrownBy(() -> chosen(true, Map.of()))
                .isInstanceOf(UnusableSettingException.class)
                .hasMessageContaining("lance.fga.enabled");
        assertThat(chosen(false, Map.of())).isInstanceOf(NoIdentification.class);
    }

    @Test
    void anyWayToSayWhoAsksWillDo() {
        String secret = "0123456789abcdef0123456789abcdef";
        assertThat(chosen(true, Map.of("lance.bootstrap.keys.a.subject", "ann", "lance.bootstrap.keys.a.key", secret)))
                .isInstanceOf(CredentialIdentification.class);
        assertThat(chosen(true, Map.of("lance.service.token", secret))).isInstanceOf(CredentialIdentification.class);
        assertThat(chosen(
                        true,
                        Map.of(
                                "lance.oidc.enabled", "true",
                                "lance.oidc.issuer", "https://login.example.com",
                                "lance.oidc.audience", "catalog")))
                .isInstanceOf(CredentialIdentification.class);
    }
}
