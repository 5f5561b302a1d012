package io.rask.catalog.openapi;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Opens or closes the library that publishes the API by the one setting of ours. The library knows no other text than {@code false}, while
 * a setting may be written in several ways, such as {@code off}.
 */
final class ApiDocsSwitch implements EnvironmentPostProcessor, Ordered {
    /** What the library asks, and what of ours goes with it. */
    static final String OPEN = "springdoc.api-docs.enabled";

    private static final String SETTING = "lance.api-docs";
    private static final String PAGES = "springdoc.swagger-ui.enabled";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        boolean open = environment.getProperty(SETTING, Boolean.class, true);
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        SETTING, Map.of(OPEN, String.valueOf(open), PAGES, String.valueOf(open))));
    }

    /** When all settings have been read. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
