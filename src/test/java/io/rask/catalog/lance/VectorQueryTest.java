package io.rask.catalog.lance;

import static io.rask.catalog.lance.ArrowRows.FLOAT;
import static io.rask.catalog.lance.ArrowRows.INT32;
import static io.rask.catalog.lance.ArrowRows.INT64;
import static io.rask.catalog.lance.ArrowRows.UINT8;
import static io.rask.catalog.lance.ArrowRows.field;
import static io.rask.catalog.lance.ArrowRows.schema;
import static io.rask.catalog.lance.ArrowRows.stream;
import static io.rask.catalog.lance.ArrowRows.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rask.catalog.problem.ErrorCode;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.index.DistanceType;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.vector.VectorIndexParams;

/** Searches by vectors, compared with plain loops over the same numbers. */
class VectorQueryTest extends TableTest {
    private static final int ROWS = 600;
    private static final int SIZE = 8;
    private static final Schema POINTS =
            schema(field("id", INT64), field("group", INT32), vector("vec", SIZE, FLOAT), vector("bits", SIZE, UINT8));

    private final Random random = new Random(42);
    private final float[][] vectors = new float[ROWS][];
    private final float[][] bits = new float[ROWS][];

    private record Near(long id, float distance) {}

    @BeforeEach
    void fill() {
        List<List<?>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            vectors[i] = random(false);
            bits[i] = random(true);
            rows.add(Arrays.asList(i, i % 5, i % 50 == 7 ? null : boxed(vectors[i]), boxed(bits[i])));
        }
        writer.create(table, stream(POINTS, rows));
    }

    @ParameterizedTest
    @EnumSource(
            value = DistanceMetric.class,
            names = {"L2", "COSINE", "DOT"})
    void theNearestByEachMetricAreTheOnesALoopFinds(DistanceMetric metric) {
        float[] target = random(false);

        List<Near> found = near(search(metric, target), Queries.all().limit(20).offset(3));

        assertSame(found, expected(metric, target, vectors, id -> true).subList(3, 23));
    }

    @ParameterizedTest
    @EnumSource(DistanceMetric.class)
    void vectorsOfBytesAreSearchedByEachMetric(DistanceMetric metric) {
        float[] target = random(true);
        VectorSearch search =
                new VectorSearch("bits", List.of(target), false, metric, null, null, null, null, null, null, false);

        List<Near> found = near(search, Queries.all().limit(700).where("`group` <> 2"));

        assertSame(found, expectedBits(metric, target, id -> id % 5 != 2));
    }

    @Test
    void aFilterAppliesBeforeTheSearchOrAfterIt() {
        float[] target = random(false);
        List<Near> all = expected(DistanceMetric.L2, target, vectors, id -> true);

        assertSame(
                near(search(null, target), Queries.all().limit(10).where("`group` = 1")),
                all.stream().filter(row -> row.id() % 5 == 1).limit(10).toList());
        assertSame(
                near(
                        search(null, target),
                        Queries.all().limit(10).where("`group` = 1").postfilter()),
                all.stream().limit(10).filter(row -> row.id() % 5 == 1).toList());
    }

    @Test
    void aFilterAfterASearchInBytesKeepsTheOrder() {
        float[] target = random(true);
        VectorSearch search = new VectorSearch(
                "bits", List.of(target), false, DistanceMetric.L2, null, null, null, null, null, null, false);

        assertSame(
                near(search, Queries.all().limit(50).where("`group` = 1").postfilter()),
                expectedBits(DistanceMetric.L2, target, id -> true).stream()
                        .limit(50)
                        .filter(row -> row.id() % 5 == 1)
                        .toList());
    }

    @Test
    void boundsCutOutARangeOfDistancesHoweverManyLieBelowIt() {
        float[] target = random(false);
        List<Near> all = expected(DistanceMetric.L2, target, vectors, id -> true);
        float low = all.get(400).distance();
        float high = all.get(450).distance();

        assertSame(near(bounded(target, low, high), Queries.all()), all.subList(400, 450));
        assertSame(near(bounded(target, low, null), Queries.all().limit(5).offset(2)), all.subList(402, 407));
        assertSame(near(bounded(target, null, high), Queries.all().limit(10)), all.subList(0, 10));
        assertThat(near(bounded(target, null, 0f), Queries.all())).isEmpty();
        assertSame(
                near(bounded(target, low, high), Queries.all().where("`group` = 3")),
                all.subList(400, 450).stream().filter(row -> row.id() % 5 == 3).toList());
    }

    @Test
    void severalVectorsGiveOneResultEachNumberedInOrder() {
        float[] one = random(false);
        float[] two = random(false);
        VectorSearch search =
                new VectorSearch("vec", List.of(one, two), false, null, null, null, null, null, null, null, false);

        TableQuery query = Queries.all().near(search).columns("id").limit(3).get();

        assertThat(column("query_index", query)).containsExactly(0, 0, 0, 1, 1, 1);
        List<Near> nearOne = expected(DistanceMetric.L2, one, vectors, id -> true);
        List<Near> nearTwo = expected(DistanceMetric.L2, two, vectors, id -> true);
        assertThat(column("id", query))
                .containsExactly(
                        nearOne.get(0).id(),
                        nearOne.get(1).id(),
                        nearOne.get(2).id(),
                        nearTwo.get(0).id(),
                        nearTwo.get(1).id(),
                        nearTwo.get(2).id());
    }

    @Test
    void distanceAndRowIdCanBeAskedForAndRenamed() {
        TableQuery query = Queries.all()
                .near(random(false))
                .columns(
                        List.of(OutputColumn.of("_distance"), new OutputColumn("_rowid", "row"), OutputColumn.of("id")))
                .limit(1)
                .get();

        assertThat(result(query).get(0).keySet()).containsExactly("_distance", "row", "id");
    }

    @ParameterizedTest
    @ValueSource(longs = {ROWS, ROWS + 1, Integer.MAX_VALUE, Long.MAX_VALUE})
    void aLimitFromTheRowCountOnMeansAllRowsAlsoWithAnIndex(long limit) {
        index("vec", 4);

        assertThat(near(search(null, random(false)), Queries.all().limit(limit)))
                .isNotEmpty();
        VectorSearch exact =
                new VectorSearch("vec", List.of(random(false)), false, null, null, null, null, null, null, null, true);
        assertThat(near(exact, Queries.all().limit(limit))).hasSize(ROWS - ROWS / 50);
    }

    @Test
    void hugeProbesEffortAndRefineFactorHarmNothing() {
        index("vec", 4);
        float[] target = random(false);
        VectorSearch search = new VectorSearch(
                "vec",
                List.of(target),
                false,
                null,
                null,
                null,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                false);

        assertSame(
                near(search, Queries.all().limit(10)),
                expected(DistanceMetric.L2, target, vectors, id -> true).subList(0, 10));
    }

    @Test
    void anExactSearchBypassesTheIndex() {
        index("vec", 16);
        float[] target = random(false);
        VectorSearch exact =
                new VectorSearch("vec", List.of(target), false, null, null, null, 1L, null, null, null, true);

        assertSame(
                near(exact, Queries.all().limit(50)),
                expected(DistanceMetric.L2, target, vectors, id -> true).subList(0, 50));
    }

    @Test
    void aFastSearchLeavesOutWhatTheIndexDoesNotHold() {
        index("vec", 1);
        float[] target = random(false);
        writer.insert(
                table,
                null,
                InsertMode.APPEND,
                stream(POINTS, List.of(List.of(9999, 1, boxed(target), boxed(bits[0])))));

        assertThat(near(search(null, target), Queries.all().limit(1)).get(0).id())
                .isEqualTo(9999);
        assertThat(near(search(null, target), Queries.all().limit(ROWS).fast()).stream()
                        .map(Near::id))
                .hasSize(ROWS - ROWS / 50)
                .doesNotContain(9999L);
    }

    @Test
    void aVectorThatDoesNotFitTheColumnIsRefusedInsteadOfScanningTheTable() {
        assertThat(failure(
                                ErrorCode.INVALID_INPUT,
                                () -> result(Queries.all().near(1f, 2f).get()))
                        .text())
                .contains("'vec'", "8", "2");
        refused(new VectorSearch(
                "group", List.of(random(false)), false, null, null, null, null, null, null, null, false));
        refused(search(DistanceMetric.HAMMING, random(false)));
        refused(search(null, new float[] {Float.NaN, 0, 0, 0, 0, 0, 0, 0}));
        refused(new VectorSearch(
                "bits", List.of(random(false)), false, null, null, null, null, null, null, null, false));
        refused(new VectorSearch("vec", List.of(random(false)), false, null, null, null, -1L, null, null, null, false));
        failure(
                ErrorCode.TABLE_COLUMN_NOT_FOUND,
                () -> result(Queries.all()
                        .near(new VectorSearch(
                                "nope", List.of(random(false)), false, null, null, null, null, null, null, null, false))
                        .get()));
    }

    @Test
    void aTableWithSeveralVectorColumnsWantsOneNamed() {
        TableLocation other = new TableLocation(folder.resolve("other").toString(), Map.of());
        writer.create(
                other,
                stream(
                        schema(vector("a", 2, FLOAT), vector("b", 2, FLOAT), field("s", new ArrowType.Utf8())),
                        List.of(List.of(List.of(1, 2), List.of(3, 4), "x"))));

        assertThat(failure(
                                ErrorCode.INVALID_INPUT,
                                () -> reader.query(
                                        () -> other,
                                        Queries.all().near(1f, 2f).get(),
                                        read -> {},
                                        Channels.newChannel(java.io.OutputStream.nullOutputStream())))
                        .text())
                .contains("a, b");
    }

    @Test
    void vectorsAndWordsTogetherAreTwoQueries() {
        TableQuery both = Queries.all()
                .near(random(false))
                .text(TextQuery.Match.of("x"), "group")
                .get();

        assertThat(failure(ErrorCode.INVALID_INPUT, () -> result(both)).text()).contains("two");
    }

    private void refused(VectorSearch search) {
        failure(ErrorCode.INVALID_INPUT, () -> result(Queries.all().near(search).get()));
    }

    private void index(String column, int partitions) {
        try (Dataset dataset = Dataset.open(table.uri(), runtime.allocator())) {
            VectorIndexParams params = VectorIndexParams.ivfFlat(partitions, DistanceType.L2);
            dataset.createIndex(IndexOptions.builder(
                            List.of(column),
                            IndexType.IVF_FLAT,
                            IndexParams.builder().setVectorIndexParams(params).build())
                    .build());
        }
    }

    private List<Near> near(VectorSearch search, Queries query) {
        return result(query.near(search).columns("id").get()).stream()
                .map(row -> new Near(
                        number(row, "id").longValue(), number(row, "_distance").floatValue()))
                .toList();
    }

    private static Number number(Map<String, @Nullable Object> row, String column) {
        return (Number) java.util.Objects.requireNonNull(row.get(column), column);
    }

    private static VectorSearch search(@Nullable DistanceMetric metric, float[] target) {
        return new VectorSearch("vec", List.of(target), false, metric, null, null, null, null, null, null, false);
    }

    private static VectorSearch bounded(float[] target, @Nullable Float low, @Nullable Float high) {
        return new VectorSearch("vec", List.of(target), false, null, low, high, null, null, null, null, false);
    }

    private static void assertSame(List<Near> found, List<Near> expected) {
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i).distance())
                    .as("rank %d", i)
                    .isCloseTo(expected.get(i).distance(), within(1e-3f));
        }
        assertThat(found.stream().map(Near::id))
                .containsExactlyInAnyOrderElementsOf(
                        expected.stream().map(Near::id).toList());
    }

    private List<Near> expected(DistanceMetric metric, float[] target, float[][] rows, IntPredicate filter) {
        return ranked(metric, target, rows, id -> id % 50 != 7 && filter.test(id));
    }

    private List<Near> expectedBits(DistanceMetric metric, float[] target, IntPredicate filter) {
        return ranked(metric, target, bits, filter);
    }

    private static List<Near> ranked(DistanceMetric metric, float[] target, float[][] rows, IntPredicate filter) {
        return IntStream.range(0, ROWS)
                .filter(filter)
                .mapToObj(id -> new Near(id, distance(metric, target, rows[id])))
                .sorted(Comparator.comparing(Near::distance).thenComparing(Near::id))
                .toList();
    }

    private static float distance(DistanceMetric metric, float[] a, float[] b) {
        double squares = 0;
        double product = 0;
        double normA = 0;
        double normB = 0;
        int differing = 0;
        for (int i = 0; i < a.length; i++) {
            squares += (a[i] - b[i]) * (a[i] - b[i]);
            product += a[i] * b[i];
            normA += a[i] * a[i];
            normB += b[i] * b[i];
            differing += Integer.bitCount((int) a[i] ^ (int) b[i]);
        }
        return switch (metric) {
            case L2 -> (float) squares;
            case DOT -> (float) (1 - product);
            case COSINE -> (float) (1 - product / Math.sqrt(normA * normB));
            case HAMMING -> differing;
        };
    }

    private float[] random(boolean bytes) {
        float[] vector = new float[SIZE];
        for (int i = 0; i < SIZE; i++) {
            vector[i] = bytes ? random.nextInt(256) : random.nextFloat() * 2 - 1;
        }
        return vector;
    }

    private static List<Float> boxed(float[] vector) {
        List<Float> list = new ArrayList<>();
        for (float element : vector) {
            list.add(element);
        }
        return list;
    }
}
