package io.rask.catalog.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.LintResult;
import io.rask.catalog.deployment.Chart.Rendered;
import io.rask.catalog.deployment.Chart.Rendering;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** What the chart makes of values. */
class ChartTest {
    private static final String NAME = "lake-rask-lance-catalog";
    private static final String LARGE_INGRESS = "ingress.enabled=true";

    @TempDir
    Path work;

    /** What is rendered in all tests that hold something of every object. */
    static Stream<Rendering> matrix() {
        return Stream.of(
                Chart.render("bucket"),
                Chart.render("everything"),
                Chart.render("trial"),
                Chart.render("trial", "storage.volume.existingClaim=lake-data", "serviceAccount.create=false"),
                Chart.render("bucket", LARGE_INGRESS, "ingress.hosts[0]=catalog.example", "worker.replicas=0"),
                Chart.render("bucket", "server.replicas=1", "networkPolicy.enabled=true", "fullnameOverride=catalog"),
                Chart.render(
                        "everything",
                        "openfga.postgres.enabled=false",
                        "openfga.database.uri.secret=db",
                        "openfga.replicas=1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "bucket", "everything", "trial"})
    void isCleanForTheStrictestLint(String values) throws IOException {
        LintResult result = Chart.lint(work, values.isEmpty() ? null : values);
        assertThat(result.isFailed()).as(String.valueOf(result.getMessages())).isFalse();
    }

    @ParameterizedTest
    @MethodSource("matrix")
    void everyServiceAndBudgetSelectsPodsThatAreThere(Rendering rendering) {
        List<Map<String, Object>> pods = rendering.workloads().stream()
                .map(workload -> workload.map("spec", "template", "metadata", "labels"))
                .toList();
        List<Map<String, Object>> selectors = new ArrayList<>();
        rendering.all("Service").forEach(service -> selectors.add(service.map("spec", "selector")));
        rendering
                .all("PodDisruptionBudget")
                .forEach(budget -> selectors.add(budget.map("spec", "selector", "matchLabels")));
        rendering
                .all("NetworkPolicy")
                .forEach(policy -> selectors.add(policy.map("spec", "podSelector", "matchLabels")));
        rendering
                .all("Deployment", "StatefulSet")
                .forEach(workload -> selectors.add(workload.map("spec", "selector", "matchLabels")));
        assertThat(selectors).isNotEmpty().allSatisfy(selector -> {
            assertThat(selector).isNotEmpty();
            assertThat(pods.stream().filter(pod -> pod.entrySet().containsAll(selector.entrySet())))
                    .hasSize(1);
        });
    }

    @ParameterizedTest
    @MethodSource("matrix")
    void everyPortThatIsSentToIsOneThatAContainerHas(Rendering rendering) {
        for (Rendered service : rendering.all("Service")) {
            Rendered workload = rendering.all("Deployment", "StatefulSet").stream()
                    .filter(each -> each.map("spec", "template", "metadata", "labels")
                            .entrySet()
                            .containsAll(service.map("spec", "selector").entrySet()))
                    .findFirst()
                    .orElseThrow();
            Set<Object> open = workload.list("spec", "template", "spec", "containers", 0, "ports").stream()
                    .map(port -> port.get("name"))
                    .collect(Collectors.toSet());
            assertThat(service.list("spec", "ports"))
                    .allSatisfy(port -> assertThat(open).contains(port.get("targetPort")));
        }
        rendering
                .all("Ingress")
                .forEach(ingress -> assertThat(ingress.text(
                                "spec", "rules", 0, "http", "paths", 0, "backend", "service", "port", "name"))
                        .isEqualTo("http"));
    }

    @ParameterizedTest
    @MethodSource("matrix")
    void everyContainerRunsWithoutRightsOnAReadOnlyRoot(Rendering rendering) {
        assertThat(rendering.workloads()).allSatisfy(workload -> {
            assertThat(workload.at("spec", "template", "spec", "securityContext", "runAsNonRoot"))
                    .isEqualTo(true);
            assertThat((Integer) workload.at("spec", "template", "spec", "securityContext", "runAsUser"))
                    .isPositive();
            assertThat(workload.at("spec", "template", "spec", "automountServiceAccountToken"))
                    .isEqualTo(false);
            assertThat(workload.at("spec", "template", "spec", "enableServiceLinks"))
                    .isEqualTo(false);
            assertThat(workload.at("spec", "template", "spec", "initContainers"))
                    .isNull();
            assertThat(workload.list("spec", "template", "spec", "containers")).hasSize(1);
            String container = "containers";
            assertThat(workload.map("spec", "template", "spec", container, 0, "securityContext"))
                    .containsEntry("readOnlyRootFilesystem", true)
                    .containsEntry("allowPrivilegeEscalation", false)
                    .containsEntry("capabilities", Map.of("drop", List.of("ALL")));
            assertThat(workload.map("spec", "template", "spec", container, 0, "resources"))
                    .containsKeys("requests", "limits");
        });
    }

    @ParameterizedTest
    @MethodSource("matrix")
    void everyVolumeThatIsMountedIsThere(Rendering rendering) {
        assertThat(rendering.workloads()).allSatisfy(workload -> {
            Set<Object> there = Stream.concat(
                            workload.list("spec", "template", "spec", "volumes").stream()
                                    .map(volume -> volume.get("name")),
                            workload.list("spec", "volumeClaimTemplates").stream()
                                    .map(claim -> new Rendered(claim).name()))
                    .collect(Collectors.toSet());
            Set<Object> mounted = workload.list("spec", "template", "spec", "containers", 0, "volumeMounts").stream()
                    .map(mount -> mount.get("name"))
                    .collect(Collectors.toSet());
            assertThat(there).isEqualTo(mounted);
        });
    }

    @ParameterizedTest
    @MethodSource("matrix")
    void secretsAreNamedAndNeverCarried(Rendering rendering) {
        assertThat(rendering.all("Secret")).isEmpty();
        Pattern secret = Pattern.compile(".*(SECRET|TOKEN|PASSWORD|ACCESS_KEY|PRESHARED|_KEY$|_URI).*");
        for (Rendered workload : rendering.workloads()) {
            for (Map<String, Object> variable : workload.list("spec", "template", "spec", "containers", 0, "env")) {
                String name = String.valueOf(variable.get("name"));
                if (secret.matcher(name).matches() && variable.containsKey("value")) {
                    assertThat(String.valueOf(variable.get("value"))).as(name).matches("postgres://[^@]*");
                }
            }
        }
        assertThat(rendering
                        .one("ConfigMap", settingsName(rendering))
                        .map("data")
                        .keySet())
                .noneMatch(name -> secret.matcher(name).matches());
    }

    private static String settingsName(Rendering rendering) {
        return rendering.all("ConfigMap").getFirst().name();
    }

    @Test
    void severalServersShareABucketAndLeaveJobsToWorkers() {
        Rendering rendering = Chart.render("bucket");
        Rendered server = rendering.one("Deployment", NAME);
        Rendered worker = rendering.one("Deployment", NAME + "-worker");
        assertThat(server.at("spec", "replicas")).isEqualTo(2);
        assertThat(server.text("spec", "strategy", "type")).isEqualTo("RollingUpdate");
        assertThat(server.at("spec", "strategy", "rollingUpdate", "maxUnavailable"))
                .isEqualTo(0);
        assertThat(variable(server, "LANCE_JOBS_WORKER")).isEqualTo("none");
        assertThat(worker.at("spec", "template", "spec", "containers", 0, "args"))
                .isEqualTo(List.of("worker"));
        assertThat(rendering.one("PodDisruptionBudget", NAME).at("spec", "maxUnavailable"))
                .isEqualTo(1);
        assertThat(rendering.one("Service", NAME).at("spec", "ports", 0, "port"))
                .isEqualTo(2333);
    }

    @Test
    void aVolumeHasOneServerThatStartsItsOwnWorkersAndKeepsItsClaim() {
        Rendering rendering = Chart.render("trial");
        Rendered server = rendering.one("Deployment", NAME);
        assertThat(server.at("spec", "replicas")).isEqualTo(1);
        assertThat(server.text("spec", "strategy", "type")).isEqualTo("Recreate");
        assertThat(variable(server, "LANCE_JOBS_WORKER")).isEqualTo("spawned");
        assertThat(rendering.all("PodDisruptionBudget", "HorizontalPodAutoscaler"))
                .isEmpty();
        assertThat(rendering
                        .one("PersistentVolumeClaim", NAME)
                        .text("metadata", "annotations", "helm.sh/resource-policy"))
                .isEqualTo("keep");
        String root = rendering.one("ConfigMap", NAME).text("data", "LANCE_REST_ROOT");
        assertThat(root).startsWith("/var/lib/catalog/");
        assertThat(Chart.render("trial", "storage.volume.existingClaim=mine").all("PersistentVolumeClaim"))
                .isEmpty();
    }

    @Test
    void aliveIsAskedOfTheProcessAndReadyOfTheStore() {
        Rendered server = Chart.render("bucket").one("Deployment", NAME);
        Object[] container = {"spec", "template", "spec", "containers", 0};
        assertThat(server.text(path(container, "livenessProbe", "httpGet", "path")))
                .isEqualTo("/livez");
        assertThat(server.text(path(container, "startupProbe", "httpGet", "path")))
                .isEqualTo("/livez");
        assertThat(server.text(path(container, "readinessProbe", "httpGet", "path")))
                .isEqualTo("/readyz");
    }

    /** A stop takes as long as proxies need to hear of it, and then as long as requests may take to finish. */
    @Test
    void aServerHasTheTimeToFinishItsRequests() {
        Rendered server = Chart.render("bucket").one("Deployment", NAME);
        int grace = Integer.parseInt(server.text("spec", "template", "spec", "terminationGracePeriodSeconds"));
        int drain = Integer.parseInt(
                server.text("spec", "template", "spec", "containers", 0, "lifecycle", "preStop", "exec", "command", 1));
        int phase = 20;
        assertThat(grace).isGreaterThan(drain + 2 * phase);
    }

    @Test
    void anAutoscalerDecidesTheNumberOfServersAlone() {
        Rendering rendering = Chart.render("everything");
        assertThat(rendering.one("Deployment", NAME).at("spec", "replicas")).isNull();
        assertThat(rendering.one("HorizontalPodAutoscaler", NAME).text("spec", "scaleTargetRef", "name"))
                .isEqualTo(NAME);
    }

    @Test
    void imagesArePinnedByDigestWhereOneIsGiven() {
        Rendering rendering = Chart.render("everything");
        String image = rendering.one("Deployment", NAME).text("spec", "template", "spec", "containers", 0, "image");
        String engine = rendering
                .one("Deployment", NAME + "-openfga")
                .text("spec", "template", "spec", "containers", 0, "image");
        assertThat(image).matches("rask-lance-catalog:.+@sha256:b{64}");
        assertThat(engine).matches("docker.io/openfga/openfga:v[0-9.]+@sha256:a{64}");
        assertThat(Chart.render("bucket")
                        .one("Deployment", NAME)
                        .text("spec", "template", "spec", "containers", 0, "image"))
                .isEqualTo("rask-lance-catalog:" + appVersion());
    }

    private static String appVersion() {
        try {
            Map<String, Object> chart = new Yaml().load(Files.readString(Chart.SOURCE.resolve("Chart.yaml")));
            return String.valueOf(chart.get("appVersion"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void theChartInstallsTheVersionItIsPartOf() throws IOException {
        String version = Pattern.compile("<artifactId>rask-lance-catalog</artifactId>\\s*<version>(.+)</version>")
                .matcher(Files.readString(Path.of("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
        assertThat(appVersion()).isEqualTo(version);
    }

    @Test
    void theEngineIsMigratedByAJobThatIsNewWheneverItDoesSomethingElse() {
        Rendering rendering = Chart.render("everything");
        Rendered job = rendering.all("Job").getFirst();
        assertThat(job.list("spec", "template", "spec", "containers").getFirst().get("args"))
                .asString()
                .contains("migrate");
        assertThat(migration(rendering)).isEqualTo(migration(Chart.render("everything", "server.heap=1g")));
        assertThat(migration(rendering))
                .isNotEqualTo(migration(Chart.render("everything", "openfga.image.tag=v1.19.0")));
        Rendered engine = rendering.one("Deployment", NAME + "-openfga");
        assertThat(variables(engine)).containsEntry("OPENFGA_AUTHN_METHOD", "preshared");
        assertThat(rendering.one("ConfigMap", NAME).text("data", "LANCE_FGA_API_URL"))
                .isEqualTo("http://" + NAME + "-openfga:8080");
        assertThat(rendering.one("Service", NAME + "-openfga").at("spec", "ports", 0, "port"))
                .isEqualTo(8080);
    }

    private static String migration(Rendering rendering) {
        return rendering.all("Job").getFirst().name();
    }

    @Test
    void theIngressSendsEverythingOnAsItCame() throws IOException {
        Rendered ingress = Chart.render("everything").one("Ingress", NAME);
        assertThat(ingress.list("spec", "rules", 0, "http", "paths")).hasSize(1);
        assertThat(ingress.text("spec", "rules", 0, "http", "paths", 0, "path")).isEqualTo("/");
        Map<String, Object> annotations = ingress.map("metadata", "annotations");
        assertThat(annotations.keySet()).noneMatch(name -> name.contains("rewrite") || name.contains("regex"));
        // The same words as in the configuration that a test runs.
        String nginx = Files.readString(Path.of("docs", "nginx", "catalog.conf"));
        String prefix = "nginx.ingress.kubernetes.io/";
        annotations.forEach((name, value) -> {
            String directive = name.substring(prefix.length())
                    .replace('-', '_')
                    .replace("proxy_body_size", "client_max_body_size");
            String wanted = directive.endsWith("timeout") ? value + "s" : String.valueOf(value);
            assertThat(nginx).contains(directive + " " + wanted + ";");
        });
    }

    @Test
    void theNetworkLetsInWhoIsListedAndNobodyElse() {
        Rendering rendering = Chart.render("everything");
        assertThat(rendering.all("NetworkPolicy").stream().map(Rendered::name))
                .containsExactlyInAnyOrder(NAME, NAME + "-worker", NAME + "-openfga", NAME + "-postgres");
        assertThat(rendering.one("NetworkPolicy", NAME).list("spec", "ingress", 0, "from"))
                .hasSize(1);
        assertThat(rendering.one("NetworkPolicy", NAME + "-worker").at("spec", "ingress"))
                .isNull();
        assertThat(Chart.render("bucket", "networkPolicy.enabled=true")
                        .one("NetworkPolicy", NAME)
                        .at("spec", "ingress"))
                .isNull();
    }

    @Test
    void theSettingsOfAProjectsCredentialComeFromItsSecret() {
        Rendered server = Chart.render("bucket").one("Deployment", NAME);
        assertThat(variables(server))
                .containsEntry("LANCE_STORAGE_CREDENTIALS_GOLD_PROJECT", "acme")
                .containsEntry("LANCE_STORAGE_CREDENTIALS_GOLD_SECRET_ACCESS_KEY", "acme-gold/secret")
                .containsEntry("LANCE_STORAGE_CREDENTIALS_GOLD_CLIENT_ACCESS_KEY_ID", "acme-gold/client-id")
                .containsEntry("LANCE_S3_SECRET_ACCESS_KEY", "store/secret-access-key")
                .containsEntry("LANCE_S3_CLIENT_SECRET_ACCESS_KEY", "store-clients/secret-access-key");
        assertThat(variables(Chart.render("everything").one("Deployment", NAME)))
                .containsEntry("LANCE_BOOTSTRAP_KEYS_CI_KEY", "ci-key/key")
                .containsEntry("LANCE_FGA_TOKEN", "fga/token");
    }

    /** Every name that the chart sets is a setting that is documented, and so one that the server knows. */
    @ParameterizedTest
    @MethodSource("matrix")
    void everySettingIsOneThatTheServerKnows(Rendering rendering) throws IOException {
        List<Pattern> known = Pattern.compile("`((?:LANCE|SERVER|JAVA|MALLOC)_[A-Z0-9_<>]+)`")
                .matcher(Files.readString(Path.of("docs", "configuration.md")))
                .results()
                .map((MatchResult row) -> Pattern.compile(row.group(1).replace("<NAME>", "[A-Z0-9]+")))
                .toList();
        Set<String> set = new TreeSet<>();
        rendering.workloads().stream()
                .filter(workload -> workload.text("spec", "template", "spec", "containers", 0, "image")
                        .startsWith("rask-lance-catalog"))
                .forEach(workload -> set.addAll(variables(workload).keySet()));
        set.addAll(rendering.all("ConfigMap").getFirst().map("data").keySet());
        assertThat(set)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(known)
                        .anyMatch(pattern -> pattern.matcher(name).matches()
                                || name.matches("LANCE_(OIDC|FGA|API_KEYS|BOOTSTRAP|TRASH)_.*")));
    }

    @Test
    void theNotesSayWhatIsNotGuarded() {
        assertThat(notes()).contains("Nobody is asked who they are");
    }

    private static String notes() {
        try {
            return Files.readString(Chart.SOURCE.resolve("templates/NOTES.txt"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String variable(Rendered workload, String name) {
        return String.valueOf(variables(workload).get(name));
    }

    /** The variables of the first container: their value, or where it comes from, as {@code secret/key}. */
    private static Map<String, String> variables(Rendered workload) {
        return workload.list("spec", "template", "spec", "containers", 0, "env").stream()
                .collect(Collectors.toMap(variable -> String.valueOf(variable.get("name")), variable -> {
                    Rendered from = new Rendered(variable);
                    return variable.containsKey("value")
                            ? String.valueOf(variable.get("value"))
                            : from.text("valueFrom", "secretKeyRef", "name") + "/"
                                    + from.text("valueFrom", "secretKeyRef", "key");
                }));
    }

    private static Object[] path(Object[] start, Object... rest) {
        return Stream.concat(Stream.of(start), Stream.of(rest)).toArray();
    }
}
