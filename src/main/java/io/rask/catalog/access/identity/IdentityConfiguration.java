package io.rask.catalog.access.identity;

import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.ResourceRetriever;
import io.rask.catalog.access.Identification;
import io.rask.catalog.access.Subjects;
import io.rask.catalog.access.identity.ApiKeyHeader.Configured;
import io.rask.catalog.access.key.ApiKeys;
import io.rask.catalog.platform.BootstrapProperties;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.OidcProperties;
import io.rask.catalog.platform.ServiceProperties;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Chooses by the settings how callers are identified, and refuses settings that would leave that open. */
@Configuration(proxyBeanMethods = false)
class IdentityConfiguration {
    private static final String AUTHORIZATION = "lance.fga.enabled";
    private static final int CONNECT_MILLIS = 3_000;
    private static final int READ_MILLIS = 5_000;
    private static final int LONGEST_ANSWER = 1 << 20;

    @Bean
    Identification identification(
            CatalogProperties settings,
            ServerProperties server,
            Environment environment,
            ObjectProvider<ApiKeys> keys,
            Clock clock) {
        requireSubjects(settings);
        List<Credential> credentials = new ArrayList<>();
        if (settings.oidc().enabled()) {
            credentials.add(bearerToken(settings.oidc(), clock));
        }
        boolean made = settings.apiKeys().enabled();
        if (made || !settings.bootstrap().keys().isEmpty()) {
            credentials.add(new ApiKeyHeader(configured(settings.bootstrap()), made ? keys.getObject() : null));
        }
        if (settings.service().enabled()) {
            credentials.add(new ServiceHeaders(settings.service()));
        }
        if (!credentials.isEmpty()) {
            return new CredentialIdentification(credentials);
        }
        if (environment.getProperty(AUTHORIZATION, Boolean.class, false)) {
            throw new UnusableSettingException(
                    AUTHORIZATION, "asks what callers may do, and nothing is set up to say who they are");
        }
        return new NoIdentification(server, settings);
    }

    private static BearerToken bearerToken(OidcProperties settings, Clock clock) {
        ResourceRetriever web = new DefaultResourceRetriever(CONNECT_MILLIS, READ_MILLIS, LONGEST_ANSWER);
        Map<String, TokenIssuer> issuers = new HashMap<>();
        settings.all().forEach((name, provider) -> {
            ProviderKeys keys = new ProviderKeys(provider, settings.allowInsecure(), web, System::nanoTime);
            issuers.put(
                    Objects.requireNonNull(provider.issuer()), new TokenIssuer(name, provider, settings, keys, clock));
        });
        return new BearerToken(issuers);
    }

    private static List<Configured> configured(BootstrapProperties settings) {
        return settings.keys().values().stream()
                .map(key -> new Configured(
                        Secret.of(Objects.requireNonNull(key.key())), Objects.requireNonNull(key.subject())))
                .toList();
    }

    private static void requireSubjects(CatalogProperties settings) {
        BootstrapProperties bootstrap = settings.bootstrap();
        if (bootstrap.administrator() != null) {
            requireSubject("lance.bootstrap.administrator", bootstrap.administrator());
        }
        bootstrap
                .keys()
                .forEach((name, key) ->
                        requireSubject("lance.bootstrap.keys." + name + ".subject", String.valueOf(key.subject())));
        requireServices(settings.service());
    }

    private static void requireSubject(String property, String subject) {
        if (!Subjects.isSubject(subject)) {
            throw new UnusableSettingException(
                    property, "is no name that rights are written with; GET /v1/me tells callers theirs");
        }
    }

    private static void requireServices(ServiceProperties service) {
        for (String subject : service.subjects()) {
            try {
                Subjects.ofService(subject);
            } catch (IllegalArgumentException e) {
                throw new UnusableSettingException("lance.service.subjects", "has a name that " + e.getMessage());
            }
        }
    }
}
