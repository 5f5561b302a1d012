package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.S3Server;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.Ref;

/** Clones, registrations and drops in a bucket. */
class CloneOnS3Test {
    private static S3Server store;
    private static RunningServer server;

    @BeforeAll
    static void start() {
        store = S3Server.inMemory().withBucket("lance-catalog");
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        server = RunningServer.with(settings);
        server.makeNamespace("acme", "lake-one", "sales");
        server.makeNamespace("acme", "lake-two", "books");
    }

    @AfterAll
    static void stop() {
        server.close();
        store.close();
    }

    private static Map<String, String> options() {
        return Map.of(
                "aws_endpoint", store.endpoint().toString(),
                "allow_http", "true",
                "aws_access_key_id", S3Server.ACCESS_KEY,
                "aws_secret_access_key", S3Server.SECRET_KEY,
                "aws_region", S3Server.REGION);
    }

    private static void clone(String source, String clone) {
        try (Dataset from = Dataset.open(
                        source,
                        new ReadOptions.Builder().setStorageOptions(options()).build());
                Dataset made = from.shallowClone(clone, Ref.ofMain(), options())) {
            assertThat(made.countRows()).isEqualTo(3);
        }
    }

    private static String create(String namespace, String name) {
        return server.arrow("/v1/table/" + id(namespace, name) + "/create", Rows.THREE)
                .ok()
                .json()
                .path("location")
                .asString();
    }

    @Test
    void theSourceOfACloneStaysUntilTheCloneIsGone() {
        String table = "/v1/table/" + id("sales", "source");
        String location = create("sales", "source");
        clone(location, "s3://lake-one/clone");
        assertThat(reason(refused(server.post(table + "/drop"), 409, 19))).contains("'clone'");
        String copy = "/v1/table/" + id("sales", "copy");
        server.post(copy + "/register", "{\"location\":\"s3://lake-one/clone\"}")
                .ok();
        assertThat(reason(refused(server.post(table + "/drop"), 409, 19))).contains("sales$copy");
        assertThat(server.post(copy + "/count_rows").ok().text()).isEqualTo("3");
        server.post(copy + "/drop").ok();
        server.post(table + "/drop").ok();
        clone(create("sales", "source"), "s3://lake-one/clone");
    }

    @Test
    void aPlaceInAnotherBucketIsNotRegisteredAndNeitherIsAPlaceWithCredentials() {
        String location = create("books", "secret");
        clone(location, "s3://lake-one/thief");
        String table = "/v1/table/" + id("sales", "thief");
        for (String place : new String[] {
            location,
            location.replace("s3://", "s3://user:pass@"),
            "s3://lake-one",
            "s3://lake-one/",
            "s3://lake-one/../lake-two/x",
            "s3://lake-one-more/x",
            "thief"
        }) {
            refused(server.post(table + "/register", "{\"location\":\"" + place + "\"}"), 400, 13);
        }
        refused(server.post(table + "/exists"), 404, 4);
    }

    @Test
    void whileTheStoreDoesNotAnswerNothingIsRegisteredAndNoBytesGo() {
        String location = create("sales", "kept");
        clone(location, "s3://lake-one/stray");
        store.always(request -> (request.path() + request.query()).contains("stray"), new Fault.DropRequest());
        try {
            refused(
                    server.post("/v1/table/" + id("sales", "stray") + "/register", "{\"location\":\"stray\"}"),
                    503,
                    17);
            server.post("/v1/table/" + id("sales", "kept") + "/drop").ok();
        } finally {
            store.heal();
        }
        refused(server.post("/v1/table/" + id("sales", "stray") + "/exists"), 404, 4);
        // The clone still reads the files of what was dropped.
        server.post("/v1/table/" + id("sales", "stray") + "/register", "{\"location\":\"stray\"}")
                .ok();
        assertThat(server.post("/v1/table/" + id("sales", "stray") + "/query", "{\"k\":10,\"vector\":{}}")
                        .ok()
                        .bytes())
                .isNotEmpty();
    }
}
