package io.rask.catalog.door;

import java.util.List;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.accept.ContentNegotiationStrategy;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Puts the door in front of every handler. */
@Configuration(proxyBeanMethods = false)
class DoorWeb implements WebMvcConfigurer {
    private final DoorInterceptor interceptor;
    private final AnnouncingInterceptor announcing;
    private final KeyedInterceptor keyed;
    private final DoorArguments arguments;

    DoorWeb(
            AnnouncingInterceptor announcing,
            DoorInterceptor interceptor,
            KeyedInterceptor keyed,
            DoorArguments arguments) {
        this.announcing = announcing;
        this.interceptor = interceptor;
        this.keyed = keyed;
        this.arguments = arguments;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(announcing);
        registry.addInterceptor(interceptor);
        registry.addInterceptor(keyed);
    }

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(arguments);
    }

    /** Clients ask for JSON where they get Arrow, and for nothing where they get JSON: what they accept decides nothing. */
    @Override
    public void configureContentNegotiation(ContentNegotiationConfigurer configurer) {
        configurer.strategies(List.of(request -> ContentNegotiationStrategy.MEDIA_TYPE_ALL_LIST));
    }
}
