package io.rask.catalog.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.Register.Operation;
import io.rask.webtest.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What real clients send beside the letter of the specification is understood, by every operation. */
@ExtendWith(ConformanceCatalog.Provider.class)
class TolerantInputTest {
    private static final String JSON_TYPE = "Content-Type: application/json";

    private final ConformanceCatalog catalog;
    private final ValidCalls valid;
    private final RawHttp raw;

    TolerantInputTest(ConformanceCatalog catalog) {
        this.catalog = catalog;
        this.valid = catalog.valid();
        this.raw = new RawHttp(catalog.server().port());
    }

    static Stream<Operation> served() {
        return Register.served();
    }

    static Stream<Operation> posted() {
        return served().filter(operation -> operation.method().equals("POST") && !operation.takesArrow());
    }

    /** Operations whose request needs nothing but the object in the path. */
    static Stream<Operation> withoutNeeds() {
        return posted().filter(operation -> !operation.body().equals("map"))
                .filter(operation -> operation.required() == null)
                // Without these two there is nothing to do.
                .filter(operation -> !operation.name().equals("UpdateTable"));
    }

    static Stream<Operation> withFields() {
        return posted().filter(operation -> operation.body().equals("json"));
    }

    private static void succeeded(Operation operation, RawHttp.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(operation.status());
    }

    @ParameterizedTest
    @MethodSource("served")
    void aTrailingSlashLeadsToTheSameOperation(Operation operation) throws IOException {
        Call call = valid.of(operation);
        String target = call.path() + "/" + (call.query().isEmpty() ? "" : "?" + call.query());
        RawHttp.Answer answer = raw.send(call.method(), target, call.body());
        assertThat(answer.status()).as(answer.text()).isBetween(200, 202);
    }

    @ParameterizedTest
    @MethodSource("served")
    void contentTypeAndAcceptDecideNothing(Operation operation) {
        for (List<String> headers : List.of(
                List.of(JSON_TYPE, "Accept: application/json"),
                List.of("Content-Type: text/plain", "Accept: application/xml"))) {
            succeeded(operation, catalog.send(valid.of(operation), headers.toArray(String[]::new)));
        }
    }

    static Stream<Operation> askedByGet() {
        return Register.extensions().stream()
                .filter(operation -> operation.name().endsWith("ByGet"));
    }

    @ParameterizedTest
    @MethodSource("askedByGet")
    void someClientsAskByGet(Operation operation) throws IOException {
        Operation specified = Register.operation(operation.name().replace("ByGet", ""));
        Call call = valid.of(specified);
        RawHttp.Answer byPost = catalog.send(call);
        RawHttp.Answer byGet = raw.get(call.target(), JSON_TYPE);
        succeeded(operation, byGet);
        assertThat(byGet.text()).isEqualTo(byPost.text());
    }

    @ParameterizedTest
    @MethodSource("posted")
    void anEmptyIdContextAndIdentityAreNone(Operation operation) {
        Call call = valid.of(operation).changed(body -> {
            if (!body.has("id")) {
                body.putArray("id");
            }
            body.putObject("context");
            body.putObject("identity");
        });
        succeeded(operation, catalog.send(call, JSON_TYPE));
    }

    @ParameterizedTest
    @MethodSource("withFields")
    void aNullFieldIsAnAbsentOne(Operation operation) {
        Call call = valid.of(operation).changed(body -> {
            for (String field : Objects.requireNonNull(operation.fields())) {
                if (!body.has(field)) {
                    body.putNull(field);
                }
            }
            body.putNull("context");
            body.putNull("identity");
        });
        succeeded(operation, catalog.send(call, JSON_TYPE));
    }

    @ParameterizedTest
    @MethodSource("withoutNeeds")
    void aBodyOfNullOrOfNothingIsNone(Operation operation) throws IOException {
        for (String body : List.of("", "null", " {} ")) {
            RawHttp.Answer answer =
                    raw.send("POST", valid.of(operation).target(), body.getBytes(StandardCharsets.UTF_8), JSON_TYPE);
            succeeded(operation, answer);
        }
    }

    @ParameterizedTest
    @MethodSource("served")
    void whatIsNotKnownIsPassedOver(Operation operation) {
        Call call = valid.of(operation).asking("not_known=1&delimiter=%24");
        if (operation.body().equals("json")) {
            call = call.changed(body -> body.putObject("not_known").putArray("of_later"));
        }
        succeeded(operation, catalog.send(call, "x-not-known: 1", "x-lancedb-user-id: u"));
    }

    /** The namespace library writes a space as a plus, and sends the id in the body as well; the body tells which it is. */
    @ParameterizedTest
    @MethodSource("withFields")
    void aPlusInThePathIsASpaceWhereTheBodySaysSo(Operation operation) throws IOException {
        if (!operation.namesAnObject()) {
            return;
        }
        String home = valid.home().namespace();
        Call call = valid.of(operation)
                .changed(body -> body.putArray("id").add(home).add("not there"));
        String target = operation.at(home + "%24not+there");
        RawHttp.Answer answer = raw.send("POST", target, call.body(), JSON_TYPE);
        // What the body named is absent, or was made; it was not taken for another name than that of the path.
        assertThat(answer.status()).as(answer.text()).isIn(operation.status(), 404, 409);
        Call other = call.changed(body -> body.putArray("id").add(home).add("another"));
        RawHttp.Answer differing = raw.send("POST", target, other.body(), JSON_TYPE);
        assertThat(differing.code()).as(differing.text()).isEqualTo(13);
    }

    @ParameterizedTest
    @MethodSource("served")
    void aSuccessIsWhatClientsParse(Operation operation) {
        RawHttp.Answer answer = catalog.run().of(operation).answer();
        switch (operation.answer()) {
            case "json", "map" ->
                assertThat(answer.json().isObject()).as(answer.text()).isTrue();
            case "number" ->
                assertThat(answer.json().isIntegralNumber()).as(answer.text()).isTrue();
            case "text" ->
                assertThat(answer.json().isString()).as(answer.text()).isTrue();
            case "nothing" -> assertThat(answer.body()).isEmpty();
            default -> assertThat(answer.header("content-type")).isEqualTo("application/vnd.apache.arrow.file");
        }
        if (!operation.answer().equals("nothing") && !operation.answer().equals("arrow")) {
            assertThat(answer.header("content-type")).startsWith("application/json");
        }
    }

    @ParameterizedTest
    @MethodSource("served")
    void everyRefusalHasATextAndACodeInEitherDialect(Operation operation) throws IOException {
        for (String end : List.of("", "/")) {
            Call call = valid.of(operation);
            String target = call.path() + end + "?delimiter=&limit=0";
            RawHttp.Answer answer = raw.send(call.method(), target, "[1".getBytes(StandardCharsets.UTF_8));
            assertThat(answer.status()).as(answer.text()).isEqualTo(400);
            assertThat(answer.json().path("code").isIntegralNumber()).isTrue();
            assertThat(answer.code()).isEqualTo(13);
            assertThat(answer.json().path("error").asString()).isNotBlank();
            assertThat(answer.header("content-type")).startsWith("application/problem+json");
        }
    }
}
