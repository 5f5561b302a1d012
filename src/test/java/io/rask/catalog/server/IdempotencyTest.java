package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.door.Keyed;
import io.rask.catalog.idempotency.KeyedRequest;
import io.rask.catalog.idempotency.KeyedRequests;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A request with an {@code Idempotency-Key} is carried out once, whichever of two servers hears of it and how often. */
class IdempotencyTest {
    private static final String KEY = "Idempotency-Key";
    private static final String REPLAYED = "Idempotency-Replayed";

    @TempDir
    static Path folder;

    private static RunningServer one;
    private static RunningServer two;

    @BeforeAll
    static void start() {
        Map<String, String> settings = Map.of(
                "lance.s3.client-access-key-id", "client-id", "lance.s3.client-secret-access-key", "client-secret");
        one = RunningServer.on(folder, settings);
        two = RunningServer.on(folder, settings);
        one.makeNamespace("acme", "lake-keyed", "keyed");
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
    }

    private static String table(String name) {
        return "/v1/table/" + id("keyed", name);
    }

    private static void replayed(Answer first, Answer repeat) {
        assertThat(repeat.status()).isEqualTo(first.status());
        assertThat(repeat.bytes()).isEqualTo(first.bytes());
        assertThat(repeat.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(first.header(REPLAYED)).isEmpty();
        assertThat(repeat.header(REPLAYED)).isEqualTo("true");
    }

    @Test
    void aRepeatedCreateIsAnsweredAsTheFirstAndDoesNotRewrite() {
        String table = table("created");
        Answer first = one.asking(KEY, "create-1")
                .arrow(table + "/create?mode=overwrite", Rows.THREE)
                .ok();
        long version = first.json().path("version").asLong();
        replayed(first, two.asking(KEY, "create-1").arrow(table + "/create?mode=overwrite", Rows.THREE));
        one.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        replayed(first, one.asking(KEY, "create-1").arrow(table + "/create?mode=overwrite", Rows.THREE));
        assertThat(two.post(table + "/count_rows").ok().text()).isEqualTo("4");
        assertThat(two.post(table + "/version/list").ok().json().path("versions"))
                .hasSize((int) version + 1);
    }

    @Test
    void aRepeatedDropIsAnsweredAlthoughTheTableIsGoneAndSparesTheNextOfItsName() {
        String table = table("dropped");
        one.arrow(table + "/create", Rows.THREE).ok();
        Answer first = one.asking(KEY, "drop-1").post(table + "/drop").ok();
        replayed(first, two.asking(KEY, "drop-1").post(table + "/drop"));
        two.arrow(table + "/create", ArrowStreams.longs("id", 9)).ok();
        replayed(first, one.asking(KEY, "drop-1").post(table + "/drop"));
        assertThat(one.post(table + "/count_rows").ok().text()).isEqualTo("1");
    }

    @Test
    void everyDoorOfAKeyReplays() {
        String declared = table("declared");
        String registered = table("registered");
        String renamed = table("renamed");
        twice("declare-1", declared + "/declare", "{}");
        one.arrow(registered + "/create", Rows.THREE).ok();
        String location =
                one.post(registered + "/describe").ok().json().path("location").asString();
        String folderName = location.substring(location.lastIndexOf('/') + 1);
        twice("deregister-1", registered + "/deregister", "{}");
        twice("register-1", registered + "/register", "{\"location\":\"" + folderName + "\"}");
        twice("restore-1", registered + "/restore", "{\"version\":1}");
        twice("rename-1", registered + "/rename", "{\"new_table_name\":\"renamed\"}");
        twice("drop-2", renamed + "/drop", "{}");
        twice("namespace-1", "/v1/namespace/" + id("keyed", "inner") + "/create", "{\"properties\":{\"a\":\"b\"}}");
        twice("namespace-2", "/v1/namespace/" + id("keyed", "inner") + "/drop", "{}");
    }

    private static void twice(String key, String path, String body) {
        replayed(
                one.asking(KEY, key).post(path, body).ok(), two.asking(KEY, key).post(path, body));
    }

    @Test
    void everyDoorThatHasKeysIsOneThatIsPromised() {
        RequestMappingHandlerMapping routes =
                one.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class);
        assertThat(routes.getHandlerMethods().entrySet().stream()
                        .filter(route -> route.getValue().hasMethodAnnotation(Keyed.class))
                        .flatMap(route -> route.getKey().getPatternValues().stream()))
                .containsExactlyInAnyOrder(
                        "/v1/table/{id}/create",
                        "/v1/table/{id}/declare",
                        "/v1/table/{id}/register",
                        "/v1/table/{id}/drop",
                        "/v1/table/{id}/deregister",
                        "/v1/table/{id}/rename",
                        "/v1/table/{id}/restore",
                        "/v1/namespace/{id}/create",
                        "/v1/namespace/{id}/drop");
    }

    @Test
    void whatWasRefusedHoldsNoKey() {
        String table = table("refused");
        RunningServer keyed = one.asking(KEY, "refused-1");
        refused(keyed.post(table + "/declare", "{\"properties\":{\"format\":\"iceberg\"}}"), 400, 13);
        refused(keyed.post(table + "/declare", "{"), 400, 13);
        refused(keyed.post("/v1/table/" + id("absent", "t") + "/declare", "{}"), 404, 1);
        Answer first = keyed.post(table + "/declare", "{}").ok();
        replayed(first, two.asking(KEY, "refused-1").post(table + "/declare", "{}"));
        refused(one.asking(KEY, "refused-2").post(table + "/declare", "{}"), 409, 5);
        one.post(table + "/drop").ok();
        assertThat(one.asking(KEY, "refused-2").post(table + "/declare", "{}").status())
                .isEqualTo(200);
    }

    @Test
    void aCreateWithRowsThatAreNoneHoldsNoKey() {
        String table = table("malformed");
        RunningServer keyed = one.asking(KEY, "malformed-1");
        assertThat(keyed.arrow(table + "/create", new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9})
                        .status())
                .isEqualTo(400);
        Answer first = keyed.arrow(table + "/create", Rows.THREE).ok();
        replayed(first, two.asking(KEY, "malformed-1").arrow(table + "/create", Rows.THREE));
    }

    @Test
    void aKeyIsOneRequestsAlone() {
        String table = table("alone");
        RunningServer keyed = one.asking(KEY, "alone-1");
        keyed.post(table + "/declare", "{}").ok();
        refused(keyed.post(table + "/drop", "{}"), 400, 13);
        refused(keyed.post(table("other") + "/declare", "{}"), 400, 13);
        refused(keyed.post(table + "/declare", "{\"properties\":{\"a\":\"b\"}}"), 400, 13);
        refused(keyed.post(table + "/declare?force=true", "{}"), 400, 13);
        one.post(table + "/exists").ok();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "ä", "12345678901234567890123456789012345678901234567890123456789012345"})
    void aKeyThatIsNoneIsRefused(String key) {
        String wire = new String(key.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        assertThat(one.post(table("none") + "/exists").status()).isEqualTo(404);
        if (wire.chars().allMatch(c -> c < 0x80)) {
            refused(one.asking(KEY, wire).post(table("none") + "/declare", "{}"), 400, 13);
        }
        assertThat(one.post(table("none") + "/exists").status()).isEqualTo(404);
    }

    @Test
    void aRequestThatIsRunningIsNotBegunAgain() {
        String table = table("running");
        claim("running-1", table, "declare");
        Answer busy = refused(two.asking(KEY, "running-1").post(table + "/declare", "{}"), 409, 14);
        assertThat(busy.header("Retry-After")).isNotEmpty();
        refused(one.post(table + "/exists"), 404, 4);
    }

    /** As a server leaves a request behind that is killed in its middle. */
    @Test
    void afterACrashACreateMayRunAndMeetsItsOwnWorkButNothingElseIsDoneTwice() throws IOException {
        String table = table("crashed");
        claim("crashed-1", table, "declare");
        expire("crashed-1");
        Answer first =
                two.asking(KEY, "crashed-1").post(table + "/declare", "{}").ok();
        replayed(first, one.asking(KEY, "crashed-1").post(table + "/declare", "{}"));

        claim("crashed-2", table, "declare");
        expire("crashed-2");
        refused(two.asking(KEY, "crashed-2").post(table + "/declare", "{}"), 409, 5);

        claim("crashed-3", table, "drop");
        expire("crashed-3");
        refused(two.asking(KEY, "crashed-3").post(table + "/drop", "{}"), 409, 14);
        one.post(table + "/exists").ok();
    }

    @Test
    void ofManyThatComeAtOnceOneIsCarriedOut() throws Exception {
        String table = table("raced");
        try (Race race = new Race(8)) {
            List<Answer> answers = race.run(runner -> (runner % 2 == 0 ? one : two)
                    .asking(KEY, "raced-1")
                    .arrow(table + "/create?mode=overwrite", Rows.THREE));
            assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isIn(200, 409));
            assertThat(answers.stream().filter(answer -> answer.status() == 200))
                    .isNotEmpty();
            assertThat(answers.stream().filter(answer -> answer.status() == 409))
                    .allSatisfy(answer -> assertThat(answer.code()).isEqualTo(14));
        }
        assertThat(one.post(table + "/version/list").ok().json().path("versions"))
                .hasSize(1);
    }

    /** Answers hold the credentials that clients are handed. */
    @Test
    void theRecordsTellNeitherKeysNorAnswers() throws IOException {
        String table = table("sealed");
        one.asking(KEY, "a-key-nobody-reads")
                .arrow(table + "/create", Rows.THREE)
                .ok();
        try (Stream<Path> records = Files.list(folder.resolve("control/_idempotency"))) {
            assertThat(records)
                    .isNotEmpty()
                    .allSatisfy(record -> assertThat(Files.readString(record))
                            .doesNotContain("a-key-nobody-reads", "client-secret", "storage_options"));
        }
    }

    @Test
    void withoutAKeyNothingIsKept() throws IOException {
        long before = keptRecords();
        one.post(table("plain") + "/declare", "{}").ok();
        one.asking(KEY, "ignored-here").post(table("plain") + "/describe").ok();
        assertThat(keptRecords()).isEqualTo(before);
    }

    private static long keptRecords() throws IOException {
        Path records = folder.resolve("control/_idempotency");
        if (!Files.exists(records)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(records)) {
            return all.count();
        }
    }

    /** Leaves a claim as a server does that dies at work on a request without a query, whose body is {@code {}}. */
    private static void claim(String key, String table, String operation) {
        String name = table.substring(table.lastIndexOf("%24") + 3);
        KeyedRequest request = new KeyedRequest(
                "anonymous",
                key,
                "POST /v1/table/{id}/" + operation + " keyed$" + name,
                KeyedRequest.fingerprint(new byte[0], "{}".getBytes(StandardCharsets.UTF_8)));
        one.bean(KeyedRequests.class).claim(request, false);
    }

    private static void expire(String key) throws IOException {
        JsonMapper json = JsonMapper.shared();
        Path record = folder.resolve("control/_idempotency/"
                + io.rask.catalog.record.RecordKey.hashed("key", "anonymous\0" + key) + ".json");
        ObjectNode content = (ObjectNode) json.readTree(Files.readAllBytes(record));
        content.put("lease_until", "2020-01-01T00:00:00Z");
        Files.write(record, json.writeValueAsBytes(content));
    }
}
