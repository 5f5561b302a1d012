package io.rask.catalog.lance;

import static io.rask.catalog.lance.ArrowRows.DOUBLE;
import static io.rask.catalog.lance.ArrowRows.FLOAT;
import static io.rask.catalog.lance.ArrowRows.INT32;
import static io.rask.catalog.lance.ArrowRows.INT64;
import static io.rask.catalog.lance.ArrowRows.UTF8;
import static io.rask.catalog.lance.ArrowRows.field;
import static io.rask.catalog.lance.ArrowRows.list;
import static io.rask.catalog.lance.ArrowRows.schema;
import static io.rask.catalog.lance.ArrowRows.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged streams: the process survives each, and none is anything but a bad request. */
class HostileStreamTest extends TableTest {
    private static final long[] EXTREMES = {
        0, 1, -1, 7, 8, 255, 1 << 16, Integer.MAX_VALUE, Integer.MIN_VALUE, 1L << 33, Long.MAX_VALUE, Long.MIN_VALUE
    };
    private static final int ROUNDS = Integer.getInteger("catalog.fuzz.rounds", 1_000);

    private static final Schema WIDE = schema(
            field("id", INT64),
            field("flag", new ArrowType.Bool()),
            field("text", UTF8),
            field("long_text", new ArrowType.LargeUtf8()),
            field("view", new ArrowType.Utf8View()),
            field("bytes", new ArrowType.Binary()),
            field("price", new ArrowType.Decimal(20, 4, 128)),
            field("at", new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC")),
            field("place", new ArrowType.Struct(), field("x", INT32), field("label", UTF8)),
            list("tags", UTF8),
            field("numbers", new ArrowType.LargeList(), field("item", DOUBLE)),
            vector("vec", 3, FLOAT));

    @ParameterizedTest
    @EnumSource(
            value = CodecType.class,
            names = {"NO_COMPRESSION", "ZSTD", "LZ4_FRAME"})
    void noDamagedStreamHarmsTheProcess(CodecType codec) {
        survives(codec.toString(), ArrowRows.bytes(WIDE, List.of(rows(0, 20), rows(20, 23)), codec));
    }

    @Test
    void noDamagedDictionaryHarmsTheProcess() {
        survives(
                "dictionary",
                DictionaryStreamTest.encoded(
                                new int[] {0, 1, -1, 2}, List.of("red", "blue", "x"), List.of("a", "b", "c"))
                        .readAllBytes());
    }

    private void survives(String what, byte[] valid) {
        long seed = Long.getLong("catalog.fuzz.seed", new Random().nextLong());
        System.out.println("HostileStreamTest seed " + seed + " " + what);
        Random random = new Random(seed);
        Map<ErrorCode, Integer> refusals = new EnumMap<>(ErrorCode.class);
        int accepted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = damaged(valid, random);
            TableLocation place = new TableLocation(folder.resolve("t" + round).toString(), Map.of());
            try {
                writer.create(place, new ByteArrayInputStream(damaged));
                reader.query(
                        () -> place,
                        TableQuery.everything(),
                        read -> {},
                        Channels.newChannel(OutputStream.nullOutputStream()));
                accepted++;
            } catch (CatalogException e) {
                if (e.code() != ErrorCode.INVALID_INPUT && e.code() != ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR) {
                    throw new AssertionError("round " + round + " of seed " + seed + ": " + e.code(), e);
                }
                refusals.merge(e.code(), 1, Integer::sum);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            handles.invalidate(place.uri());
        }
        System.out.println("accepted " + accepted + ", refused " + refusals);
        assertThat(refusals).containsKey(ErrorCode.INVALID_INPUT);
        assertThat(accepted).as("damage that changes values only").isPositive();
    }

    @ParameterizedTest
    @EnumSource(
            value = CodecType.class,
            names = {"NO_COMPRESSION", "ZSTD", "LZ4_FRAME"})
    void theUndamagedStreamComesBackAsWritten(CodecType codec) {
        List<List<?>> written = rows(0, 23);
        writer.create(
                table, new ByteArrayInputStream(ArrowRows.bytes(WIDE, List.of(rows(0, 20), rows(20, 23)), codec)));

        for (int i = 0; i < WIDE.getFields().size(); i++) {
            String name = WIDE.getFields().get(i).getName();
            List<@Nullable Object> read = column(name, TableQuery.everything());
            for (int row = 0; row < written.size(); row++) {
                assertThat(plain(read.get(row)))
                        .as("%s of row %d", name, row)
                        .isEqualTo(plain(written.get(row).get(i)));
            }
        }
    }

    /** A value without regard to the width of its numbers. */
    private static String plain(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case byte[] bytes -> Arrays.toString(bytes);
            case Number number ->
                new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
            case List<?> list ->
                list.stream().map(HostileStreamTest::plain).toList().toString();
            case Map<?, ?> map -> new TreeMap<>(map).toString();
            default -> value.toString();
        };
    }

    @Test
    void aStreamCutAnywhereWritesNothing() {
        byte[] valid = ArrowRows.bytes(WIDE, List.of(rows(0, 20), rows(20, 23)), CodecType.NO_COMPRESSION);
        writer.create(table, new ByteArrayInputStream(valid));
        Random random = new Random(7);
        int boundaries = 0;
        for (int round = 0; round < 200; round++) {
            byte[] cut = Arrays.copyOf(valid, random.nextInt(valid.length - 8));
            try {
                writer.insert(table, null, InsertMode.APPEND, new ByteArrayInputStream(cut));
                boundaries++;
            } catch (CatalogException e) {
                assertThat(e.code()).as(e.text()).isEqualTo(ErrorCode.INVALID_INPUT);
            }
        }
        assertThat(version()).isEqualTo(1 + boundaries);
        assertThat(boundaries).as("cuts between two messages").isLessThan(5);
    }

    private static byte[] damaged(byte[] valid, Random random) {
        byte[] bytes = valid.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length - 8);
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            long extreme = EXTREMES[random.nextInt(EXTREMES.length)];
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> buffer.putInt(at & ~3, (int) extreme);
                case 3 -> buffer.putLong(at & ~7, extreme);
                case 4 -> buffer.putInt(at & ~3, buffer.getInt(at & ~3) + random.nextInt(65) - 32);
                default -> {
                    int from = random.nextInt(bytes.length - 64);
                    System.arraycopy(valid, from, bytes, Math.min(at, bytes.length - 64), 1 + random.nextInt(64));
                }
            }
        }
        return bytes;
    }

    private static List<List<?>> rows(int from, int to) {
        List<List<?>> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            boolean some = i % 4 != 1;
            rows.add(Arrays.asList(
                    i,
                    some ? i % 2 == 0 : null,
                    some ? "text ü " + i : null,
                    "long " + i,
                    some ? "a view that is longer than twelve bytes " + i : "short",
                    new byte[] {1, 2, (byte) i},
                    BigDecimal.valueOf(i * 10_000L + 25, 4),
                    i * 1_000_000L,
                    some ? Map.of("x", i, "label", "l" + i) : null,
                    some ? List.of("a" + i, "b") : null,
                    List.of(i * 0.5),
                    some ? List.of(i, i + 1, i + 2) : null));
        }
        return rows;
    }
}
