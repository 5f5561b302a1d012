package io.rask.catalog.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the chart does not install: each value that is wrong is refused, and the refusal names it. */
class ChartRefusalsTest {
    private static final String HOST = "ingress.hosts[0]=catalog.example";

    @Test
    void nothingIsInstalledBeforeItIsSaidWhereTablesLiveAndWhoMayCome() {
        assertThat(Chart.refusal(null)).contains("storage:", "storage.root");
        assertThat(Chart.refusal(null, "storage.root=s3://lakes")).contains("access:", "access.oidc.enabled");
    }

    @Test
    void nobodyComesInUnaskedFromBeyondTheCluster() {
        assertThat(Chart.refusal("trial", "ingress.enabled=true", HOST)).contains("/access/authorization/enabled");
        assertThat(Chart.refusal("bucket", "ingress.enabled=true", HOST, "access.authorization.enabled=false"))
                .contains("/access/authorization/enabled");
        assertThat(Chart.refusal("trial", "service.type=LoadBalancer")).contains("/access/authorization/enabled");
        assertThat(Chart.refusal("trial", "service.type=NodePort")).contains("/access/authorization/enabled");
        assertThat(Chart.refusal("bucket", "ingress.enabled=true")).contains("/ingress/hosts");
    }

    @ParameterizedTest
    @CsvSource({
        "server.replicas=2, /server/replicas",
        "server.autoscaling.enabled=true, /server/autoscaling/enabled",
        "worker.replicas=1, /worker/replicas",
        "storage.root=s3://lakes, /storage/root"
    })
    void aFolderHasOneServer(String value, String named) {
        assertThat(Chart.refusal("trial", value)).contains(named);
    }

    @ParameterizedTest
    @CsvSource({
        "access.oidc.issuer=, /access/oidc/issuer",
        "access.oidc.audience=, /access/oidc/audience",
        "access.oidc.enabled=false, /access/oidc/enabled",
        "access.unauthenticated=true, /access/unauthenticated",
        "access.authorization.url=, access.authorization",
        "storage.root=/srv/lake, /storage/root",
        "storage.s3.endpoint=store.example, /storage/s3/endpoint",
        "server.replicas=0, /server/replicas",
        "server.heap=large, /server/heap",
        "image.digest=sha256:abc, /image/digest",
        "settings.LANCE_FGA_TOKEN=x, LANCE_FGA_TOKEN",
        "settings.PATH=x, PATH",
        "settings.LANCE_REST_ROOT=s3://other, settings.LANCE_REST_ROOT",
        "settings.LANCE_JOBS_WORKER=spawned, settings.LANCE_JOBS_WORKER",
        "server.disruptionBudget.maxUnavailable=0, maxUnavailable"
    })
    void aWrongValueIsNamed(String value, String named) {
        assertThat(Chart.refusal("bucket", value)).contains(named);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"replicas=3", "server.replica=3", "storage.s3.bucket=x", "openfga.url=x", "access.oidc.client=x"
            })
    void aNameThatIsNoneIsRefused(String value) {
        String name = value.substring(value.lastIndexOf('.') + 1, value.indexOf('='));
        assertThat(Chart.refusal("bucket", value)).contains(name);
    }

    @Test
    void theEngineHasAKeyAndOneDatabase() {
        assertThat(Chart.refusal("everything", "access.authorization.token.secret="))
                .contains("token/secret");
        assertThat(Chart.refusal("everything", "openfga.postgres.password.secret="))
                .contains("password/secret");
        assertThat(Chart.refusal("everything", "openfga.postgres.enabled=false"))
                .contains("openfga.database.uri.secret");
        assertThat(Chart.refusal("everything", "openfga.database.uri.secret=db"))
                .contains("openfga.database.uri.secret");
        assertThat(Chart.refusal("everything", "access.authorization.url=https://other.example"))
                .contains("access.authorization.url");
        assertThat(Chart.refusal("trial", "openfga.enabled=true")).contains("/access/authorization/enabled");
    }

    @Test
    void whatContradictsItselfIsRefused() {
        assertThat(Chart.refusal("everything", "server.autoscaling.minReplicas=6"))
                .contains("minReplicas");
        assertThat(Chart.refusal(
                        "bucket",
                        "storage.projectCredentials[1].name=gold",
                        "storage.projectCredentials[1].project=other",
                        "storage.projectCredentials[1].secret=other",
                        "storage.projectCredentials[1].accessKeyIdKey=id",
                        "storage.projectCredentials[1].secretAccessKeyKey=secret"))
                .contains("the name gold");
    }
}
