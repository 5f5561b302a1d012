package io.rask.catalog.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The register of operations in {@code lance_docs}: what code cannot say of itself. It is read when somebody asks for it first. */
@Component
final class OperationRegister {
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private final Supplier<Book> specification = SingletonSupplier.of(() -> read("operations.json"));
    private final Supplier<Book> extensions = SingletonSupplier.of(() -> read("extensions.json"));

    private record Book(
            @Nullable String specification,
            @Nullable List<Integer> anywhere,
            List<Operation> operations,
            @Nullable Map<String, String> fields) {}

    /**
     * One operation.
     *
     * @param fields the members of a JSON body; absent where the route's own record says all
     * @param also statuses of success beside the usual one
     * @param answerFields the members of the answer, for answers that have no record
     * @param codes the codes that the request or the state of its objects leads to
     */
    record Operation(
            String name,
            String method,
            String path,
            String group,
            String about,
            List<String> query,
            @Nullable List<String> requiredQuery,
            String body,
            @Nullable List<String> fields,
            @Nullable List<String> required,
            int status,
            @Nullable List<Integer> also,
            String answer,
            @Nullable List<String> answerFields,
            List<Integer> codes) {}

    private static Book read(String file) {
        try (InputStream register = new ClassPathResource("lance_docs/" + file).getInputStream()) {
            return JSON.readValue(register, Book.class);
        } catch (IOException e) {
            throw new UncheckedIOException("The register of operations cannot be read.", e);
        }
    }

    /** The version of the specification. */
    String version() {
        return Objects.requireNonNull(specification.get().specification());
    }

    List<Operation> specification() {
        return specification.get().operations();
    }

    /** What is served beside the specification. */
    List<Operation> extensions() {
        return extensions.get().operations();
    }

    /** The codes that any operation may answer for reasons outside the request. */
    List<Integer> anywhere() {
        return Objects.requireNonNull(specification.get().anywhere());
    }

    /** What a field or a parameter means. */
    @Nullable
    String about(String field) {
        return Objects.requireNonNull(specification.get().fields()).get(field);
    }
}
