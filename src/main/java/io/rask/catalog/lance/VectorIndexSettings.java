package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How an index of vectors is to be made. What is null is left to the catalog.
 *
 * @param metric by which distance vectors are near
 * @param partitions into how many parts the vectors are divided
 * @param targetPartitionSize how many vectors a part should have, instead of the number of parts
 * @param subVectors into how many pieces a vector is cut
 * @param bits how many bits a piece, or a number, is kept in
 * @param sampleRate how many vectors are looked at for each thing that is learned
 * @param maxIterations how often a learned thing is improved at most
 * @param m how many edges a node of the graph has
 * @param efConstruction how many candidates are looked at for an edge
 */
public record VectorIndexSettings(
        @Nullable DistanceMetric metric,
        @Nullable Integer partitions,
        @Nullable Integer targetPartitionSize,
        @Nullable Integer subVectors,
        @Nullable Integer bits,
        @Nullable Integer sampleRate,
        @Nullable Integer maxIterations,
        @Nullable Integer m,
        @Nullable Integer efConstruction) {

    /** All is left to the catalog; what an index of other values has. */
    static final VectorIndexSettings NONE =
            new VectorIndexSettings(null, null, null, null, null, null, null, null, null);

    static final int MOST_PARTITIONS = 65_536;

    private static final NumberBound PARTITIONS = new NumberBound("num_partitions", 1, MOST_PARTITIONS);
    private static final NumberBound TARGET_SIZE = new NumberBound("target_partition_size", 1, 100_000_000);
    private static final NumberBound SUB_VECTORS = new NumberBound("num_sub_vectors", 1, 65_536);
    private static final NumberBound BITS = new NumberBound("num_bits", 1, 8);
    private static final NumberBound SAMPLE_RATE = new NumberBound("sample_rate", 2, 65_536);
    private static final NumberBound ITERATIONS = new NumberBound("max_iterations", 1, 1_000);
    private static final NumberBound EDGES = new NumberBound("m", 2, 512);
    private static final NumberBound CANDIDATES = new NumberBound("ef_construction", 1, 10_000);

    /** The numbers as a request has them. */
    public record Numbers(
            @Nullable Long partitions,
            @Nullable Long targetPartitionSize,
            @Nullable Long subVectors,
            @Nullable Long bits,
            @Nullable Long sampleRate,
            @Nullable Long maxIterations,
            @Nullable Long m,
            @Nullable Long efConstruction) {}

    /** Settings out of what a request has; code 13 for a number out of bounds. */
    public static VectorIndexSettings of(@Nullable DistanceMetric metric, Numbers numbers) {
        return new VectorIndexSettings(
                metric,
                PARTITIONS.of(numbers.partitions()),
                TARGET_SIZE.of(numbers.targetPartitionSize()),
                SUB_VECTORS.of(numbers.subVectors()),
                BITS.of(numbers.bits()),
                SAMPLE_RATE.of(numbers.sampleRate()),
                ITERATIONS.of(numbers.maxIterations()),
                EDGES.of(numbers.m()),
                CANDIDATES.of(numbers.efConstruction()));
    }

    /**
     * The settings of an index, as far as the library tells them: of its parts, it does not say how many there are.
     *
     * @throws CatalogException code 13 for a number that nobody can ask for
     */
    static VectorIndexSettings told(IndexKind kind, JsonNode details) {
        JsonNode compression = details.path("compression");
        JsonNode graph = details.path("hnsw");
        JsonNode learning = details.path("runtime_hints");
        JsonNode metric = details.path("metric_type");
        return of(
                metric.isString() ? DistanceMetric.of(metric.asString()) : null,
                new Numbers(
                        null,
                        null,
                        kind.isProductQuantized() ? number(compression.path("num_sub_vectors")) : null,
                        kind.isProductQuantized() ? number(compression.path("num_bits")) : null,
                        number(learning.path("lance.ivf.sample_rate")),
                        number(learning.path("lance.ivf.max_iters")),
                        kind.isGraph() ? number(graph.path("max_connections")) : null,
                        kind.isGraph() ? number(graph.path("construction_ef")) : null));
    }

    private static @Nullable Long number(JsonNode told) {
        return told.asLongOpt().isPresent() ? told.asLong() : null;
    }

    /**
     * Refuses settings that mean nothing for a kind of index, or that it cannot have.
     *
     * @throws CatalogException code 13
     */
    void requireFor(IndexKind kind) {
        if (!kind.isVector()) {
            boolean none = Stream.of(
                            metric,
                            partitions,
                            targetPartitionSize,
                            subVectors,
                            bits,
                            sampleRate,
                            maxIterations,
                            m,
                            efConstruction)
                    .allMatch(Objects::isNull);
            if (!none) {
                throw CatalogException.invalid(
                        "An index of the type " + kind + " takes no settings of a vector index.");
            }
            return;
        }
        requireOnly(kind, kind.isProductQuantized(), "num_sub_vectors", subVectors);
        requireOnly(kind, kind.isGraph(), "m", m);
        requireOnly(kind, kind.isGraph(), "ef_construction", efConstruction);
        requireBits(kind);
        if (partitions != null && targetPartitionSize != null) {
            throw refused("target_partition_size", "must be absent when num_partitions is given");
        }
        if (metric == DistanceMetric.HAMMING && kind != IndexKind.IVF_FLAT) {
            throw refused("distance_type", "may be hamming for IVF_FLAT only");
        }
    }

    private void requireBits(IndexKind kind) {
        if (bits == null) {
            return;
        }
        if (kind.isProductQuantized()) {
            if (bits != 4 && bits != 8) {
                throw refused("num_bits", "must be 4 or 8 for " + kind);
            }
        } else if (kind.isScalarQuantized()) {
            if (bits != 8) {
                throw refused("num_bits", "must be 8 for " + kind);
            }
        } else if (kind == IndexKind.IVF_RQ) {
            if (bits != 1) {
                throw refused("num_bits", "must be 1 for " + kind);
            }
        } else {
            throw refused("num_bits", "must be absent for " + kind);
        }
    }

    private static void requireOnly(IndexKind kind, boolean fits, String field, @Nullable Integer value) {
        if (!fits && value != null) {
            throw refused(field, "must be absent for " + kind);
        }
    }

    static CatalogException refused(String field, String rule) {
        return CatalogException.invalid(
                "The field '" + field + "' " + rule + ".", List.of(new FieldViolation(field, rule)));
    }
}
