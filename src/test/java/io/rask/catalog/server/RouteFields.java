package io.rask.catalog.server;

import io.rask.catalog.door.Body;
import io.rask.catalog.door.Query;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.core.MethodParameter;
import org.springframework.web.method.HandlerMethod;
import tools.jackson.databind.PropertyNamingStrategies;

/** The names of all fields that a route reads, from the records it reads them into; a new field is known by itself. */
final class RouteFields {
    private RouteFields() {}

    static List<String> of(HandlerMethod handler) {
        Set<String> names =
                new TreeSet<>(Set.of("id", "context", "identity", "delimiter", "branch", "force", "unknown"));
        Set<Type> seen = new HashSet<>();
        for (MethodParameter parameter : handler.getMethodParameters()) {
            if (parameter.hasParameterAnnotation(Body.class) || parameter.hasParameterAnnotation(Query.class)) {
                collect(parameter.getGenericParameterType(), names, seen);
            }
        }
        return List.copyOf(names);
    }

    private static void collect(Type type, Set<String> names, Set<Type> seen) {
        if (!seen.add(type)) {
            return;
        }
        switch (type) {
            case ParameterizedType generic -> {
                for (Type argument : generic.getActualTypeArguments()) {
                    collect(argument, names, seen);
                }
            }
            case WildcardType wild -> collect(wild.getUpperBounds()[0], names, seen);
            case Class<?> plain -> {
                RecordComponent[] components = plain.getRecordComponents();
                if (components != null) {
                    for (RecordComponent component : components) {
                        names.add(PropertyNamingStrategies.SNAKE_CASE.nameForField(null, null, component.getName()));
                        collect(component.getGenericType(), names, seen);
                    }
                } else if (plain.isSealed()) {
                    for (Class<?> one : plain.getPermittedSubclasses()) {
                        collect(one, names, seen);
                    }
                }
            }
            default -> {}
        }
    }
}
