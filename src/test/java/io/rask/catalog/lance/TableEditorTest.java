package io.rask.catalog.lance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Settings;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lance.Dataset;
import org.lance.ipc.LanceScanner;

class TableEditorTest {
    private static final Schema SCHEMA = ArrowRows.schema(
            ArrowRows.required("id", ArrowRows.INT64),
            ArrowRows.field("Title", ArrowRows.UTF8),
            ArrowRows.field("price", ArrowRows.DOUBLE),
            ArrowRows.field("stock", ArrowRows.INT32),
            ArrowRows.vector("vec", 2, ArrowRows.FLOAT));

    private static NativeRuntime runtime;
    private static NativeCalls calls;
    private static DatasetHandles handles;
    private static TableWriter writer;
    private static TableEditor editor;
    private static TableInspector inspector;
    private static TableReader reader;

    @TempDir
    Path folder;

    private TableLocation table;

    @TempDir
    static Path records;

    @BeforeAll
    static void start() {
        runtime = new NativeRuntime(Settings.of(Map.of()));
        calls = new NativeCalls(Settings.of(Map.of()));
        handles = new DatasetHandles(runtime, calls, TestLeases.deletedVersions(records));
        writer = new TableWriter(
                runtime,
                calls,
                handles,
                TestLeases.firstWrites(runtime, handles, records),
                new RowCommits(runtime, handles),
                Settings.of(Map.of()));
        editor = new TableEditor(runtime, calls, handles, new RowCommits(runtime, handles), Settings.of(Map.of()));
        inspector = new TableInspector(runtime, calls, handles);
        reader = new TableReader(runtime, calls, handles, Settings.of(Map.of()));
    }

    @AfterAll
    static void stop() throws Exception {
        handles.destroy();
        calls.destroy();
        runtime.destroy();
    }

    @BeforeEach
    void make() {
        table = new TableLocation(folder.resolve("t").toString(), Map.of());
        writer.create(table, rows(0, 5));
        writer.insert(table, null, InsertMode.APPEND, rows(5, 10));
    }

    private static ByteArrayInputStream rows(int from, int to) {
        List<List<?>> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(Arrays.asList((long) i, "Title " + i, i * 1.5, i % 3 == 0 ? null : i, List.of((float) i, 0.5f)));
        }
        return new ByteArrayInputStream(ArrowRows.bytes(SCHEMA, rows));
    }

    @Test
    void anUpdateSetsTheMatchingRowsAndNoOthers() throws Exception {
        EditResult done = editor.update(table, null, "id >= 4 AND id < 6", Map.of("price", "price * 2 + id"));
        assertThat(done).isEqualTo(new EditResult(3, 2));
        Map<Long, Map<String, @Nullable Object>> now = read();
        for (long id = 0; id < 10; id++) {
            double before = id * 1.5;
            assertThat(now.get(id)).containsEntry("price", id >= 4 && id < 6 ? before * 2 + id : before);
            assertThat(now.get(id)).containsEntry("Title", "Title " + id);
        }
        assertThat(now).hasSize(10);
    }

    @Test
    void everyExpressionSeesTheRowAsItWas() throws Exception {
        Map<String, String> swap = new LinkedHashMap<>();
        swap.put("price", "stock");
        swap.put("stock", "price");
        editor.update(table, null, "id = 4", swap);
        assertThat(read().get(4L)).containsEntry("price", 4.0).containsEntry("stock", 6);
    }

    @Test
    void valuesAreCastToTheColumnsTypeAlsoVectorsAndNulls() throws Exception {
        Map<String, String> set = new LinkedHashMap<>();
        set.put("Title", "upper(Title) || '!'");
        set.put("stock", "NULL");
        set.put("vec", "[7, 8.5]");
        editor.update(table, null, "`Title` = 'Title 1'", set);
        assertThat(read().get(1L))
                .containsEntry("Title", "TITLE 1!")
                .containsEntry("stock", null)
                .containsEntry("vec", List.of(7.0f, 8.5f));
    }

    @Test
    void anUpdateOfAllRowsLeavesNoneBehind() throws Exception {
        assertThat(editor.update(table, null, null, Map.of("stock", "1")).rows())
                .isEqualTo(10);
        assertThat(read().values())
                .hasSize(10)
                .allSatisfy(row -> assertThat(row).containsEntry("stock", 1));
        assertThat(editor.update(table, null, null, Map.of("stock", "stock + 1"))
                        .rows())
                .isEqualTo(10);
        assertThat(read().values())
                .hasSize(10)
                .allSatisfy(row -> assertThat(row).containsEntry("stock", 2));
    }

    @Test
    void editsThatMatchNothingMakeNoVersion() {
        assertThat(editor.update(table, null, "id = 99", Map.of("stock", "1"))).isEqualTo(new EditResult(2, 0));
        assertThat(editor.delete(table, null, "id = 99")).isEqualTo(new EditResult(2, 0));
        assertThat(inspector.version(table)).contains(2L);
    }

    @Test
    void aDeleteRemovesTheMatchingRowsAndCountsThem() throws Exception {
        assertThat(editor.delete(table, null, "stock IS NULL")).isEqualTo(new EditResult(3, 4));
        assertThat(read().keySet()).containsExactly(1L, 2L, 4L, 5L, 7L, 8L);
        assertThat(editor.delete(table, null, "true").rows()).isEqualTo(6);
        assertThat(rows(TableVersion.LATEST, null)).isZero();
        assertThat(rows(new TableVersion(null, 2L), "id < 5")).isEqualTo(5);
    }

    private long rows(TableVersion version, @Nullable String filter) {
        return reader.count(table, version, filter, read -> {});
    }

    @Test
    void concurrentUpdatesLoseNone() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<EditResult>> edits = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                edits.add(threads.submit(() -> editor.update(table, null, "id = 1", Map.of("price", "price + 1"))));
            }
            long done = 0;
            for (Future<EditResult> edit : edits) {
                try {
                    done += edit.get().rows();
                } catch (java.util.concurrent.ExecutionException e) {
                    assertThat(e.getCause())
                            .isInstanceOfSatisfying(
                                    CatalogException.class,
                                    lost -> assertThat(lost.code()).isEqualTo(ErrorCode.CONCURRENT_MODIFICATION));
                }
            }
            assertThat(done).isPositive();
            assertThat(read().get(1L)).containsEntry("price", 1.5 + done);
        }
        assertThat(read()).hasSize(10);
    }

    @Test
    void whatDoesNotFitIsRefusedWithItsCodeAndChangesNothing() throws Exception {
        refuses(() -> editor.update(table, null, "id = 1", Map.of("nope", "1")), ErrorCode.TABLE_COLUMN_NOT_FOUND);
        refuses(() -> editor.update(table, null, "nope = 1", Map.of("stock", "1")), ErrorCode.TABLE_COLUMN_NOT_FOUND);
        refuses(() -> editor.update(table, null, "id = 1", Map.of("stock", "nope")), ErrorCode.TABLE_COLUMN_NOT_FOUND);
        refuses(() -> editor.update(table, null, "id = 1", Map.of("stock", "'many'")), ErrorCode.INVALID_INPUT);
        refuses(() -> editor.update(table, null, "id =", Map.of("stock", "1")), ErrorCode.INVALID_INPUT);
        refuses(() -> editor.update(table, null, "id = 1", Map.of()), ErrorCode.INVALID_INPUT);
        refuses(
                () -> editor.update(
                        table, null, "id = 1", Map.of("stock", "1) AS x FROM dataset; DROP TABLE dataset --")),
                ErrorCode.INVALID_INPUT);
        refuses(() -> editor.update(table, null, "id = 1", Map.of("id", "NULL")), ErrorCode.INVALID_INPUT);
        refuses(() -> editor.update(table, null, "id = 1", Map.of("vec", "[1]")), ErrorCode.INVALID_INPUT);
        refuses(() -> editor.update(table, "side", "id = 1", Map.of("stock", "1")), ErrorCode.TABLE_BRANCH_NOT_FOUND);
        refuses(() -> editor.delete(table, null, "nope = 1"), ErrorCode.TABLE_COLUMN_NOT_FOUND);
        refuses(() -> editor.delete(table, null, "id = 1; DROP TABLE t"), ErrorCode.INVALID_INPUT);
        refuses(() -> editor.delete(table, null, " "), ErrorCode.INVALID_INPUT);
        assertThat(inspector.version(table)).contains(2L);
        assertThat(read()).hasSize(10);
    }

    private static void refuses(ThrowingCallable call, ErrorCode code) {
        assertThatThrownBy(call).isInstanceOfSatisfying(CatalogException.class, e -> {
            assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
            assertThat(e.getMessage()).doesNotContain(".rs").doesNotContain("LanceError");
        });
    }

    private Map<Long, Map<String, @Nullable Object>> read() throws Exception {
        Map<Long, Map<String, @Nullable Object>> rows = new TreeMap<>();
        try (Dataset dataset = Dataset.open(table.uri(), runtime.allocator());
                LanceScanner scanner = dataset.newScan();
                ArrowReader reader = scanner.scanBatches()) {
            while (reader.loadNextBatch()) {
                VectorSchemaRoot batch = reader.getVectorSchemaRoot();
                for (int i = 0; i < batch.getRowCount(); i++) {
                    Map<String, @Nullable Object> row = new LinkedHashMap<>();
                    for (var vector : batch.getFieldVectors()) {
                        Object value = vector.getObject(i);
                        row.put(
                                vector.getName(),
                                value instanceof List<?> list
                                        ? List.copyOf(list)
                                        : value instanceof org.apache.arrow.vector.util.Text text
                                                ? text.toString()
                                                : value);
                    }
                    assertThat(rows.put((Long) row.get("id"), row)).isNull();
                }
            }
        }
        return rows;
    }
}
