package io.rask.catalog.lance.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.BlockSize;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.Parameters;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Lz4FrameTest {
    private final Random random = new Random(3);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 64 << 10, (64 << 10) + 1, 300_000})
    void framesOfIndependentBlocksAreRead(int size) throws IOException {
        byte[] plain = plain(size);
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try (LZ4FrameOutputStream out = new LZ4FrameOutputStream(
                frame,
                BLOCKSIZE.SIZE_64KB,
                -1L,
                FLG.Bits.BLOCK_INDEPENDENCE,
                FLG.Bits.BLOCK_CHECKSUM,
                FLG.Bits.CONTENT_CHECKSUM)) {
            out.write(plain);
        }

        assertReads(frame.toByteArray(), plain);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, (64 << 10) + 1, 200_000})
    void framesWhoseBlocksReferToEachOtherAreRead(int size) throws IOException {
        byte[] plain = plain(size);
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        Parameters linked = new Parameters(BlockSize.K64, true, false, true);
        try (FramedLZ4CompressorOutputStream out = new FramedLZ4CompressorOutputStream(frame, linked)) {
            out.write(plain);
        }

        assertReads(frame.toByteArray(), plain);
    }

    private void assertReads(byte[] frame, byte[] plain) {
        ByteBuffer target = ByteBuffer.allocateDirect(plain.length);
        assertThat(Lz4Frame.decompress(direct(frame), target)).isTrue();
        byte[] read = new byte[plain.length];
        target.get(0, read);
        assertThat(read).isEqualTo(plain);
        assertThat(Lz4Frame.decompress(direct(frame), ByteBuffer.allocateDirect(plain.length + 1)))
                .as("another size")
                .isFalse();
        for (int round = 0; round < 200; round++) {
            byte[] damaged = frame.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            Lz4Frame.decompress(direct(damaged), ByteBuffer.allocateDirect(plain.length));
        }
    }

    private byte[] plain(int size) {
        byte[] plain = new byte[size];
        for (int i = 0; i < size; i++) {
            plain[i] = (byte) (random.nextInt(10) == 0 ? random.nextInt() : i % 17);
        }
        return plain;
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
