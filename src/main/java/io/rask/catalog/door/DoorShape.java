package io.rask.catalog.door;

import io.rask.catalog.wire.ObjectRequest;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.core.MethodParameter;
import org.springframework.web.method.HandlerMethod;

/** What a handler's signature says about the request it takes. */
final class DoorShape {
    private DoorShape() {}

    static boolean takesArrow(HandlerMethod handler) {
        return Arrays.stream(handler.getMethodParameters()).anyMatch(DoorShape::isArrow);
    }

    static boolean isArrow(MethodParameter parameter) {
        return parameter.getParameterType() == ArrowBody.class;
    }

    /**
     * The type of the JSON body. A handler that declares none still gets the id in the body checked, because clients send it to
     * operations that need no body too.
     */
    static Optional<Type> bodyType(HandlerMethod handler, boolean get) {
        Optional<Type> declared = annotated(handler, Body.class);
        if (declared.isPresent() || get || takesArrow(handler)) {
            return declared;
        }
        return Optional.of(ObjectRequest.class);
    }

    static Optional<Type> queryType(HandlerMethod handler) {
        return annotated(handler, Query.class);
    }

    private static Optional<Type> annotated(
            HandlerMethod handler, Class<? extends java.lang.annotation.Annotation> annotation) {
        return Arrays.stream(handler.getMethodParameters())
                .filter(parameter -> parameter.hasParameterAnnotation(annotation))
                .map(MethodParameter::getGenericParameterType)
                .findFirst();
    }
}
