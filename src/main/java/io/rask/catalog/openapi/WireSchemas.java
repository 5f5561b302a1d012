package io.rask.catalog.openapi;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.BooleanSchema;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.NumberSchema;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonDeserialize;

/** The records of the wire as schemas: each record that is met becomes a component of the document. */
final class WireSchemas {
    private final Components components;
    private final OperationRegister register;

    WireSchemas(Components components, OperationRegister register) {
        this.components = components;
        this.register = register;
    }

    /** A type as it is written or read on the wire. */
    Schema<?> of(Type type) {
        return switch (type) {
            case ParameterizedType generic -> generic(generic);
            case WildcardType wild -> of(wild.getUpperBounds()[0]);
            case Class<?> plain -> plain(plain);
            default -> new Schema<>();
        };
    }

    private Schema<?> generic(ParameterizedType type) {
        Type[] arguments = type.getActualTypeArguments();
        if (type.getRawType() == List.class) {
            return new ArraySchema().items(of(arguments[0]));
        }
        return type.getRawType() == Map.class
                ? new ObjectSchema().additionalProperties(of(arguments[1]))
                : new Schema<>();
    }

    private Schema<?> plain(Class<?> type) {
        if (type == String.class) {
            return new StringSchema();
        }
        if (type == Boolean.class || type == boolean.class) {
            return new BooleanSchema();
        }
        if (type == Long.class || type == long.class || type == Integer.class || type == int.class) {
            return new IntegerSchema().format("int64");
        }
        if (type == Double.class || type == double.class) {
            return new NumberSchema().format("double");
        }
        if (type.isEnum()) {
            StringSchema text = new StringSchema();
            Arrays.stream(type.getEnumConstants())
                    .forEach(constant -> text.addEnumItem(constant.toString().toLowerCase(Locale.ROOT)));
            return text;
        }
        return type.isRecord() && !type.isAnnotationPresent(JsonDeserialize.class) ? reference(type) : new Schema<>();
    }

    private Schema<?> reference(Class<?> type) {
        String name = name(type);
        if (components.getSchemas() == null || !components.getSchemas().containsKey(name)) {
            ObjectSchema schema = new ObjectSchema();
            // Before its members, which may hold it again.
            components.addSchemas(name, schema);
            members(type).forEach((member, component) -> {
                schema.addProperty(member, of(component.getGenericType()));
                if (isRequired(component)) {
                    schema.addRequiredItem(member);
                }
            });
        }
        return new Schema<>().$ref("#/components/schemas/" + name);
    }

    /** A record inside another is told apart by both names. */
    private static String name(Class<?> type) {
        Class<?> around = type.getDeclaringClass();
        return around == null ? type.getSimpleName() : around.getSimpleName() + type.getSimpleName();
    }

    /** The members of a body or query: those that are named, or all of the record's where none are. */
    ObjectSchema selected(@Nullable Type record, @Nullable List<String> named, @Nullable List<String> required) {
        Map<String, RecordComponent> known = record instanceof Class<?> type ? members(type) : Map.of();
        ObjectSchema schema = new ObjectSchema();
        for (String member : named == null ? known.keySet() : named) {
            schema.addProperty(member, described(member, known.get(member)));
        }
        if (required != null) {
            required.forEach(schema::addRequiredItem);
        }
        return schema;
    }

    /** One member: its type from the record that reads it, what it means from the register. */
    Schema<?> described(String member, @Nullable RecordComponent component) {
        Schema<?> schema = component == null ? new Schema<>() : of(component.getGenericType());
        String about = register.about(member);
        if (about == null || schema.get$ref() != null) {
            return schema;
        }
        return schema.description(about);
    }

    /** The members of a record by their names on the wire. */
    static Map<String, RecordComponent> members(Class<?> type) {
        Map<String, RecordComponent> members = new LinkedHashMap<>();
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
                members.put(named == null ? snakeCase(component.getName()) : named.value(), component);
            }
        }
        return members;
    }

    private static String snakeCase(String name) {
        return PropertyNamingStrategies.SNAKE_CASE.nameForField(null, null, name);
    }

    private static boolean isRequired(RecordComponent component) {
        return component.getType().isPrimitive()
                || component.getAccessor().isAnnotationPresent(NotNull.class)
                || component.getAccessor().isAnnotationPresent(NotEmpty.class);
    }
}
