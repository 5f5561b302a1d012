package io.rask.catalog.openapi;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.springdoc.core.models.GroupedOpenApi;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Answers for a group that is not there as for any route that is not; the library's own failure would look like one of the server. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(ApiDocsSwitch.OPEN)
class UnknownGroups implements WebMvcConfigurer, HandlerInterceptor {
    /** Not asked for before there is a request: the groups need the routes, and those need what configures them. */
    private final ObjectProvider<GroupedOpenApi> groups;

    UnknownGroups(ObjectProvider<GroupedOpenApi> groups) {
        this.groups = groups;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns("/v3/**");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws NoHandlerFoundException {
        boolean unknown =
                request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> path
                        && path.get("group") instanceof String group
                        && groups.stream().noneMatch(known -> known.getGroup().equals(group));
        if (unknown) {
            throw new NoHandlerFoundException(request.getMethod(), request.getRequestURI(), HttpHeaders.EMPTY);
        }
        return true;
    }
}
