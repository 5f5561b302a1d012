package io.rask.catalog.deployment;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import org.yaml.snakeyaml.Yaml;

/** The chart, rendered by the real Helm. */
final class Chart {
    static final Path SOURCE = Path.of("chart");
    /** What Helm takes the cluster for, where there is none to ask. */
    private static final String KUBERNETES = "1.30.0";

    private Chart() {}

    /** One Kubernetes object of a rendering. */
    record Rendered(Map<String, Object> content) {
        String kind() {
            return String.valueOf(content.get("kind"));
        }

        String name() {
            return text("metadata", "name");
        }

        /** What is at a path of names and, for lists, indices; null where there is nothing. */
        @Nullable
        Object at(Object... path) {
            Object here = content;
            for (Object step : path) {
                here = step instanceof Integer index
                        ? here instanceof List<?> list && index < list.size() ? list.get(index) : null
                        : here instanceof Map<?, ?> map ? map.get(step) : null;
            }
            return here;
        }

        String text(Object... path) {
            return String.valueOf(at(path));
        }

        @SuppressWarnings("unchecked") // YAML's own objects have strings for keys.
        Map<String, Object> map(Object... path) {
            return at(path) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
        }

        @SuppressWarnings("unchecked") // Everything the chart lists is an object.
        List<Map<String, Object>> list(Object... path) {
            return at(path) instanceof List<?> list ? (List<Map<String, Object>>) list : List.of();
        }
    }

    /** All objects of a rendering. */
    record Rendering(String text, List<Rendered> objects) {
        Rendered one(String kind, String name) {
            List<Rendered> found = objects.stream()
                    .filter(object ->
                            object.kind().equals(kind) && object.name().equals(name))
                    .toList();
            if (found.size() != 1) {
                throw new AssertionError(found.size() + " of " + kind + " " + name + " in " + names());
            }
            return found.getFirst();
        }

        List<Rendered> all(String... kinds) {
            return objects.stream()
                    .filter(object -> List.of(kinds).contains(object.kind()))
                    .toList();
        }

        List<String> names() {
            return objects.stream()
                    .map(object -> object.kind() + "/" + object.name())
                    .toList();
        }

        /** Everything that makes pods. */
        List<Rendered> workloads() {
            return all("Deployment", "StatefulSet", "Job");
        }
    }

    /** Renders with a file of values, and values on top of it in the form {@code a.b=c}. */
    static Rendering render(@Nullable String file, String... values) {
        TemplateCommand command = new Helm(SOURCE)
                .template()
                .withName("lake")
                .withNamespace("data")
                .withKubeVersion(KUBERNETES);
        if (file != null) {
            command.withValuesFile(SOURCE.resolve("ci").resolve(file + ".yaml"));
        }
        for (String value : values) {
            command.set(value.substring(0, value.indexOf('=')), value.substring(value.indexOf('=') + 1));
        }
        String text = command.call();
        List<Rendered> objects = new ArrayList<>();
        for (Object document : new Yaml().loadAll(text)) {
            if (document instanceof Map<?, ?> map) {
                Map<String, Object> content = new LinkedHashMap<>();
                map.forEach((key, value) -> content.put(String.valueOf(key), value));
                objects.add(new Rendered(content));
            }
        }
        return new Rendering(text, objects);
    }

    /** Why Helm refuses these values; fails when it takes them. */
    static String refusal(@Nullable String file, String... values) {
        try {
            Rendering rendered = render(file, values);
            throw new AssertionError("not refused; rendered " + rendered.names());
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Lints the chart as strictly as Helm can, with the values of a file for its defaults. */
    static LintResult lint(Path work, @Nullable String file) throws IOException {
        Path copy = work.resolve("chart-" + (file == null ? "defaults" : file));
        FileSystemUtils.copyRecursively(SOURCE, copy);
        if (file != null) {
            Yaml yaml = new Yaml();
            Map<String, Object> values = yaml.load(Files.readString(SOURCE.resolve("values.yaml")));
            Map<String, Object> over =
                    yaml.load(Files.readString(SOURCE.resolve("ci").resolve(file + ".yaml")));
            Files.writeString(copy.resolve("values.yaml"), yaml.dump(merged(values, over)));
        }
        return new Helm(copy).lint().strict().call();
    }

    @SuppressWarnings("unchecked") // YAML's own objects have strings for keys.
    private static Map<String, Object> merged(Map<String, Object> under, Map<String, Object> over) {
        Map<String, Object> all = new LinkedHashMap<>(under);
        over.forEach((key, value) -> all.merge(
                key,
                value,
                (a, b) -> a instanceof Map<?, ?> && b instanceof Map<?, ?>
                        ? merged((Map<String, Object>) a, (Map<String, Object>) b)
                        : b));
        return all;
    }
}
