package io.rask.catalog.door;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.platform.CatalogProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Hands a handler what its door has read: the target's {@link ObjectId}, the body, the query, the context, the Arrow stream. */
@Component
final class DoorArguments implements HandlerMethodArgumentResolver {
    private final long arrowLimit;

    DoorArguments(CatalogProperties properties) {
        this.arrowLimit = properties.limits().arrowBody().toBytes();
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        return type == ObjectId.class
                || type == RequestContext.class
                || type == DoorCall.class
                || DoorShape.isArrow(parameter)
                || parameter.hasParameterAnnotation(Body.class)
                || parameter.hasParameterAnnotation(Query.class);
    }

    @Override
    public @Nullable Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest web,
            @Nullable WebDataBinderFactory binders)
            throws IOException {
        if (!(web.getAttribute(DoorInterceptor.CALL, RequestAttributes.SCOPE_REQUEST) instanceof DoorCall call)) {
            throw new IllegalStateException(parameter.getExecutable() + " declares no door.");
        }
        if (DoorShape.isArrow(parameter)) {
            HttpServletRequest request = web.getNativeRequest(HttpServletRequest.class);
            if (request == null) {
                throw new IllegalStateException("Arrow bodies come over HTTP only.");
            }
            return new ArrowBody(BoundedBody.of(request, arrowLimit));
        }
        if (parameter.hasParameterAnnotation(Body.class)) {
            return call.body().orElse(null);
        }
        if (parameter.hasParameterAnnotation(Query.class)) {
            return web.getAttribute(DoorInterceptor.QUERY, RequestAttributes.SCOPE_REQUEST);
        }
        Class<?> type = parameter.getParameterType();
        if (type == ObjectId.class) {
            return call.targetObject();
        }
        return type == DoorCall.class ? call : call.context();
    }
}
