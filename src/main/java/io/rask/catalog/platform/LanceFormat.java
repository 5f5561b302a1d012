package io.rask.catalog.platform;

import io.rask.catalog.problem.CatalogException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The one format this catalog holds. */
public final class LanceFormat {
    private static final String NAME = "lance";

    private LanceFormat() {}

    /** Refuses properties that ask for another format, with code 13; engines name it {@code format}, {@code provider} or {@code table_type}. */
    public static void require(@Nullable Map<String, @Nullable String> properties) {
        if (properties == null) {
            return;
        }
        properties.forEach((key, value) -> {
            boolean names = key.equalsIgnoreCase("format")
                    || key.equalsIgnoreCase("provider")
                    || key.equalsIgnoreCase("table_type");
            if (names && value != null && !value.equalsIgnoreCase(NAME)) {
                throw CatalogException.invalid(
                        "This catalog holds Lance tables only; leave the property '" + key + "' out or say lance.");
            }
        });
    }
}
