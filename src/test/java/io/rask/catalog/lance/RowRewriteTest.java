package io.rask.catalog.lance;

import static io.rask.catalog.lance.ArrowRows.FLOAT;
import static io.rask.catalog.lance.ArrowRows.INT32;
import static io.rask.catalog.lance.ArrowRows.INT64;
import static io.rask.catalog.lance.ArrowRows.UTF8;
import static io.rask.catalog.lance.ArrowRows.field;
import static io.rask.catalog.lance.ArrowRows.list;
import static io.rask.catalog.lance.ArrowRows.schema;
import static io.rask.catalog.lance.ArrowRows.stream;
import static io.rask.catalog.lance.ArrowRows.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lance.Dataset;
import org.lance.Ref;

/** Updates of what is more than a number in a column: fields of structs, lists, vectors, branches, several writers. */
class RowRewriteTest extends TableTest {
    private static final Schema ITEMS = schema(
            field("id", INT64),
            field("place", new ArrowType.Struct(), field("x", INT32), field("Label", UTF8)),
            list("tags", UTF8),
            vector("vec", 2, FLOAT));

    private TableEditor editor;

    @BeforeEach
    void fill() {
        editor = new TableEditor(runtime, calls, handles, new RowCommits(runtime, handles), Settings.of(Map.of()));
        writer.create(
                table,
                stream(
                        ITEMS,
                        List.of(
                                List.of(1, Map.of("x", 10, "Label", "a"), List.of("t"), List.of(1, 2)),
                                Arrays.asList(2, null, null, null),
                                List.of(3, Map.of("x", 30, "Label", "c"), List.of(), List.of(5, 6)))));
    }

    @Test
    void aFieldOfAStructChangesAndItsSiblingsAndNullStructsStay() {
        editor.update(table, null, null, Map.of("place.x", "place.x + id"));

        assertThat(column("place", Queries.all().orderBy("id", true).get()).toString())
                .isEqualTo("[{x=11, Label=a}, null, {x=33, Label=c}]");
    }

    @Test
    void listsAndVectorsTakeNewValuesOfTheRightShape() {
        editor.update(table, null, "id < 3", Map.of("tags", "['p', 'q']", "vec", "[0.5, id]"));

        TableQuery ordered = Queries.all().orderBy("id", true).get();
        assertThat(column("tags", ordered).toString()).isEqualTo("[[p, q], [p, q], []]");
        assertThat(column("vec", ordered).toString()).isEqualTo("[[0.5, 1.0], [0.5, 2.0], [5.0, 6.0]]");
        failure(ErrorCode.INVALID_INPUT, () -> editor.update(table, null, null, Map.of("vec", "[1.0, 2.0, 3.0]")));
        failure(ErrorCode.INVALID_INPUT, () -> editor.update(table, null, null, Map.of("id", "'many'")));
        failure(ErrorCode.INVALID_INPUT, () -> editor.update(table, null, null, Map.of("place.x", "3000000000")));
        assertThat(version()).isEqualTo(2);
    }

    @Test
    void everyColumnMayBeSetToAConstant() {
        TableLocation numbers = new TableLocation(folder.resolve("numbers").toString(), Map.of());
        writer.create(numbers, stream(schema(field("n", INT32)), List.of(List.of(1), List.of(2))));

        assertThat(editor.update(numbers, null, "n = 2", Map.of("n", "7"))).isEqualTo(new EditResult(2, 1));
        assertThat(rows(numbers, TableVersion.LATEST, "n = 7")).isEqualTo(1);
        assertThat(rows(numbers, TableVersion.LATEST, "n = 1")).isEqualTo(1);
        assertThat(editor.update(numbers, null, null, Map.of("n", "NULL")).rows())
                .isEqualTo(2);
        assertThat(rows(numbers, TableVersion.LATEST, "n is null")).isEqualTo(2);
    }

    @Test
    void overlappingAssignmentsAndUnknownFieldsAreRefused() {
        failure(
                ErrorCode.INVALID_INPUT,
                () -> editor.update(table, null, null, Map.of("place", "NULL", "place.x", "1")));
        failure(ErrorCode.INVALID_INPUT, () -> editor.update(table, null, null, Map.of("tags.item", "'x'")));
        failure(ErrorCode.TABLE_COLUMN_NOT_FOUND, () -> editor.update(table, null, null, Map.of("place.y", "1")));
        failure(ErrorCode.TABLE_COLUMN_NOT_FOUND, () -> editor.update(table, null, null, Map.of("_rowid", "1")));
    }

    @Test
    void aBranchIsEditedApartFromMain() {
        try (Dataset dataset = Dataset.open(table.uri(), runtime.allocator())) {
            dataset.createBranch("side", Ref.ofMain()).close();
        }

        assertThat(editor.update(table, "side", "id = 1", Map.of("id", "100")).rows())
                .isEqualTo(1);
        assertThat(editor.delete(table, "side", "id = 2").rows()).isEqualTo(1);
        assertThat(column(
                        "id",
                        Queries.all().version(TableVersion.ofBranch("side")).get()))
                .containsExactlyInAnyOrder(100L, 3L);
        assertThat(column("id", TableQuery.everything())).containsExactly(1L, 2L, 3L);
        assertThat(version()).isEqualTo(1);
    }

    @Test
    void aTableWithBlobsIsNotRewritten() {
        TableLocation blobs = new TableLocation(folder.resolve("blobs").toString(), Map.of());
        Field blob = new Field(
                "data",
                new FieldType(true, new ArrowType.LargeBinary(), null, Map.of("lance-encoding:blob", "true")),
                List.of());
        writer.create(blobs, stream(schema(field("id", INT64), blob), List.of(List.of(1, new byte[] {1, 2, 3}))));

        failure(ErrorCode.UNSUPPORTED, () -> editor.update(blobs, null, null, Map.of("id", "2")));
        assertThat(editor.delete(blobs, null, "id = 1").rows()).isEqualTo(1);
    }

    @Test
    void updatesDeletesAndAppendsAtOneTimeAllCountOnce() throws Exception {
        int writers = 6;
        int each = 5;
        List<List<?>> rows = new ArrayList<>();
        for (int i = 100; i < 200; i++) {
            rows.add(Arrays.asList(i, Map.of("x", 0, "Label", "n"), null, null));
        }
        writer.insert(table, null, InsertMode.APPEND, stream(ITEMS, rows));
        try (Race race = new Race(writers)) {
            race.run(runner -> {
                for (int i = 0; i < each; i++) {
                    switch (runner) {
                        case 0 -> {
                            int id = 100 + i;
                            assertThat(editor.delete(table, null, "id = " + id).rows())
                                    .isEqualTo(1);
                        }
                        case 1 ->
                            writer.insert(
                                    table,
                                    null,
                                    InsertMode.APPEND,
                                    stream(ITEMS, List.of(Arrays.asList(500 + i, null, null, null))));
                        default ->
                            assertThat(editor.update(
                                                    table,
                                                    null,
                                                    "id >= 150 AND id < 200",
                                                    Map.of("place.x", "place.x + 1"))
                                            .rows())
                                    .isEqualTo(50);
                    }
                }
                return true;
            });
        }
        assertThat(rows()).isEqualTo(103 - each + each);
        assertThat(rows(table, TableVersion.LATEST, "place.x = " + (writers - 2) * each))
                .isEqualTo(50);
    }
}
