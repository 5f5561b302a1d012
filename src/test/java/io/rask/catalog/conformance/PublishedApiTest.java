package io.rask.catalog.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.Register.Operation;
import io.rask.catalog.testing.RunningServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

/** The register, the routes and the published description are one. */
@ExtendWith(ConformanceCatalog.Provider.class)
class PublishedApiTest {
    private final RunningServer server;
    private final JsonNode specification;
    private final JsonNode extensions;

    PublishedApiTest(ConformanceCatalog catalog) {
        this.server = catalog.server();
        this.specification = server.get("/v3/api-docs/lance-namespace").ok().json();
        this.extensions = server.get("/v3/api-docs/catalog").ok().json();
    }

    static Stream<Operation> served() {
        return Register.served();
    }

    static Stream<Operation> all() {
        return Stream.concat(Register.served(), Register.extensions().stream());
    }

    private static Set<String> names(Stream<Operation> operations) {
        return operations
                .map(operation -> operation.method() + " " + operation.path())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> published(JsonNode document) {
        Set<String> found = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .propertyNames()
                        .forEach(method -> found.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
        return found;
    }

    private JsonNode published(Operation operation) {
        JsonNode document = Register.operations().contains(operation) ? specification : extensions;
        return document.path("paths")
                .path(operation.path())
                .path(operation.method().toLowerCase(Locale.ROOT));
    }

    private JsonNode resolved(JsonNode schema) {
        String reference = schema.path("$ref").asString("");
        if (reference.isEmpty()) {
            return schema;
        }
        String pointer = reference.substring(1);
        JsonNode found = specification.at(pointer);
        return found.isMissingNode() ? extensions.at(pointer) : found;
    }

    @Test
    void everyRouteIsRegisteredAndEveryRegisteredOperationIsARoute() {
        Set<String> routes = new TreeSet<>();
        server.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .forEach((route, handler) -> route.getPatternValues().stream()
                        .filter(pattern -> pattern.startsWith("/v1"))
                        .forEach(pattern -> route.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> routes.add(method.name() + " " + pattern))));
        assertThat(routes).isEqualTo(names(all()));
    }

    @Test
    void theGroupOfTheSpecificationHasItsOperationsAndTheOtherAllElse() {
        assertThat(published(specification)).isEqualTo(names(served()));
        assertThat(published(extensions)).isEqualTo(names(Register.extensions().stream()));
        assertThat(published(server.get("/v3/api-docs").ok().json())).isEqualTo(names(all()));
        assertThat(specification.at("/info/version").asString()).isEqualTo(Register.specification());
    }

    @ParameterizedTest
    @MethodSource("all")
    void anOperationIsPublishedWithItsParametersStatusesAndCodes(Operation operation) {
        JsonNode told = published(operation);
        assertThat(told.path("operationId").asString()).isEqualTo(operation.name());
        assertThat(told.path("description").asString())
                .isEqualTo(operation.about())
                .endsWith(".");
        assertThat(parameters(told, "query")).containsExactlyInAnyOrderElementsOf(operation.query());
        List<String> inPath = Pattern.compile("\\{(\\w+)}")
                .matcher(operation.path())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(parameters(told, "path")).containsExactlyElementsOf(inPath);
        assertThat(told.path("responses").has(String.valueOf(operation.status())))
                .isTrue();
        for (int code : Stream.concat(operation.codes().stream(), Register.anywhere().stream())
                .toList()) {
            ErrorCode known = ErrorCode.ofNumber(code);
            JsonNode refusal = told.path("responses").path(String.valueOf(known.status()));
            assertThat(refusal.path("description").asString()).contains(code + " " + known.title());
            assertThat(refusal.path("content").propertyNames()).containsExactly("application/problem+json");
        }
    }

    private static List<String> parameters(JsonNode operation, String in) {
        return operation
                .path("parameters")
                .valueStream()
                .filter(parameter -> parameter.path("in").asString().equals(in))
                .map(parameter -> parameter.path("name").asString())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("served")
    void aBodyOfTheSpecificationHasItsFieldsAndTypes(Operation operation) {
        JsonNode content = published(operation).at("/requestBody/content");
        switch (operation.body()) {
            case "none" -> assertThat(content.isMissingNode()).isTrue();
            case "arrow" -> assertThat(content.propertyNames()).containsExactly("application/vnd.apache.arrow.stream");
            case "map" -> assertThat(content.propertyNames()).containsExactly("application/json");
            default -> {
                JsonNode schema = resolved(content.path("application/json").path("schema"));
                assertThat(schema.path("properties").propertyNames())
                        .containsExactlyInAnyOrderElementsOf(Objects.requireNonNull(operation.fields()));
                List<String> required = schema.path("required")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList();
                assertThat(required)
                        .containsExactlyInAnyOrderElementsOf(
                                Objects.requireNonNullElse(operation.required(), List.of()));
            }
        }
    }

    @Test
    void everyFieldAndParameterOfTheRegisterIsExplained() {
        Set<String> used = new TreeSet<>();
        all().forEach(operation -> {
            used.addAll(operation.query());
            used.addAll(Objects.requireNonNullElse(operation.fields(), List.of()));
        });
        assertThat(Register.fields().keySet()).containsAll(used);
        assertThat(Register.fields().values())
                .allSatisfy(about -> assertThat(about).isNotBlank());
    }

    /** A tool that reads the document finds all that it refers to. */
    @Test
    void nothingIsReferredToThatIsNotThere() {
        for (JsonNode document : List.of(specification, extensions)) {
            document.findValuesAsString("$ref")
                    .forEach(reference -> assertThat(
                                    document.at(reference.substring(1)).isObject())
                            .as(reference)
                            .isTrue());
        }
    }

    @Test
    void theDocumentsArePagesForPeopleToo() {
        assertThat(server.get("/swagger-ui/index.html").ok().text()).contains("swagger-ui");
        JsonNode settings = server.get("/v3/api-docs/swagger-config").ok().json();
        assertThat(settings.path("urls")
                        .valueStream()
                        .map(url -> url.path("url").asString()))
                .containsExactlyInAnyOrder("/v3/api-docs/lance-namespace", "/v3/api-docs/catalog");
    }

    @Test
    void aGroupThatIsNotThereIsARefusalLikeAnyOther() {
        RunningServer.Answer answer = server.get("/v3/api-docs/none");
        assertThat(answer.status()).as(answer.text()).isEqualTo(404);
        assertThat(answer.code()).isZero();
    }

    @Test
    void aSettingTakesThePublicationAwayHoweverItIsWritten(@TempDir Path folder) {
        try (RunningServer silent = RunningServer.on(folder, Map.of("lance.api-docs", "off"))) {
            for (String path : List.of(
                    "/v3/api-docs/lance-namespace",
                    "/v3/api-docs",
                    "/v3/api-docs.yaml",
                    "/v3/api-docs/swagger-config",
                    "/swagger-ui.html",
                    "/swagger-ui/index.html")) {
                assertThat(silent.get(path).status()).as(path).isEqualTo(404);
            }
            silent.get("/v1/projects").ok();
        }
    }
}
