package io.rask.catalog.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.platform.BootstrapProperties;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.OidcProperties;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Every setting has the environment name the documentation gives it, and a bad value is refused by that name. */
class EnvironmentNamesTest {
    private static final String SYSTEM_ENVIRONMENT = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;

    @Configuration
    @EnableConfigurationProperties(CatalogProperties.class)
    static class Settings {}

    record Name(String variable, String value, Object bound, Function<CatalogProperties, @Nullable Object> read) {
        Name(String variable, String value, Function<CatalogProperties, @Nullable Object> read) {
            this(variable, value, value, read);
        }

        @Override
        public String toString() {
            return variable;
        }
    }

    static final List<Name> NAMES = List.of(
            new Name("LANCE_REST_ROOT", "s3://lake/tables", all -> all.rest().root()),
            new Name(
                    "LANCE_CONTROL_ROOT",
                    "s3://lake/control",
                    all -> all.control().root()),
            new Name("LANCE_NS_DELIMITER", "::", all -> all.ns().delimiter()),
            new Name("LANCE_WAREHOUSES_ENABLED", "false", false, CatalogProperties::warehousesEnabled),
            new Name("LANCE_DEFAULT_WAREHOUSE", "lake", CatalogProperties::defaultWarehouse),
            new Name("LANCE_RESERVED_BUCKETS", "logs,backup", List.of("logs", "backup"), all -> all.reservedBuckets()),
            new Name("LANCE_UNSUPPORTED_STATUS", "406", 406, CatalogProperties::unsupportedStatus),
            new Name("LANCE_ALLOW_UNAUTHENTICATED", "true", true, CatalogProperties::allowUnauthenticated),
            new Name("LANCE_API_DOCS", "false", false, CatalogProperties::apiDocs),
            new Name("LANCE_API_DOCS_PUBLIC", "true", true, CatalogProperties::apiDocsPublic),
            new Name(
                    "LANCE_OIDC_ISSUER",
                    "https://login.example.com",
                    all -> all.oidc().issuer()),
            new Name(
                    "LANCE_OIDC_DISCOVERY_URL",
                    "https://login.example.com/document",
                    all -> all.oidc().discoveryUrl()),
            new Name(
                    "LANCE_OIDC_AUDIENCE",
                    "catalog,other",
                    List.of("catalog", "other"),
                    all -> all.oidc().audience()),
            new Name(
                    "LANCE_OIDC_CACHE_TTL",
                    "60",
                    Duration.ofMinutes(1),
                    all -> all.oidc().cacheTtl()),
            new Name(
                    "LANCE_OIDC_LEEWAY",
                    "5",
                    Duration.ofSeconds(5),
                    all -> all.oidc().leeway()),
            new Name(
                    "LANCE_OIDC_ALLOW_INSECURE", "true", true, all -> all.oidc().allowInsecure()),
            new Name(
                    "LANCE_OIDC_CLAIMS_SUBJECT",
                    "oid",
                    all -> all.oidc().claims().subject()),
            new Name(
                    "LANCE_API_KEYS_ENABLED", "true", true, all -> all.apiKeys().enabled()),
            new Name(
                    "LANCE_SERVICE_SUBJECTS",
                    "loader,sweeper",
                    List.of("loader", "sweeper"),
                    all -> all.service().subjects()),
            new Name(
                    "LANCE_BOOTSTRAP_ADMINISTRATOR",
                    "ann",
                    all -> all.bootstrap().administrator()),
            new Name(
                    "LANCE_S3_ENDPOINT",
                    "http://127.0.0.1:9000",
                    all -> all.s3().endpoint()),
            new Name("LANCE_S3_ACCESS_KEY_ID", "server", all -> all.s3().accessKeyId()),
            new Name(
                    "LANCE_S3_SECRET_ACCESS_KEY",
                    "server-secret",
                    all -> all.s3().secretAccessKey()),
            new Name("LANCE_S3_SESSION_TOKEN", "token", all -> all.s3().sessionToken()),
            new Name("LANCE_S3_REGION", "eu-central-1", all -> all.s3().region()),
            new Name("LANCE_S3_ALLOW_HTTP", "true", true, all -> all.s3().allowHttp()),
            new Name("LANCE_S3_VIRTUAL_HOSTED", "true", true, all -> all.s3().virtualHosted()),
            new Name("LANCE_S3_CLIENT_ACCESS_KEY_ID", "client", all -> all.s3().clientAccessKeyId()),
            new Name(
                    "LANCE_S3_CLIENT_SECRET_ACCESS_KEY",
                    "client-secret",
                    all -> all.s3().clientSecretAccessKey()),
            new Name(
                    "LANCE_S3_CLIENT_SESSION_TOKEN",
                    "client-token",
                    all -> all.s3().clientSessionToken()),
            new Name("LANCE_S3_CHECKSUMS", "when-required", all -> all.s3().checksums()),
            new Name(
                    "LANCE_STORAGE_ALLOWED_ROOTS",
                    "s3://lake-a/tables,s3://lake-b",
                    List.of("s3://lake-a/tables", "s3://lake-b"),
                    all -> all.storage().allowedRoots()),
            new Name("LANCE_LIMITS_STREAMS", "3", 3, all -> all.limits().streams()));

    @ParameterizedTest
    @FieldSource("NAMES")
    void theDocumentedNameReachesItsSetting(Name name) {
        run(Map.of(name.variable(), name.value()))
                .run(context -> assertThat(name.read().apply(context.getBean(CatalogProperties.class)))
                        .isEqualTo(name.bound()));
    }

    @Test
    void aStorageCredentialIsNamedInItsVariables() {
        run(Map.of(
                        "LANCE_STORAGE_CREDENTIALS_ACME_PROJECT", "acme-labs",
                        "LANCE_STORAGE_CREDENTIALS_ACME_ACCESS_KEY_ID", "key",
                        "LANCE_STORAGE_CREDENTIALS_ACME_SECRET_ACCESS_KEY", "secret"))
                .run(context -> assertThat(context.getBean(CatalogProperties.class)
                                .storage()
                                .credentials())
                        .containsExactly(Map.entry(
                                "acme",
                                new CatalogProperties.Credential(
                                        "acme-labs", "key", "secret", null, null, null, null))));
    }

    @Test
    void aProviderAndAKeyAreNamedInTheirVariables() {
        run(Map.of(
                        "LANCE_OIDC_ENABLED", "true",
                        "LANCE_OIDC_ISSUERS_PARTNER_ISSUER", "https://b.example",
                        "LANCE_OIDC_ISSUERS_PARTNER_DISCOVERY_URL", "https://c.example",
                        "LANCE_OIDC_ISSUERS_PARTNER_AUDIENCE", "catalog",
                        "LANCE_OIDC_ISSUERS_PARTNER_CLAIMS_SUBJECT", "oid",
                        "LANCE_BOOTSTRAP_KEYS_ROBOT_SUBJECT", "robot-1",
                        "LANCE_BOOTSTRAP_KEYS_ROBOT_KEY", "0123456789abcdef0123456789abcdef"))
                .run(context -> {
                    CatalogProperties all = context.getBean(CatalogProperties.class);
                    assertThat(all.oidc().all())
                            .containsExactly(Map.entry(
                                    "partner",
                                    new OidcProperties.Issuer(
                                            "https://b.example",
                                            "https://c.example",
                                            List.of("catalog"),
                                            new OidcProperties.Claims("oid", "name", "email", "groups"))));
                    assertThat(all.bootstrap().keys())
                            .containsExactly(Map.entry(
                                    "robot",
                                    new BootstrapProperties.Key("robot-1", "0123456789abcdef0123456789abcdef")));
                });
    }

    @Test
    void theServerTakesItsPortAndAddressFromTheEnvironment() {
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        SYSTEM_ENVIRONMENT,
                        new SystemEnvironmentPropertySource(
                                SYSTEM_ENVIRONMENT, Map.of("SERVER_PORT", "8080", "SERVER_ADDRESS", "127.0.0.2")));
        assertThat(Binder.get(environment).bind("server.port", Integer.class).get())
                .isEqualTo(8080);
        assertThat(Binder.get(environment).bind("server.address", String.class).get())
                .isEqualTo("127.0.0.2");
    }

    @ParameterizedTest
    @CsvSource({
        "LANCE_WAREHOUSES_ENABLED, perhaps, lance.warehouses-enabled",
        "LANCE_UNSUPPORTED_STATUS, 200, lance.unsupportedStatus",
        "LANCE_NS_DELIMITER, ' ', lance.ns.delimiter",
        "LANCE_REST_ROOT, ' ', lance.rest.root",
        "LANCE_S3_ALLOW_HTTP, sometimes, lance.s3.allow-http",
        "LANCE_S3_CHECKSUMS, never, lance.s3.checksums",
        "LANCE_LIMITS_STREAMS, 0, lance.limits.streams",
        "LANCE_LIMITS_JSON_BODY, huge, lance.limits.json-body",
        "LANCE_LIMITS_QUEUE_WAIT, soon, lance.limits.queue-wait",
    })
    void aBadValueStopsTheStartAndNamesTheSetting(String variable, String value, String setting) {
        run(Map.of(variable, value)).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).hasStackTraceContaining(setting);
        });
    }

    @Test
    void anEmptyEnvironmentIsAWorkingConfiguration() {
        run(Map.of())
                .run(context -> assertThat(
                                context.getBean(CatalogProperties.class).rest().root())
                        .isEqualTo("./data/lance"));
    }

    /** Through the start of the application itself, as it prepares its environment. */
    @Test
    void anEmptyVariableCountsAsUnsetExceptTheListOfWhatIsAllowed() {
        Map<String, Object> variables = Map.of(
                "LANCE_CONTROL_ROOT", "",
                "LANCE_REST_ROOT", "",
                "LANCE_LIMITS_STREAMS", "",
                "LANCE_S3_ALLOW_HTTP", "",
                "LANCE_NS_DELIMITER", "::",
                "LANCE_STORAGE_ALLOWED_ROOTS", "");
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(SYSTEM_ENVIRONMENT, new SystemEnvironmentPropertySource(SYSTEM_ENVIRONMENT, variables));
        SpringApplication application = new SpringApplication(Settings.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setEnvironment(environment);
        application.setRegisterShutdownHook(false);
        try (ConfigurableApplicationContext context = application.run()) {
            CatalogProperties settings = context.getBean(CatalogProperties.class);
            assertThat(settings.control().root()).isNull();
            assertThat(settings.rest().root()).isEqualTo("./data/lance");
            assertThat(settings.limits().streams()).isEqualTo(8);
            assertThat(settings.s3().allowHttp()).isNull();
            assertThat(settings.ns().delimiter()).isEqualTo("::");
            assertThat(settings.storage().allowedRoots()).isEmpty();
        }
    }

    private static ApplicationContextRunner run(Map<String, Object> environment) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        ConfigurationPropertiesAutoConfiguration.class, ValidationAutoConfiguration.class))
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                SYSTEM_ENVIRONMENT,
                                new SystemEnvironmentPropertySource(SYSTEM_ENVIRONMENT, environment)))
                .withUserConfiguration(Settings.class);
    }
}
