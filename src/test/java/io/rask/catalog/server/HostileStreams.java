package io.rask.catalog.server;

import io.rask.catalog.testing.ArrowStreams;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Bodies that are no Arrow stream, and streams that are not whole. */
final class HostileStreams {
    private static final long SEED = 20_261_130L;
    /** What begins a message of a stream. */
    private static final int CONTINUATION = -1;

    private HostileStreams() {}

    static Stream<byte[]> all() {
        byte[] random = new byte[64 * 1024];
        new Random(SEED).nextBytes(random);
        byte[] whole = ArrowStreams.longs("id", 1, 2, 3);
        return Stream.of(
                new byte[0],
                new byte[] {0},
                "not arrow".getBytes(StandardCharsets.UTF_8),
                "{\"id\":[1,2,3]}".getBytes(StandardCharsets.UTF_8),
                "id,name\n1,one\n".getBytes(StandardCharsets.UTF_8),
                "ARROW1\0\0".getBytes(StandardCharsets.UTF_8),
                "PAR1".getBytes(StandardCharsets.UTF_8),
                new byte[1 << 20],
                random,
                message(CONTINUATION, Integer.MAX_VALUE),
                message(CONTINUATION, Integer.MIN_VALUE),
                message(CONTINUATION, -1),
                message(CONTINUATION, 1 << 20),
                message(CONTINUATION, 16),
                concat(message(CONTINUATION, 16), new byte[16]),
                concat(new byte[] {1}, whole),
                Arrays.copyOfRange(whole, 8, whole.length));
    }

    private static byte[] message(int marker, int length) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(marker)
                .putInt(length)
                .array();
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** A stream cut off at many places: in its schema, its batch and just before its end. */
    static List<byte[]> cuts(byte[] whole) {
        List<byte[]> cuts = new ArrayList<>();
        for (int length = 1; length < whole.length - 8; length += 29) {
            cuts.add(Arrays.copyOf(whole, length));
        }
        cuts.add(Arrays.copyOf(whole, whole.length - 9));
        cuts.add(Arrays.copyOf(whole, whole.length - 16));
        return cuts;
    }

    /** Copies of a stream, each with one bit turned. */
    static Stream<byte[]> flipped(byte[] whole, int copies) {
        Random random = new Random(SEED);
        return Stream.generate(() -> {
                    byte[] copy = whole.clone();
                    copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
                    return copy;
                })
                .limit(copies);
    }
}
