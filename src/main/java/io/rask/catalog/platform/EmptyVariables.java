package io.rask.catalog.platform;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Takes an empty environment variable of the catalog for one that is not set, as templates of deployments write it. Only the empty list
 * of allowed roots keeps its meaning: taken for unset it would allow more than it says.
 */
final class EmptyVariables implements EnvironmentPostProcessor, Ordered {
    private static final String SOURCE = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
    private static final String ALLOWED_ROOTS = "LANCE_STORAGE_ALLOWED_ROOTS";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        PropertySource<?> source = environment.getPropertySources().get(SOURCE);
        if (source instanceof SystemEnvironmentPropertySource variables) {
            Map<String, Object> set = new HashMap<>(variables.getSource());
            set.entrySet().removeIf(variable -> isUnset(variable.getKey(), variable.getValue()));
            environment.getPropertySources().replace(SOURCE, new SystemEnvironmentPropertySource(SOURCE, set));
        }
    }

    private static boolean isUnset(String name, Object value) {
        return (name.startsWith("LANCE_") || name.startsWith("MAINTENANCE_"))
                && !name.equals(ALLOWED_ROOTS)
                && String.valueOf(value).isEmpty();
    }

    /** Before the source is wrapped for binding. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
