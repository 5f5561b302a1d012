package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

    @BeforeAll
    static void start() {
        runtime = new NativeRuntime();
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
        handles = new DatasetHandles(runtime, calls);
        writer = new TableWriter(runtime, calls, handles, Settings.of(Map.of()));
    }

    @AfterEach
    void close() {
        handles.destroy();
        Assertions.assertThat(runtime.allocator().getAllocatedMemory())
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

    long version() {
        try (DatasetLease lease = handles.open(table, TableVersion.LATEST)) {
            return lease.dataset().version();
        }
    }

    static CatalogException failure(ErrorCode code, ThrowingCallable call) {
        CatalogException failure = Assertions.catchThrowableOfType(CatalogException.class, call);
        Assertions.assertThat(failure).as("a failure with code " + code).isNotNull();
        Assertions.assertThat(failure.code()).as(failure.text()).isEqualTo(code);
        Assertions.assertThat(failure.text()).doesNotContain("/tmp", ".rs:", "lance-", "Exception");
        return failure;
    }
}
