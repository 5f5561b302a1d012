package io.rask.catalog.jobs;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** What a worker is told of the server's settings: what it would not find in its own environment, which it inherits. */
@Component
final class WorkerSettings {
    private final ConfigurableEnvironment environment;

    WorkerSettings(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    String json() {
        Map<String, String> settings = new TreeMap<>();
        for (PropertySource<?> source : environment.getPropertySources()) {
            boolean inherited = source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
            if (!inherited && source instanceof EnumerablePropertySource<?> enumerable) {
                for (String name : enumerable.getPropertyNames()) {
                    if (name.startsWith("lance.") || name.startsWith("logging.level.")) {
                        settings.putIfAbsent(name, String.valueOf(environment.getProperty(name)));
                    }
                }
            }
        }
        return JsonMapper.shared().writeValueAsString(settings);
    }
}
