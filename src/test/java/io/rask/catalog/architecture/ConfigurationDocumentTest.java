package io.rask.catalog.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.platform.CatalogProperties;
import java.io.IOException;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The document of settings and the settings are the same. */
class ConfigurationDocumentTest {
    private static final Pattern ROW = Pattern.compile(
            "^\\| `(?<property>lance\\.[^`]+)` \\| `(?<environment>[^`]+)` \\| (?<default>[^|]+) \\|.*$",
            Pattern.MULTILINE);

    private record Setting(String environment, String standard) {}

    @Test
    void everySettingIsDocumentedWithItsEnvironmentNameAndDefault() throws IOException {
        Map<String, Setting> settings = new TreeMap<>();
        collect("lance", CatalogProperties.class, settings);
        assertThat(documented()).isEqualTo(settings);
    }

    private static Map<String, Setting> documented() throws IOException {
        return ROW.matcher(Files.readString(Path.of("docs", "configuration.md")))
                .results()
                .collect(Collectors.toMap(
                        row -> row.group("property"), ConfigurationDocumentTest::setting, (a, b) -> b, TreeMap::new));
    }

    private static Setting setting(MatchResult row) {
        return new Setting(row.group("environment"), row.group("default").strip());
    }

    private static void collect(String prefix, Class<?> type, Map<String, Setting> settings) {
        RecordComponent[] components = type.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            RecordComponent component = components[i];
            String property = prefix + "." + kebab(component.getName());
            if (component.getType().isRecord()) {
                collect(property, component.getType(), settings);
            } else if (component.getType() == Map.class) {
                Type[] arguments = ((ParameterizedType) component.getGenericType()).getActualTypeArguments();
                collect(property + ".<name>", (Class<?>) arguments[1], settings);
            } else {
                settings.put(property, new Setting(environment(property), standard(type, i)));
            }
        }
    }

    private static String standard(Class<?> type, int position) {
        Parameter parameter = type.getDeclaredConstructors()[0].getParameters()[position];
        DefaultValue value = parameter.getAnnotation(DefaultValue.class);
        return value == null || value.value().length == 0 ? "none" : String.join(",", value.value());
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static String environment(String property) {
        return property.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
