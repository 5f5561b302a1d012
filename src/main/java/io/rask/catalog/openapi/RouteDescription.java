package io.rask.catalog.openapi;

import io.rask.catalog.door.Body;
import io.rask.catalog.door.Query;
import io.rask.catalog.openapi.OperationRegister.Operation;
import io.rask.catalog.problem.ErrorCode;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.lang.annotation.Annotation;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.method.HandlerMethod;

/** One route as the published document tells it. */
final class RouteDescription {
    static final String PROBLEM = "Problem";
    private static final Pattern IN_PATH = Pattern.compile("\\{(\\w+)}");
    private static final String ARROW = "application/vnd.apache.arrow.";

    private final Operation operation;
    private final HandlerMethod handler;
    private final WireSchemas schemas;
    private final OperationRegister register;
    private final int unsupportedStatus;

    RouteDescription(
            Operation operation,
            HandlerMethod handler,
            WireSchemas schemas,
            OperationRegister register,
            int unsupportedStatus) {
        this.operation = operation;
        this.handler = handler;
        this.schemas = schemas;
        this.register = register;
        this.unsupportedStatus = unsupportedStatus;
    }

    io.swagger.v3.oas.models.Operation described() {
        io.swagger.v3.oas.models.Operation told = new io.swagger.v3.oas.models.Operation()
                .operationId(operation.name())
                .addTagsItem(operation.group())
                .description(operation.about());
        parameters().forEach(told::addParametersItem);
        RequestBody body = body();
        if (body != null) {
            told.requestBody(body);
        }
        return told.responses(responses());
    }

    private Stream<Parameter> parameters() {
        Type query = parameter(Query.class);
        Map<String, RecordComponent> known = query instanceof Class<?> type ? WireSchemas.members(type) : Map.of();
        return Stream.concat(
                IN_PATH.matcher(operation.path()).results().map(RouteDescription::inPath),
                operation.query().stream().map(name -> inQuery(name, known.get(name))));
    }

    private static Parameter inPath(MatchResult found) {
        String name = found.group(1);
        return new Parameter().in("path").name(name).required(true).schema(new StringSchema());
    }

    private Parameter inQuery(String name, @Nullable RecordComponent component) {
        List<String> required = operation.requiredQuery();
        Parameter parameter = new Parameter()
                .in("query")
                .name(name)
                .required(required != null && required.contains(name))
                .schema(component == null ? new StringSchema() : schemas.of(component.getGenericType()));
        String about = register.about(name);
        return about == null ? parameter : parameter.description(about);
    }

    private @Nullable RequestBody body() {
        return switch (operation.body()) {
            case "arrow" ->
                new RequestBody()
                        .required(true)
                        .description("The rows as an Arrow IPC stream.")
                        .content(binary(ARROW + "stream"));
            case "json" ->
                new RequestBody()
                        .required(operation.required() != null)
                        .content(json(
                                schemas.selected(parameter(Body.class), operation.fields(), operation.required())));
            case "map" ->
                new RequestBody()
                        .required(true)
                        .content(json(new ObjectSchema().additionalProperties(new StringSchema())));
            default -> null;
        };
    }

    private ApiResponses responses() {
        ApiResponses responses = new ApiResponses();
        ApiResponse success = new ApiResponse().description("Done.");
        Content content = answer();
        if (content != null) {
            success.content(content);
        }
        responses.addApiResponse(String.valueOf(operation.status()), success);
        if (operation.also() != null) {
            operation.also().forEach(status -> responses.addApiResponse(String.valueOf(status), success));
        }
        refusals().forEach((status, codes) -> responses.addApiResponse(String.valueOf(status), refusal(codes)));
        return responses;
    }

    private @Nullable Content answer() {
        return switch (operation.answer()) {
            case "arrow" -> binary(ARROW + (operation.path().startsWith("/v1/jobs/") ? "stream" : "file"));
            case "number" -> json(new IntegerSchema().format("int64"));
            case "text" -> json(new StringSchema());
            case "map" -> json(new ObjectSchema().additionalProperties(new StringSchema()));
            case "nothing" -> null;
            default -> json(answered());
        };
    }

    private Schema<?> answered() {
        Type type = handler.getMethod().getGenericReturnType();
        if (type instanceof java.lang.reflect.ParameterizedType wrapped) {
            type = wrapped.getActualTypeArguments()[0];
        }
        return type instanceof Class<?> plain && plain.isRecord()
                ? schemas.of(type)
                : schemas.selected(null, operation.answerFields(), null);
    }

    /** The codes of the operation, and those of any, by their statuses. */
    private SortedMap<Integer, List<ErrorCode>> refusals() {
        return Stream.concat(operation.codes().stream(), register.anywhere().stream())
                .distinct()
                .sorted()
                .map(ErrorCode::ofNumber)
                .collect(Collectors.groupingBy(
                        code -> code == ErrorCode.UNSUPPORTED ? unsupportedStatus : code.status(),
                        TreeMap::new,
                        Collectors.toList()));
    }

    private static ApiResponse refusal(List<ErrorCode> codes) {
        String told = codes.stream()
                .map(code -> code.number() + " " + code.title())
                .collect(Collectors.joining(", ", "Code ", "."));
        return new ApiResponse()
                .description(told)
                .content(new Content()
                        .addMediaType(
                                "application/problem+json",
                                new MediaType().schema(new Schema<>().$ref("#/components/schemas/" + PROBLEM))));
    }

    private @Nullable Type parameter(Class<? extends Annotation> annotation) {
        return Arrays.stream(handler.getMethodParameters())
                .filter(each -> each.hasParameterAnnotation(annotation))
                .map(MethodParameter::getGenericParameterType)
                .findFirst()
                .orElse(null);
    }

    private static Content json(Schema<?> schema) {
        return new Content().addMediaType("application/json", new MediaType().schema(schema));
    }

    private static Content binary(String type) {
        return new Content().addMediaType(type, new MediaType().schema(new StringSchema().format("binary")));
    }
}
