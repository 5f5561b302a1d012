package io.rask.catalog.lance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of one table share: a real runtime, and a fresh place for the table. */
abstract class TableTest {
    static NativeRuntime runtime;
    static NativeCalls calls;

    @TempDir
    Path folder;

    TableLocation table;
    DatasetHandles handles;
    TableWriter writer;
    TableReader reader;

    @TempDir
    static Path records;

    @BeforeAll
    static void start() {
        runtime = new NativeRuntime(Settings.of(Map.of()));
        calls = new NativeCalls(Settings.of(Map.of("lance.limits.streams", "32")));
    }

    @AfterAll
    static void stop() throws Exception {
        calls.destroy();
        runtime.destroy();
    }

    @BeforeEach
    void open() {
        table = new TableLocation(folder.resolve("table").toString(), Map.of());
        handles = new DatasetHandles(runtime, calls, TestLeases.deletedVersions(records));
        writer = new TableWriter(
                runtime,
                calls,
                handles,
                TestLeases.firstWrites(runtime, handles, records),
                new RowCommits(runtime, handles),
                Settings.of(Map.of()));
        reader = new TableReader(runtime, calls, handles, Settings.of(Map.of()));
    }

    @AfterEach
    void close() {
        handles.destroy();
        assertThat(runtime.allocator().getAllocatedMemory())
                .as("Arrow memory left behind")
                .isZero();
    }

    long rows() {
        return rows(TableVersion.LATEST);
    }

    long rows(TableVersion version) {
        try (DatasetLease lease = handles.open(table, version)) {
            return lease.dataset().countRows();
        }
    }

    long rows(TableLocation location, TableVersion version, @Nullable String filter) {
        return reader.count(location, version, filter, read -> {});
    }

    long version() {
        try (DatasetLease lease = handles.open(table, TableVersion.LATEST)) {
            return lease.dataset().version();
        }
    }

    /** The rows of a result by column name. */
    List<Map<String, @Nullable Object>> result(TableQuery query) {
        return ArrowRows.read(file(query));
    }

    /** The values of one column of a result. */
    List<@Nullable Object> column(String name, TableQuery query) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Map<String, @Nullable Object> row : result(query)) {
            assertThat(row).containsKey(name);
            values.add(row.get(name));
        }
        return values;
    }

    byte[] file(TableQuery query) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            reader.query(() -> table, query, read -> {}, Channels.newChannel(out));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    static CatalogException failure(ErrorCode code, ThrowingCallable call) {
        CatalogException failure = catchThrowableOfType(CatalogException.class, call);
        assertThat(failure).as("a failure with code " + code).isNotNull();
        assertThat(failure.code()).as(failure.text()).isEqualTo(code);
        assertThat(failure.text()).doesNotContain("/tmp", ".rs:", "lance-", "Exception");
        return failure;
    }
}
