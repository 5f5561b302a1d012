package io.rask.catalog.lance;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.S3Server;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.WriteParams;
import org.lance.cleanup.CleanupPolicy;
import tools.jackson.databind.JsonNode;

/** Descriptions of tables that are not open, while other programs write the same tables. */
class KnownFactsTest {
    private static final String TABLE = "/v1/table/" + id("sales", "t");

    @TempDir
    Path folder;

    private final BufferAllocator allocator = new RootAllocator();

    @SuppressWarnings("NullAway.Init")
    private S3Server store;

    @SuppressWarnings("NullAway.Init")
    private RunningServer server;

    private boolean onS3;

    @AfterEach
    void stop() {
        server.close();
        if (onS3) {
            store.close();
        }
        allocator.close();
    }

    private void start(boolean inBucket) {
        onS3 = inBucket;
        if (inBucket) {
            store = S3Server.inMemory().withBucket("lance-catalog");
            Map<String, String> settings = new HashMap<>(store.settings());
            settings.put("lance.rest.root", "s3://lance-catalog");
            server = RunningServer.with(settings);
        } else {
            server = RunningServer.on(folder, Map.of());
        }
        server.makeNamespace("acme", "lake-one", "sales");
    }

    private Map<String, String> options() {
        return onS3
                ? Map.of(
                        "aws_endpoint", store.endpoint().toString(),
                        "allow_http", "true",
                        "aws_access_key_id", S3Server.ACCESS_KEY,
                        "aws_secret_access_key", S3Server.SECRET_KEY,
                        "aws_region", S3Server.REGION)
                : Map.of();
    }

    private JsonNode describe() {
        return server.post(TABLE + "/describe", "{\"load_detailed_metadata\":true}")
                .ok()
                .json();
    }

    /** Where other programs find the table. */
    private String place() {
        String location = describe().path("location").asString();
        return onS3 ? location : Clones.folder(location).toString();
    }

    private TableLocation location() {
        return server.bean(io.rask.catalog.table.Tables.class)
                .require(io.rask.catalog.id.ObjectId.of("sales", "t"))
                .location();
    }

    /** Describes the table twice from now on, the second time without opening it, and as a server that opens it does. */
    private JsonNode described() {
        DatasetHandles handles = server.bean(DatasetHandles.class);
        TableLocation location = location();
        handles.invalidate(location.uri());
        JsonNode first = describe();
        JsonNode open = describe();
        handles.invalidate(location.uri());
        JsonNode known = describe();
        assertThat(handles.isOpen(location)).as("the table was opened").isFalse();
        assertThat(known).isEqualTo(first).isEqualTo(open);
        return known;
    }

    private Dataset foreign(String place) {
        return Dataset.open(
                allocator,
                place,
                new ReadOptions.Builder().setStorageOptions(options()).build());
    }

    private static Field column(String name) {
        return new Field(name, FieldType.nullable(ArrowStreams.INT64), null);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsKnownIsToldWithoutOpeningAndWhatOthersCommitIsSeen(boolean inBucket) {
        start(inBucket);
        server.arrow(TABLE + "/create", ArrowStreams.longs("id", 1, 2)).ok();
        String place = place();
        assertThat(described().path("version").longValue()).isEqualTo(1);
        server.arrow(TABLE + "/insert", ArrowStreams.longs("id", 3)).ok();
        JsonNode grown = described();
        assertThat(grown.path("version").longValue()).isEqualTo(2);
        assertThat(grown.path("stats").path("num_fragments").longValue()).isEqualTo(2);
        try (Dataset dataset = foreign(place)) {
            dataset.delete("id = 1");
        }
        assertThat(described().path("version").longValue()).isEqualTo(3);
        try (Dataset dataset = foreign(place)) {
            dataset.addColumns(List.of(column("more")));
        }
        assertThat(described().path("schema").path("fields")).hasSize(2);
        try (Dataset dataset = foreign(place)) {
            dataset.checkoutVersion(1).restore();
        }
        JsonNode restored = described();
        assertThat(restored.path("version").longValue()).isEqualTo(5);
        assertThat(restored.path("schema").path("fields")).hasSize(1);
        try (Dataset dataset = foreign(place)) {
            dataset.cleanupWithPolicy(CleanupPolicy.builder()
                    .withBeforeVersion(5L)
                    .withDeleteUnverified(true)
                    .build());
        }
        assertThat(described()).isEqualTo(restored);
    }

    /** The version numbers are those of before, and so are the names of the manifest files. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTableThatOthersMadeAnewAtTheSamePlaceIsTheNewOne(boolean inBucket) {
        start(inBucket);
        server.arrow(TABLE + "/create", ArrowStreams.longs("id", 1, 2)).ok();
        String place = place();
        for (int round = 0; round < 20; round++) {
            String name = "column" + round % 2;
            Dataset.drop(place, options());
            Dataset.create(
                            allocator,
                            place,
                            new Schema(List.of(column(name))),
                            new WriteParams.Builder()
                                    .withStorageOptions(options())
                                    .build())
                    .close();
            // Only what is told of the table without opening it is asked here.
            server.bean(DatasetHandles.class).invalidate(location().uri());
            JsonNode told = describe();
            assertThat(told.path("version").longValue()).isEqualTo(1);
            assertThat(told.at("/schema/fields/0/name").asString()).isEqualTo(name);
            assertThat(described()).isEqualTo(told);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTableOfOldNamesIsToldAsEver(boolean inBucket) {
        start(inBucket);
        server.post(TABLE + "/declare", "{}").ok();
        String place = place();
        Dataset.create(
                        allocator,
                        place,
                        new Schema(List.of(column("id"))),
                        new WriteParams.Builder()
                                .withStorageOptions(options())
                                .withEnableV2ManifestPaths(false)
                                .build())
                .close();
        for (int version = 1; version < 13; version++) {
            server.bean(DatasetHandles.class).invalidate(location().uri());
            assertThat(describe().path("version").longValue()).isEqualTo(version);
            server.arrow(TABLE + "/insert", ArrowStreams.longs("id", version)).ok();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTableThatOthersHaveRemovedIsNotToldAnyMore(boolean inBucket) {
        start(inBucket);
        server.arrow(TABLE + "/create", ArrowStreams.longs("id", 1, 2)).ok();
        String place = place();
        described();
        Dataset.drop(place, options());
        JsonNode gone = describe();
        assertThat(gone.has("version")).isFalse();
        assertThat(gone.path("is_only_declared").booleanValue()).isTrue();
    }
}
