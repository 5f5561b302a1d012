package io.rask.catalog.lance;

import static io.rask.catalog.lance.ArrowRows.DOUBLE;
import static io.rask.catalog.lance.ArrowRows.FLOAT;
import static io.rask.catalog.lance.ArrowRows.INT64;
import static io.rask.catalog.lance.ArrowRows.UTF8;
import static io.rask.catalog.lance.ArrowRows.field;
import static io.rask.catalog.lance.ArrowRows.list;
import static io.rask.catalog.lance.ArrowRows.schema;
import static io.rask.catalog.lance.ArrowRows.stream;
import static io.rask.catalog.lance.ArrowRows.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.index.Index;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.ScalarIndexParams;
import org.lance.schema.SqlExpressions;

class TableIndexerTest extends TableTest {
    private static final int ROWS = 300;
    private static final VectorIndexSettings PLAIN =
            new VectorIndexSettings(null, null, null, null, null, null, null, null, null);
    private static final TextIndexSettings NO_WORDS =
            new TextIndexSettings(null, null, null, null, null, null, null, null, null, null, null, null);

    private TableIndexer indexer;

    @BeforeEach
    void index() {
        indexer = new TableIndexer(calls, handles);
    }

    private static NewIndex asked(String name, String column, IndexKind kind) {
        return new NewIndex(name, column, kind, PLAIN, NO_WORDS);
    }

    private void make(NewIndex index) {
        NewIndex planned = indexer.planned(table, null, index);
        UUID id = UUID.randomUUID();
        assertThat(indexer.build(table, null, planned, id).uuid()).isEqualTo(id.toString());
    }

    private void numbers() {
        List<List<?>> rows = new ArrayList<>();
        IntStream.range(0, ROWS).forEach(i -> rows.add(List.of(i)));
        writer.create(table, stream(schema(field("id", INT64)), rows));
    }

    private long count(String filter) {
        try (Dataset dataset = Dataset.open(table.uri())) {
            return dataset.countRows(filter);
        }
    }

    private static Index raced(Dataset dataset, UUID id) {
        IndexParams btree = IndexParams.builder()
                .setScalarIndexParams(ScalarIndexParams.create("btree"))
                .build();
        return dataset.createIndex(IndexOptions.builder(List.of("id"), IndexType.BTREE, btree)
                .withIndexName("raced")
                .withIndexUUID(id.toString())
                .replace(false)
                .build());
    }

    /** The promises of the catalog stand on what the library does here. */
    @Test
    void anIndexGetsTheIdThatWasChosenAndOneOfItsNameBegunBeforeIsRefused() {
        numbers();
        UUID first = UUID.randomUUID();
        try (Dataset one = Dataset.open(table.uri());
                Dataset other = Dataset.open(table.uri())) {
            assertThat(raced(one, first).uuid()).isEqualTo(first);
            assertThatThrownBy(() -> raced(other, UUID.randomUUID()))
                    .satisfies(
                            failure -> assertThat(NativeErrors.cause(failure)).isEqualTo(NativeErrors.Cause.CONFLICT));
        }
        try (Dataset now = Dataset.open(table.uri())) {
            assertThat(now.getIndexes()).extracting(Index::uuid).containsExactly(first);
        }
    }

    @Test
    void anIndexOfANameThatIsTakenIsNeitherPlannedNorMade() {
        numbers();
        make(asked("taken", "id", IndexKind.BTREE));
        failure(
                ErrorCode.TABLE_INDEX_ALREADY_EXISTS,
                () -> indexer.planned(table, null, asked("taken", "id", IndexKind.BITMAP)));
        failure(
                ErrorCode.CONCURRENT_MODIFICATION,
                () -> indexer.build(table, null, asked("taken", "id", IndexKind.BITMAP), UUID.randomUUID()));
        Optional<TableIndexer.Made> there = indexer.find(table, null, "taken");
        assertThat(there).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Int8",
                "UInt8",
                "Int16",
                "UInt16",
                "Int32",
                "UInt32",
                "UInt64",
                "Float32",
                "Float64",
                "Utf8",
                "LargeUtf8",
                "Date32",
                "Date64",
                "Time64(Microsecond)",
                "Timestamp(Microsecond, None)",
                "Timestamp(Second, Some(\"UTC\"))",
            })
    void everyTypeThatIsTakenIsIndexedAndFoundAsBefore(String type) {
        numbers();
        try (Dataset dataset = Dataset.open(table.uri())) {
            dataset.addColumns(
                    new SqlExpressions.Builder()
                            .withExpression("x", "arrow_cast(id % 100, '" + type + "')")
                            .build(),
                    Optional.empty());
        }
        String filter = "x = arrow_cast(17, '" + type + "')";
        long before = count(filter);
        assertThat(before).isPositive();
        for (IndexKind kind : List.of(IndexKind.BTREE, IndexKind.BITMAP, IndexKind.ZONEMAP, IndexKind.BLOOM_FILTER)) {
            make(asked("one", "x", kind));
            assertThat(count(filter)).as(kind + " of " + type).isEqualTo(before);
            try (Dataset dataset = Dataset.open(table.uri())) {
                dataset.dropIndex("one");
            }
        }
    }

    @Test
    void booleansHaveEveryIndexOfPlainValuesButABloomFilter() {
        numbers();
        try (Dataset dataset = Dataset.open(table.uri())) {
            dataset.addColumns(
                    new SqlExpressions.Builder().withExpression("x", "id < 100").build(), Optional.empty());
        }
        for (IndexKind kind : List.of(IndexKind.BTREE, IndexKind.BITMAP, IndexKind.ZONEMAP)) {
            make(asked("x_" + kind, "x", kind));
        }
        assertThat(count("x = true")).isEqualTo(100);
        failure(
                ErrorCode.INVALID_INPUT,
                () -> indexer.planned(table, null, asked("bloom", "x", IndexKind.BLOOM_FILTER)));
    }

    @ParameterizedTest
    @EnumSource(
            value = IndexKind.class,
            names = {"IVF_.*"},
            mode = EnumSource.Mode.MATCH_ANY)
    void vectorsOfEveryPrecisionAreIndexed(IndexKind kind) {
        for (ArrowType precision : List.of(new ArrowType.FloatingPoint(FloatingPointPrecision.HALF), FLOAT, DOUBLE)) {
            vectors(precision, false);
            make(asked("near", "v", kind));
            assertThat(indexer.find(table, null, "near"))
                    .as(kind + " of " + precision)
                    .isPresent();
            try (Dataset dataset = Dataset.open(table.uri())) {
                dataset.dropIndex("near");
            }
        }
    }

    /** Where most rows have no vector there is little to learn from, and where none has there is nothing. */
    @ParameterizedTest
    @EnumSource(
            value = IndexKind.class,
            names = {"IVF_.*"},
            mode = EnumSource.Mode.MATCH_ANY)
    void rowsWithoutAVectorAreLeftOut(IndexKind kind) {
        vectors(FLOAT, true);
        if (kind.isProductQuantized()) {
            failure(
                    ErrorCode.INVALID_INPUT,
                    () -> indexer.build(table, null, asked("near", "v", kind), UUID.randomUUID()));
        } else {
            make(asked("near", "v", kind));
            assertThat(indexer.find(table, null, "near")).isPresent();
        }
        failure(
                ErrorCode.INVALID_INPUT,
                () -> indexer.build(table, null, asked("none", "empty", kind), UUID.randomUUID()));
    }

    private void vectors(ArrowType precision, boolean sparse) {
        List<List<?>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            int row = i;
            @Nullable
            List<Integer> vector = sparse && i % 5 != 0
                    ? null
                    : IntStream.range(0, 16).mapToObj(d -> row * (d + 3) % 101).toList();
            rows.add(Arrays.asList(vector, null));
        }
        Schema schema = schema(vector("v", 16, precision), vector("empty", 16, precision));
        writer.insert(table, null, InsertMode.OVERWRITE, stream(schema, rows));
    }

    @Test
    void listsOfTextsAreSearchedForWords() {
        List<List<?>> rows = new ArrayList<>(Collections.nCopies(20, List.of(List.of("two words", "three"))));
        rows.add(List.of(List.of("other")));
        writer.create(table, stream(schema(list("texts", UTF8)), rows));
        make(asked("words", "texts", IndexKind.FTS));
        assertThat(indexer.find(table, null, "words")).isPresent();
    }
}
