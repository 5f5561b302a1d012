package io.rask.catalog.door;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.Pace;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Hands a handler what its door has read: the target's {@link ObjectId}, the body, the query, the context, the Arrow stream, the way back. */
@Component
final class DoorArguments implements HandlerMethodArgumentResolver {
    private static final String ARROW_FILE = "application/vnd.apache.arrow.file";

    private static final String ARROW_STREAM = "application/vnd.apache.arrow.stream";

    private final CatalogProperties.Limits limits;

    DoorArguments(CatalogProperties properties) {
        this.limits = properties.limits();
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        return type == ObjectId.class
                || type == RequestContext.class
                || type == DoorCall.class
                || type == ArrowResponse.class
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
            return new ArrowBody(BoundedBody.of(request, limits.arrowBody().toBytes(), new Pace(limits)));
        }
        if (parameter.getParameterType() == ArrowResponse.class) {
            return response(web);
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

    private ArrowResponse response(NativeWebRequest web) {
        HttpServletResponse response = web.getNativeResponse(HttpServletResponse.class);
        if (response == null) {
            throw new IllegalStateException("Arrow files go over HTTP only.");
        }
        return new ArrowResponse() {
            @Override
            public void ofVersion(long version) {
                response.setHeader(RequestContext.READ_VERSION, String.valueOf(version));
            }

            @Override
            public WritableByteChannel open() throws IOException {
                return open(ARROW_FILE);
            }

            @Override
            public WritableByteChannel openStream(Map<String, String> headers) throws IOException {
                headers.forEach(response::setHeader);
                return open(ARROW_STREAM);
            }

            private WritableByteChannel open(String type) throws IOException {
                response.setContentType(type);
                response.setBufferSize(PacedChannel.PIECE);
                return new PacedChannel(container(response).getOutputStream(), new Pace(limits));
            }
        };
    }

    /** The container's own response: a wrapper knows no writes from native memory and copies them. */
    private static ServletResponse container(ServletResponse response) {
        return response instanceof ServletResponseWrapper wrapper ? container(wrapper.getResponse()) : response;
    }
}
