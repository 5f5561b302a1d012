package io.rask.catalog.openapi;

import io.rask.catalog.openapi.OperationRegister.Operation;
import io.rask.catalog.platform.CatalogProperties;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.StringSchema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.models.GroupedOpenApi;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Publishes the API in two groups, the operations of the specification with what the specification has of them, and all else that
 * is served; and as a whole. The library that serves the document reads no handler for it: their parameters are of the door's making, which it
 * does not know.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(ApiDocsSwitch.OPEN)
class PublishedApi {
    private final OperationRegister register;
    private final RequestMappingHandlerMapping routes;
    private final int unsupportedStatus;

    PublishedApi(
            OperationRegister register,
            @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping routes,
            CatalogProperties properties) {
        this.register = register;
        this.routes = routes;
        this.unsupportedStatus = properties.unsupportedStatus();
    }

    @Bean
    GroupedOpenApi specificationApi() {
        return GroupedOpenApi.builder()
                .group("lance-namespace")
                .pathsToExclude("/**")
                .addOpenApiCustomizer(
                        api -> describe(api, "Lance Namespace", register.version(), register.specification()))
                .build();
    }

    @Bean
    GroupedOpenApi extensionsApi() {
        return GroupedOpenApi.builder()
                .group("catalog")
                .pathsToExclude("/**")
                .addOpenApiCustomizer(api -> describe(api, "Catalog", "1", register.extensions()))
                .build();
    }

    @Bean
    OpenApiCustomizer wholeApi() {
        return api -> describe(
                api,
                "Catalog and Lance Namespace",
                register.version(),
                Stream.concat(register.specification().stream(), register.extensions().stream())
                        .toList());
    }

    private void describe(OpenAPI api, String title, String version, List<Operation> operations) {
        Components components = new Components();
        components.addSchemas(RouteDescription.PROBLEM, problem());
        WireSchemas schemas = new WireSchemas(components, register);
        Map<String, HandlerMethod> handlers = handlers();
        Paths paths = new Paths();
        for (Operation operation : operations) {
            HandlerMethod handler = handlers.get(operation.method() + operation.path());
            if (handler != null) {
                PathItem item = paths.computeIfAbsent(operation.path(), any -> new PathItem());
                item.operation(
                        PathItem.HttpMethod.valueOf(operation.method()),
                        new RouteDescription(operation, handler, schemas, register, unsupportedStatus).described());
            }
        }
        api.info(new Info().title(title).version(version)).paths(paths).components(components);
        api.setTags(null);
    }

    private Map<String, HandlerMethod> handlers() {
        Map<String, HandlerMethod> handlers = new HashMap<>();
        routes.getHandlerMethods()
                .forEach((route, handler) -> route.getPatternValues()
                        .forEach(pattern -> route.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> handlers.put(method.name() + pattern, handler))));
        return handlers;
    }

    /** What clients read of a refusal; there is more in it. */
    private static ObjectSchema problem() {
        ObjectSchema problem = new ObjectSchema();
        problem.addProperty("code", new IntegerSchema().format(null));
        for (String text : List.of("error", "error_code", "type", "title", "detail", "instance", "request_id")) {
            problem.addProperty(text, new StringSchema());
        }
        problem.addProperty("status", new IntegerSchema().format(null));
        problem.addRequiredItem("code");
        problem.addRequiredItem("error");
        return problem;
    }
}
