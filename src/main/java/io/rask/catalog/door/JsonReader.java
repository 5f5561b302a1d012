package io.rask.catalog.door;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.Pace;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.wire.WireJson;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** Reads a bounded JSON body, or a query, into a route's own record and checks it; every failure is code 13 and names the field. */
@Component
final class JsonReader {
    private static final byte[] EMPTY = "{}".getBytes(StandardCharsets.UTF_8);

    private final JsonMapper bodies;
    private final JsonMapper queries = WireJson.queryMapper();
    private final Validator validator;
    private final CatalogProperties.Limits limits;

    JsonReader(JsonMapper bodies, Validator validator, CatalogProperties properties) {
        this.bodies = bodies;
        this.validator = validator;
        this.limits = properties.limits();
    }

    /** The body as it came, whatever its content type says. */
    byte[] bytes(HttpServletRequest request, long limit) throws IOException {
        return BoundedBody.of(request, limit, new Pace(limits)).readAllBytes();
    }

    /** Reads the body; none, {@code null} and <code>{}</code> are the same. */
    Object body(byte[] bytes, Type type) {
        JavaType target = bodies.constructType(type);
        return checked("body", () -> {
            Object value = isBlank(bytes) ? null : bodies.readValue(bytes, target);
            return value == null ? bodies.readValue(EMPTY, target) : value;
        });
    }

    /** Reads the query's parameters into a record; unknown ones are left alone. */
    Object query(HttpServletRequest request, Type type) {
        Map<String, Object> values = new LinkedHashMap<>();
        request.getParameterMap().forEach((name, sent) -> values.put(name, sent.length == 1 ? sent[0] : List.of(sent)));
        return checked("query", () -> queries.convertValue(values, queries.constructType(type)));
    }

    private interface Reading {
        Object read();
    }

    private Object checked(String part, Reading reading) {
        Object value;
        try {
            value = reading.read();
        } catch (DatabindException e) {
            throw misfit(part, e);
        } catch (JacksonException e) {
            throw CatalogException.invalid("The body is not valid JSON: " + firstLine(e.getOriginalMessage()));
        }
        Set<ConstraintViolation<Object>> violations = validator.validate(value);
        if (!violations.isEmpty()) {
            List<FieldViolation> fields = violations.stream()
                    .map(v -> new FieldViolation(wireName(v), v.getMessage()))
                    .sorted(java.util.Comparator.comparing(FieldViolation::field))
                    .toList();
            String first = fields.getFirst().field() + " " + fields.getFirst().message();
            throw CatalogException.invalid("The " + part + " breaks a rule: " + first + ".", fields);
        }
        return value;
    }

    private static CatalogException misfit(String part, DatabindException e) {
        String field = path(e);
        String reason = e.getCause() instanceof CatalogException known
                ? known.text()
                : "The value is missing or has the wrong type.";
        String where = field.isEmpty() ? "The " + part : "The field '" + field + "' of the " + part;
        return CatalogException.invalid(
                where + " cannot be read: " + reason,
                field.isEmpty() ? List.of() : List.of(new FieldViolation(field, reason)));
    }

    private static String path(DatabindException e) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : e.getPath()) {
            @Nullable String name = step.getPropertyName();
            if (name == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(name);
            }
        }
        return path.toString();
    }

    /** The parser's own words without what it quotes of its configuration. */
    private static String firstLine(@Nullable String message) {
        String text = message == null ? "it cannot be read" : message;
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    private static boolean isBlank(byte[] bytes) {
        for (byte b : bytes) {
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return false;
            }
        }
        return true;
    }

    /** The field as the client has it: by the name that its component gives it, or else in the spelling of all. */
    private static String wireName(ConstraintViolation<?> violation) {
        String path = violation.getPropertyPath().toString();
        RecordComponent[] components = violation.getRootBeanClass().getRecordComponents();
        return (components == null ? Stream.<RecordComponent>empty() : Arrays.stream(components))
                .filter(component -> component.getName().equals(path))
                .map(component -> component.getAccessor().getAnnotation(JsonProperty.class))
                .filter(Objects::nonNull)
                .map(JsonProperty::value)
                .findFirst()
                .orElseGet(() -> snakeCase(path));
    }

    private static String snakeCase(String path) {
        return path.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
