package io.rask.catalog.testing;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The register of operations in {@code lance_docs}: what the tests, and the clients' tests, hold the server to. */
public final class Register {
    private static final Path FOLDER = Path.of("lance_docs");
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();
    private static final Book SPECIFICATION = read("operations.json");
    private static final Book EXTENSIONS = read("extensions.json");

    private Register() {}

    private record Book(
            @Nullable String specification,
            @Nullable List<Integer> anywhere,
            List<Operation> operations,
            @Nullable Map<String, String> fields) {}

    /**
     * One operation.
     *
     * @param asks what the caller must be allowed, and on what; written from the promise of who may do what, not from the doors
     * @param served absent for what is not of the specification, which is registered only when it is served
     * @param body what the request carries: {@code json}, {@code arrow}, {@code map} or {@code none}
     * @param answer what a success carries: {@code json}, {@code arrow}, {@code map}, {@code number}, {@code text} or {@code nothing}
     * @param codes the codes that the request or the state of its objects leads to
     */
    public record Operation(
            String name,
            String method,
            String path,
            String group,
            String about,
            String asks,
            @Nullable Boolean served,
            List<String> query,
            @Nullable List<String> requiredQuery,
            String body,
            @Nullable List<String> fields,
            @Nullable List<String> required,
            int status,
            String answer,
            @Nullable List<String> answerFields,
            List<Integer> codes) {

        public boolean isServed() {
            return !Boolean.FALSE.equals(served);
        }

        public boolean takesArrow() {
            return body.equals("arrow");
        }

        /** Whether the path names an object, and not only the kind. */
        public boolean namesAnObject() {
            return path.contains("{id}");
        }

        /** The address of the operation on an object. */
        public String at(String id) {
            return path.replace("{id}", id).replace("{index_name}", "none");
        }

        /** Whether a request is for this operation. */
        public boolean isFor(String method, String path) {
            return this.method.equals(method) && Pattern.matches(this.path.replaceAll("\\{\\w+}", "[^/]+"), path);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Book read(String file) {
        return JSON.readValue(FOLDER.resolve(file), Book.class);
    }

    /** The version of the specification. */
    public static String specification() {
        return Objects.requireNonNull(SPECIFICATION.specification());
    }

    /** The operations of the specification. */
    public static List<Operation> operations() {
        return SPECIFICATION.operations();
    }

    /** Those of them that this server serves. */
    public static Stream<Operation> served() {
        return operations().stream().filter(Operation::isServed);
    }

    /** What the server serves beside the specification. */
    public static List<Operation> extensions() {
        return EXTENSIONS.operations();
    }

    /** The operation of the specification of a name. */
    public static Operation operation(String name) {
        return operations().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the register has no " + name));
    }

    /** The codes that any operation may answer for reasons outside the request. */
    public static List<Integer> anywhere() {
        return Objects.requireNonNull(SPECIFICATION.anywhere());
    }

    /** What each field and query parameter means. */
    public static Map<String, String> fields() {
        return new TreeMap<>(Objects.requireNonNull(SPECIFICATION.fields()));
    }
}
