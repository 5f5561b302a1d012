package io.rask.webtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.access.Identification;
import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@ExtendWith(OutputCaptureExtension.class)
class StartTest {

    @RestController
    static class Undeclared {
        @PostMapping("/v1/table/{id}/register")
        void register() {}
    }

    @RestController
    static class UnknownTail {
        @Door(relation = Relation.CAN_DROP, target = Target.TABLE)
        @PostMapping("/v1/table/{id}/explode")
        void explode(ObjectId id) {}
    }

    private static void start(Consumer<ConfigurableApplicationContext> then, Class<?> more, String... settings) {
        SpringApplication application = new SpringApplication(EchoApplication.class, more);
        application.setWebApplicationType(WebApplicationType.SERVLET);
        String[] arguments = new String[settings.length + 1];
        arguments[0] = "--server.port=0";
        for (int i = 0; i < settings.length; i++) {
            arguments[i + 1] = "--" + settings[i];
        }
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            then.accept(context);
        }
    }

    private static void assertFails(Class<?> more, String... settings) {
        assertThatThrownBy(() -> start(context -> {}, more, settings)).isNotNull();
    }

    @Test
    void aRouteWithoutADoorStopsTheStart(CapturedOutput output) {
        assertFails(Undeclared.class);
        assertThat(output).contains("/v1/table/{id}/register", "declares no door");
    }

    @Test
    void aRouteThePathReaderDoesNotKnowStopsTheStart(CapturedOutput output) {
        assertFails(UnknownTail.class);
        assertThat(output).contains("/v1/table/{id}/explode ends in an operation the path reader does not know");
    }

    @ParameterizedTest
    @ValueSource(strings = {"server.address=0.0.0.0", "server.address="})
    void listeningBeyondLoopbackWithoutAuthenticationStopsTheStart(String address, CapturedOutput output) {
        assertFails(EchoApplication.class, address);
        assertThat(output)
                .contains("APPLICATION FAILED TO START", "server.address", "lance.allow-unauthenticated=true")
                .doesNotContain("at io.rask.catalog.door");
    }

    @Test
    void theOperatorMaySayThatTheExposureIsMeant(CapturedOutput output) throws Exception {
        start(
                context -> assertThat(context.getBean(Identification.class)).isNotNull(),
                EchoApplication.class,
                "server.address=0.0.0.0",
                "lance.allow-unauthenticated=true");
        assertThat(output).contains("No authentication: everyone who reaches this server");
    }

    @Test
    void aServerThatAsksWhoComesMayListenBeyondLoopback(CapturedOutput output) {
        start(
                context -> assertThat(context.getBean(Identification.class)).isNotNull(),
                EchoApplication.class,
                "server.address=0.0.0.0",
                "lance.bootstrap.keys.ann.subject=ann",
                "lance.bootstrap.keys.ann.key=0123456789abcdef0123456789abcdef");
        assertThat(output).doesNotContain("No authentication");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lance.oidc.enabled=true | lance.oidc.issuer must be set",
                "lance.oidc.enabled=true lance.oidc.issuer=https://a.example | lance.oidc.audience must be set",
                "lance.oidc.enabled=true lance.oidc.audience=a | lance.oidc.issuer must be set",
                "lance.oidc.enabled=true lance.oidc.issuer=http://a.example lance.oidc.audience=a | lance.oidc.issuer is not encrypted",
                "lance.oidc.enabled=true lance.oidc.issuer=catalog lance.oidc.audience=a | lance.oidc.issuer must be an address",
                "lance.oidc.enabled=true lance.oidc.issuer=https://a.example lance.oidc.audience=a"
                        + " lance.oidc.discovery-url=http://a.example | lance.oidc.discovery-url is not encrypted",
                "lance.oidc.enabled=true lance.oidc.issuers.b.issuer=https://b.example | lance.oidc.issuers.b.audience must be set",
                "lance.oidc.enabled=true lance.oidc.issuers.b.audience=b | lance.oidc.issuers.b.issuer must be set",
                "lance.oidc.enabled=true lance.oidc.issuers.service.issuer=https://b.example"
                        + " lance.oidc.issuers.service.audience=b | lance.oidc.issuers.service has a name",
                "lance.oidc.enabled=true lance.oidc.issuer=https://a.example lance.oidc.audience=a"
                        + " lance.oidc.issuers.b.issuer=https://a.example lance.oidc.issuers.b.audience=b"
                        + " | lance.oidc.issuers.b.issuer is another one's too",
                "lance.oidc.leeway=11m | lance.oidc.leeway",
                "lance.oidc.cache-ttl=0 | lance.oidc.cache-ttl",
                "lance.api-keys.cache-ttl=2h | lance.api-keys.cache-ttl",
                "lance.api-keys.lifetime=0s | lance.api-keys.lifetime",
                "lance.service.token=short | lance.service.token must have at least",
                "lance.service.subjects=a,%20 | lance.service.subjects has a name",
                "lance.bootstrap.administrator=a:b | lance.bootstrap.administrator is no name",
                "lance.bootstrap.keys.a.subject=a | lance.bootstrap.keys.a.key must have at least",
                "lance.bootstrap.keys.a.key=0123456789abcdef0123456789abcdef | lance.bootstrap.keys.a.subject must be set",
                "lance.bootstrap.keys.a.subject=a* lance.bootstrap.keys.a.key=0123456789abcdef0123456789abcdef"
                        + " | lance.bootstrap.keys.a.subject is no name"
            })
    void aSettingThatLeavesOpenWhoAsksStopsTheStartAndIsNamed(String settings, String told, CapturedOutput output) {
        assertFails(EchoApplication.class, settings.replace("%20", "\t").split(" ", -1));
        assertThat(output)
                .contains("APPLICATION FAILED TO START", told)
                .doesNotContain("0123456789abcdef0123456789abcdef");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lance.unsupported-status=404",
                "lance.unsupported-status=500",
                "lance.limits.streams=0",
                "lance.rest.root=",
                "lance.limits.queue-wait=soon",
                "lance.s3.checksums=never",
                "lance.ns.delimiter=abcdefghi",
                "lance.fga.store-name=my",
                "lance.fga.store-name=a:b:c",
                "lance.no-such-setting=1"
            })
    void aBadSettingStopsTheStartAndIsNamed(String setting, CapturedOutput output) {
        assertFails(EchoApplication.class, setting);
        assertThat(output.toString())
                .contains("APPLICATION FAILED TO START")
                .containsIgnoringCase(setting.substring(0, setting.indexOf('=')));
    }

    @Test
    void unsupportedMayAnswer406() {
        start(
                context -> {
                    int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
                    try {
                        ProblemAssert.assertProblem(new RawHttp(port).post("/v1/table/a$t/rename", ""), 406, 0);
                    } catch (java.io.IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                },
                EchoApplication.class,
                "lance.unsupported-status=406");
    }
}
