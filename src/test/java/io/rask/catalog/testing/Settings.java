package io.rask.catalog.testing;

import io.rask.catalog.platform.CatalogProperties;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The settings as the application would bind them. */
public final class Settings {
    private Settings() {}

    /** @param values by property name, such as {@code lance.rest.root}; what is absent has its default */
    public static CatalogProperties of(Map<String, String> values) {
        return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("lance", CatalogProperties.class);
    }
}
