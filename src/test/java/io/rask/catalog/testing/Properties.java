package io.rask.catalog.testing;

import io.rask.catalog.platform.CatalogProperties;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Settings for tests, bound as the application binds them. */
public final class Properties {
    private Properties() {}

    /** The defaults with some settings changed; keys are property names such as {@code lance.rest.root}. */
    public static CatalogProperties with(Map<String, String> changed) {
        return new Binder(new MapConfigurationPropertySource(changed))
                .bindOrCreate("lance", Bindable.of(CatalogProperties.class));
    }

    public static CatalogProperties defaults() {
        return with(Map.of());
    }
}
