package io.rask.catalog.lance;

import static io.rask.catalog.lance.ArrowRows.DOUBLE;
import static io.rask.catalog.lance.ArrowRows.FLOAT;
import static io.rask.catalog.lance.ArrowRows.INT32;
import static io.rask.catalog.lance.ArrowRows.INT64;
import static io.rask.catalog.lance.ArrowRows.UTF8;
import static io.rask.catalog.lance.ArrowRows.field;
import static io.rask.catalog.lance.ArrowRows.list;
import static io.rask.catalog.lance.ArrowRows.required;
import static io.rask.catalog.lance.ArrowRows.schema;
import static io.rask.catalog.lance.ArrowRows.stream;
import static io.rask.catalog.lance.ArrowRows.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.Settings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lance.Dataset;
import org.lance.Ref;

class TableWriterTest extends TableTest {
    private static final Schema PEOPLE = schema(required("id", INT64), field("name", UTF8), vector("vec", 2, FLOAT));
    private static final List<List<?>> TWO =
            List.of(List.of(1, "a", List.of(1, 2)), Arrays.asList(2, null, List.of(3, 4)));

    @Test
    void createMakesATableOfAStream() {
        assertThat(writer.create(table, stream(PEOPLE, TWO))).isEqualTo(new WriteResult(1, 2));
        assertThat(column("name", TableQuery.everything())).containsExactly("a", null);
    }

    @Test
    void aStreamWithoutBatchesMakesAnEmptyTable() {
        assertThat(writer.create(table, body(ArrowRows.bytes(PEOPLE, List.of(), CodecType.NO_COMPRESSION))))
                .isEqualTo(new WriteResult(1, 0));
        assertThat(writer.insert(table, null, InsertMode.APPEND, stream(PEOPLE, List.of()))
                        .rows())
                .isZero();
        assertThat(result(TableQuery.everything())).isEmpty();
        assertThat(result(Queries.all().near(1f, 1f).get())).isEmpty();
    }

    @Test
    void createOverATableIsRefused() {
        writer.create(table, stream(PEOPLE, TWO));

        failure(ErrorCode.TABLE_ALREADY_EXISTS, () -> writer.create(table, stream(PEOPLE, TWO)));
        assertThat(version()).isEqualTo(1);
    }

    @Test
    void appendAddsAndOverwriteReplacesAsANewVersion() {
        writer.create(table, stream(PEOPLE, TWO));

        assertThat(writer.insert(table, null, InsertMode.APPEND, stream(PEOPLE, TWO)))
                .isEqualTo(new WriteResult(2, 2));
        assertThat(writer.insert(
                        table, "main", InsertMode.OVERWRITE, stream(schema(field("x", INT32)), List.of(List.of(9)))))
                .isEqualTo(new WriteResult(3, 1));
        assertThat(column("x", TableQuery.everything())).containsExactly(9);
        assertThat(rows(new TableVersion(null, 2L))).isEqualTo(4);
        failure(ErrorCode.TABLE_VERSION_NOT_FOUND, () -> rows(new TableVersion(null, 4L)));
    }

    @Test
    void aBranchIsWrittenApartFromMain() {
        writer.create(table, stream(PEOPLE, TWO));
        try (Dataset dataset = Dataset.open(table.uri(), runtime.allocator());
                Dataset branch = dataset.createBranch("feat/x", Ref.ofMain())) {
            assertThat(branch.version()).isEqualTo(1);
        }

        assertThat(writer.insert(table, "feat/x", InsertMode.APPEND, stream(PEOPLE, TWO))
                        .rows())
                .isEqualTo(2);
        assertThat(rows(TableVersion.ofBranch("feat/x"))).isEqualTo(4);
        assertThat(rows()).isEqualTo(2);
        for (String unknown : List.of("nope", "../table", "a//b", "feat")) {
            failure(
                    ErrorCode.TABLE_BRANCH_NOT_FOUND,
                    () -> writer.insert(table, unknown, InsertMode.APPEND, stream(PEOPLE, TWO)));
            failure(ErrorCode.TABLE_BRANCH_NOT_FOUND, () -> rows(TableVersion.ofBranch(unknown)));
        }
    }

    @Test
    void aDeclaredTableIsMadeByItsFirstInsert() {
        assertThat(handles.find(table, TableVersion.LATEST)).isEmpty();
        failure(ErrorCode.INVALID_TABLE_STATE, () -> result(TableQuery.everything()));
        failure(
                ErrorCode.TABLE_BRANCH_NOT_FOUND,
                () -> writer.insert(table, "side", InsertMode.APPEND, stream(PEOPLE, TWO)));

        assertThat(writer.insert(table, null, InsertMode.APPEND, stream(PEOPLE, TWO)))
                .isEqualTo(new WriteResult(1, 2));
        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void firstInsertsAtOneTimeAllCount() throws Exception {
        try (Race race = new Race(8)) {
            List<WriteResult> results =
                    race.run(runner -> writer.insert(table, null, InsertMode.APPEND, stream(PEOPLE, TWO)));
            assertThat(results.stream().map(WriteResult::version)).doesNotHaveDuplicates();
        }
        assertThat(rows()).isEqualTo(16);
    }

    @Test
    void firstInsertsThroughTwoServersLoseNoRow() throws Exception {
        DatasetHandles otherHandles = new DatasetHandles(runtime, calls, TestLeases.deletedVersions(records));
        TableWriter other = new TableWriter(
                runtime,
                calls,
                otherHandles,
                TestLeases.firstWrites(runtime, otherHandles, records),
                new RowCommits(runtime, otherHandles),
                Settings.of(Map.of()));
        try (Race race = new Race(2)) {
            for (int round = 0; round < 10; round++) {
                TableLocation place =
                        new TableLocation(folder.resolve("r" + round).toString(), Map.of());
                List<WriteResult> written = race.run(runner ->
                        (runner == 0 ? writer : other).insert(place, null, InsertMode.APPEND, stream(PEOPLE, TWO)));
                assertThat(written.stream().map(WriteResult::version)).containsExactlyInAnyOrder(1L, 2L);
                try (DatasetLease lease = handles.open(place, TableVersion.LATEST)) {
                    assertThat(lease.dataset().countRows()).isEqualTo(4);
                }
            }
        } finally {
            otherHandles.destroy();
        }
    }

    @Test
    void appendsAtOneTimeAllCount() throws Exception {
        writer.create(table, stream(PEOPLE, TWO));
        try (Race race = new Race(8)) {
            race.run(runner -> writer.insert(table, null, InsertMode.APPEND, stream(PEOPLE, TWO)));
        }
        assertThat(rows()).isEqualTo(18);
        assertThat(version()).isEqualTo(9);
    }

    @ParameterizedTest
    @EnumSource(
            value = CodecType.class,
            names = {"LZ4_FRAME", "ZSTD"})
    void compressedBatchesAreRead(CodecType codec) {
        List<List<?>> many = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            many.add(List.of(i, "name of number " + i, List.of(i, -i)));
        }
        writer.create(table, body(ArrowRows.bytes(PEOPLE, List.of(many, TWO), codec)));

        assertThat(rows()).isEqualTo(3_002);
        assertThat(column("name", Queries.all().where("id = 2999").get())).containsExactly("name of number 2999");
    }

    @Test
    void columnsMayComeInAnyOrderAndNullableOnesMayBeMissing() {
        writer.create(table, stream(PEOPLE, TWO));
        writer.insert(
                table,
                null,
                InsertMode.APPEND,
                stream(schema(vector("vec", 2, FLOAT), required("id", INT64)), List.of(List.of(List.of(5, 6), 3))));
        writer.insert(
                table,
                null,
                InsertMode.APPEND,
                stream(
                        schema(field("name", new ArrowType.Null()), field("id", INT64)),
                        List.of(Arrays.asList(null, 4))));

        assertThat(result(Queries.all().where("id = 3").columns("name", "vec").get())
                        .toString())
                .contains("name=null", "vec=[5.0, 6.0]");
        assertThat(rows()).isEqualTo(4);
    }

    @Test
    void valuesKeepTheirMeaningInWiderNarrowerAndOtherwiseLaidOutTypes() {
        Schema target = schema(
                field("small", new ArrowType.Int(8, true)),
                field("big", INT64),
                field("real", DOUBLE),
                field("text", UTF8),
                field("at", new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC")),
                vector("vec", 2, FLOAT),
                list("tags", UTF8));
        writer.create(table, stream(target, List.of()));
        Schema given = schema(
                field("small", INT64),
                field("big", new ArrowType.Int(16, false)),
                field("real", INT32),
                field("text", new ArrowType.Utf8View()),
                field("at", new ArrowType.Timestamp(TimeUnit.SECOND, "Europe/Berlin")),
                list("vec", DOUBLE),
                field("tags", new ArrowType.LargeList(), field("element", new ArrowType.LargeUtf8())));
        writer.insert(
                table,
                null,
                InsertMode.APPEND,
                stream(
                        given,
                        List.of(
                                List.of(
                                        -128,
                                        65_535,
                                        7,
                                        "a text longer than twelve bytes",
                                        1,
                                        List.of(0.1, 2.0),
                                        List.of("x", "y")),
                                Arrays.asList(null, null, null, null, null, null, null),
                                List.of(127, 0, -7, "short", -1, List.of(3.0, 4.0), List.of()))));

        List<Map<String, @Nullable Object>> rows = result(TableQuery.everything());
        assertThat(rows.get(0).toString())
                .isEqualTo("{small=-128, big=65535, real=7.0, text=a text longer than twelve bytes, at=1000, "
                        + "vec=[0.1, 2.0], tags=[x, y]}");
        assertThat(rows.get(1).values()).containsOnlyNulls();
        assertThat(rows.get(2).toString())
                .isEqualTo("{small=127, big=0, real=-7.0, text=short, at=-1000, vec=[3.0, 4.0], tags=[]}");
    }

    @Test
    void aValueThatDoesNotFitIsNamedAndNothingIsWritten() {
        writer.create(table, stream(schema(field("n", INT32), field("f", FLOAT), vector("v", 2, FLOAT)), List.of()));

        assertThat(refused(ErrorCode.INVALID_INPUT, field("n", INT64), 1L << 31))
                .contains("'n'", "2147483648");
        assertThat(refused(ErrorCode.INVALID_INPUT, field("f", DOUBLE), 0.1)).contains("'f'", "0.1");
        assertThat(refused(ErrorCode.INVALID_INPUT, list("v", FLOAT), List.of(1, 2, 3)))
                .contains("'v'", "3", "2");
        assertThat(refused(ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR, vector("v", 3, FLOAT), List.of(1, 2, 3)))
                .contains("'v'", "3", "2");
        assertThat(refused(ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR, field("n", UTF8), "1"))
                .contains("'n'");
        assertThat(refused(ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR, field("n", DOUBLE), 1.0))
                .contains("'n'");
        assertThat(refused(ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR, field("other", INT32), 1))
                .contains("'other'");
        assertThat(version()).isEqualTo(1);
    }

    @Test
    void aColumnThatMustNotBeNullIsHeldToIt() {
        writer.create(table, stream(PEOPLE, TWO));

        assertThat(failure(
                                ErrorCode.INVALID_INPUT,
                                () -> writer.insert(
                                        table,
                                        null,
                                        InsertMode.APPEND,
                                        stream(schema(field("id", INT64)), List.of(Arrays.asList((Object) null)))))
                        .text())
                .contains("'id'");
        assertThat(failure(
                                ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR,
                                () -> writer.insert(
                                        table,
                                        null,
                                        InsertMode.APPEND,
                                        stream(schema(field("name", UTF8)), List.of(List.of("x")))))
                        .text())
                .contains("'id'");
    }

    @Test
    void whatIsNoStreamIsABadRequest() {
        byte[] valid = ArrowRows.bytes(PEOPLE, TWO);
        for (byte[] body : List.of(
                new byte[0],
                "ARROW1\0\0".getBytes(StandardCharsets.US_ASCII),
                "{\"id\": 1}".getBytes(StandardCharsets.US_ASCII),
                new byte[] {-1, -1, -1, -1},
                new byte[] {-1, -1, -1, -1, -1, -1, -1, 127},
                new byte[] {-1, -1, -1, -1, 0, 0, 0, 0},
                Arrays.copyOf(valid, 100),
                Arrays.copyOf(valid, valid.length - 20))) {
            failure(ErrorCode.INVALID_INPUT, () -> writer.create(table, body(body)));
        }
        assertThat(failure(
                                ErrorCode.INVALID_INPUT,
                                () -> writer.create(table, body("ARROW1\0\0".getBytes(StandardCharsets.US_ASCII))))
                        .text())
                .contains("stream");
        assertThat(handles.find(table, TableVersion.LATEST)).isEmpty();
    }

    @Test
    void aBodyThatBreaksOffAfterWholeBatchesCommitsNothing() {
        writer.create(table, stream(PEOPLE, TWO));
        byte[] valid = ArrowRows.bytes(PEOPLE, List.of(TWO, TWO), CodecType.NO_COMPRESSION);
        InputStream broken = new SequenceInputStream(body(Arrays.copyOf(valid, valid.length - 8)), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("connection reset by peer");
            }
        });

        failure(ErrorCode.INVALID_INPUT, () -> writer.insert(table, null, InsertMode.APPEND, broken));
        assertThat(version()).isEqualTo(1);
        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void decimalsThatBeginBetweenMultiplesOfSixteenBytesAreStored() {
        Schema prices = schema(field("id", INT64), field("price", new ArrowType.Decimal(20, 2, 128)));

        writer.create(table, stream(prices, List.of(List.of(1, new BigDecimal("12.34")))));
        assertThat(column("price", TableQuery.everything())).containsExactly(new BigDecimal("12.34"));
    }

    @Test
    void viewsOfEveryLengthKeepTheirValue() {
        List<List<?>> rows = new ArrayList<>();
        for (int length = 0; length < 30; length++) {
            rows.add(Arrays.asList(
                    length % 7 == 6
                            ? null
                            : "abcdefghijklmnopqrstuvwxyz0123456789".substring(length % 5, length % 5 + length)));
        }
        writer.create(table, stream(schema(field("text", new ArrowType.Utf8View())), rows));

        assertThat(column("text", TableQuery.everything()))
                .isEqualTo(rows.stream().map(row -> row.get(0)).toList());
    }

    @Test
    void aTimeZoneGivenAsAnOffsetIsStoredAndAnyOtherWithAColonIsRefused() {
        writer.create(table, stream(schema(field("at", timestamp("+05:30"))), List.of(List.of(1_000L))));
        writer.insert(
                table,
                null,
                InsertMode.APPEND,
                stream(schema(field("at", timestamp("+05:30"))), List.of(List.of(2_000L))));

        try (DatasetLease lease = handles.open(table, TableVersion.LATEST)) {
            assertThat(lease.dataset().getSchema().findField("at").getType()).isEqualTo(timestamp("+0530"));
        }
        assertThat(column("at", TableQuery.everything())).containsExactly(1_000L, 2_000L);
        for (String zone : List.of(":TC", "a:b", "::", "-", "UTC+05:30")) {
            failure(
                    ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR,
                    () -> writer.create(table, body(ArrowRows.schemaOnly(schema(field("c", timestamp(zone)))))));
        }
    }

    private static ArrowType timestamp(String zone) {
        return new ArrowType.Timestamp(TimeUnit.MICROSECOND, zone);
    }

    @Test
    void aNullInsideAVectorThatAllowsNoneIsABadRequest() {
        Field strict = field("v", new ArrowType.FixedSizeList(2), required("item", FLOAT));

        failure(
                ErrorCode.INVALID_INPUT,
                () -> writer.create(table, stream(schema(strict), List.of(List.of(Arrays.asList(1f, null))))));
    }

    @Test
    void theMetadataOfSchemaAndFieldsIsKept() {
        Field labelled = new Field("n", new FieldType(true, INT32, null, Map.of("unit", "m")), List.of());
        Schema described = new Schema(List.of(labelled, PEOPLE.getFields().get(2)), Map.of("owner", "maps"));
        for (InsertMode mode : InsertMode.values()) {
            writer.insert(table, null, mode, stream(described, List.of(List.of(1, List.of(1, 2)))));
            try (DatasetLease lease = handles.open(table, TableVersion.LATEST)) {
                Schema stored = lease.dataset().getSchema();
                assertThat(stored.getCustomMetadata()).containsEntry("owner", "maps");
                assertThat(stored.findField("n").getMetadata()).containsEntry("unit", "m");
            }
        }
    }

    @Test
    void typesThatCannotBeStoredOrEndTheProcessAreRefused() {
        for (Field killer : List.of(
                vector("c", 0, FLOAT),
                vector("c", 2, UTF8),
                field("c", new ArrowType.FixedSizeBinary(0)),
                field("c", new ArrowType.Decimal(20, -4, 128)),
                field("c", new ArrowType.FixedSizeList(2), field("item", new ArrowType.Struct(), field("x", INT32))),
                field("c", new ArrowType.Interval(org.apache.arrow.vector.types.IntervalUnit.YEAR_MONTH)),
                list("c", new ArrowType.Interval(org.apache.arrow.vector.types.IntervalUnit.DAY_TIME)))) {
            assertThat(failure(
                                    ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR,
                                    () -> writer.create(table, body(ArrowRows.schemaOnly(schema(killer)))))
                            .text())
                    .contains("'c'");
        }
    }

    @Test
    void namesThatCannotBeAddressedAreRefused() {
        for (List<Field> fields : List.of(
                List.of(field("", INT32)),
                List.of(field("a.b", INT32)),
                List.of(field("a`b", INT32)),
                List.of(field("s", new ArrowType.Struct(), field("a`b", INT32))),
                List.of(field("_rowid", INT32)),
                List.of(field("_distance", INT32)),
                List.of(field("a", INT32), field("a", UTF8)),
                List.of(field("n".repeat(600), INT32)),
                List.<Field>of())) {
            failure(
                    ErrorCode.INVALID_INPUT,
                    () -> writer.create(table, body(ArrowRows.schemaOnly(new Schema(fields)))));
        }
    }

    private String refused(ErrorCode code, Field column, Object value) {
        return failure(
                        code,
                        () -> writer.insert(
                                table, null, InsertMode.APPEND, stream(schema(column), List.of(List.of(value)))))
                .text();
    }

    private static InputStream body(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }
}
