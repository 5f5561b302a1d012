package io.rask.catalog.openapi;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.stereotype.Component;

/** Leaves the library that serves the description asleep until somebody asks for it, so that a start does not wait for it. */
@Component
final class LazyLibrary implements BeanFactoryPostProcessor {
    private static final String LIBRARY = "org.springdoc.";

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Stream.of(beans.getBeanDefinitionNames())
                .map(beans::getBeanDefinition)
                .filter(LazyLibrary::isOfTheLibrary)
                .forEach(bean -> bean.setLazyInit(true));
    }

    private static boolean isOfTheLibrary(BeanDefinition bean) {
        return begins(bean.getBeanClassName()) || begins(bean.getFactoryBeanName());
    }

    private static boolean begins(@Nullable String name) {
        return name != null && name.startsWith(LIBRARY);
    }
}
