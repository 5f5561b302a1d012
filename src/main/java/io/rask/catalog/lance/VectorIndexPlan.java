package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.Objects;
import org.lance.index.DistanceType;
import org.lance.index.vector.HnswBuildParams;
import org.lance.index.vector.IvfBuildParams;
import org.lance.index.vector.PQBuildParams;
import org.lance.index.vector.RQBuildParams;
import org.lance.index.vector.SQBuildParams;
import org.lance.index.vector.VectorIndexParams;

/**
 * How an index of vectors is made of the rows that are there.
 *
 * @param rows how many have a vector
 */
record VectorIndexPlan(IndexKind kind, VectorIndexSettings settings, int dimensions, long rows) {
    private static final int MOST_PARTITIONS_CHOSEN = 4_096;
    private static final int BITS = 8;
    private static final int ITERATIONS = 50;
    private static final int SAMPLE_RATE = 256;
    private static final int EDGES = 20;
    private static final int CANDIDATES = 150;

    /** Code 13 when there are too few vectors to learn from: native code fails on them, or does not end. */
    void require() {
        long needed = partitions();
        if (kind.isProductQuantized()) {
            needed = Math.max(needed, 1L << bits());
        }
        if (rows < needed) {
            throw CatalogException.invalid("An index of the type " + kind + " of " + partitions()
                    + " partitions needs at least " + needed + " rows with a vector; the table has " + rows + ".");
        }
    }

    private int bits() {
        return Objects.requireNonNullElse(settings.bits(), BITS);
    }

    /** As many parts as make each of the wanted size. */
    int partitions() {
        if (settings.partitions() != null) {
            return settings.partitions();
        }
        long size = Objects.requireNonNullElse(settings.targetPartitionSize(), usualSize());
        return Math.clamp(rows / size, 1, MOST_PARTITIONS_CHOSEN);
    }

    /** A graph is searched in much less than the time of its size. */
    private int usualSize() {
        if (kind.isGraph()) {
            return 1 << 20;
        }
        return kind.isProductQuantized() || kind.isScalarQuantized() ? 8_192 : 4_096;
    }

    /** How many pieces a vector is cut into, all of one length. */
    static int pieces(VectorIndexSettings settings, int dimensions) {
        if (settings.subVectors() != null) {
            return settings.subVectors();
        }
        for (int length : new int[] {16, 8, 4, 2}) {
            if (dimensions % length == 0 && dimensions > length) {
                return dimensions / length;
            }
        }
        return 1;
    }

    VectorIndexParams parameters() {
        VectorIndexParams.Builder index = new VectorIndexParams.Builder(partitioning()).setDistanceType(distance());
        if (kind.isProductQuantized()) {
            index.setPqParams(new PQBuildParams.Builder()
                    .setNumSubVectors(pieces(settings, dimensions))
                    .setNumBits(bits())
                    .setMaxIters(iterations())
                    .setSampleRate(sampleRate())
                    .build());
        } else if (kind.isScalarQuantized() || kind == IndexKind.IVF_HNSW_FLAT) {
            index.setSqParams(new SQBuildParams.Builder()
                    .setNumBits((short) BITS)
                    .setSampleRate(sampleRate())
                    .build());
        } else if (kind == IndexKind.IVF_RQ) {
            index.setRqParams(new RQBuildParams.Builder().setNumBits((byte) 1).build());
        }
        if (kind.isGraph()) {
            index.setHnswParams(new HnswBuildParams.Builder()
                    .setM(Objects.requireNonNullElse(settings.m(), EDGES))
                    .setEfConstruction(Objects.requireNonNullElse(settings.efConstruction(), CANDIDATES))
                    .build());
        }
        VectorIndexParams built = index.build();
        return kind == IndexKind.IVF_HNSW_FLAT ? PlainGraph.of(built) : built;
    }

    private IvfBuildParams partitioning() {
        return new IvfBuildParams.Builder()
                .setNumPartitions(partitions())
                .setMaxIters(iterations())
                .setSampleRate(sampleRate())
                .build();
    }

    private int iterations() {
        return Objects.requireNonNullElse(settings.maxIterations(), ITERATIONS);
    }

    private int sampleRate() {
        return Objects.requireNonNullElse(settings.sampleRate(), SAMPLE_RATE);
    }

    private DistanceType distance() {
        return switch (Objects.requireNonNullElse(settings.metric(), DistanceMetric.L2)) {
            case L2 -> DistanceType.L2;
            case COSINE -> DistanceType.Cosine;
            case DOT -> DistanceType.Dot;
            case HAMMING -> DistanceType.Hamming;
        };
    }
}
