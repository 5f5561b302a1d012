package io.rask.catalog.wire;

import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of the creation of an index.
 *
 * @param name absent for one of the catalog's choice
 * @param metricType what LanceDB calls the distance
 * @param lanceTokenizer what kind of text the column holds
 * @param blockSize how many entries of an index of words are packed together
 * @param splitIdentifiers whether words are cut where letter case changes
 * @param splitOnNumerics whether words are cut where digits begin or end
 * @param preserveOriginal whether a word that is cut is kept whole too
 * @param indexOperators whether signs are words
 */
public record CreateIndexRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @NotNull String column,
        @NotNull String indexType,
        @Nullable String name,
        @Nullable String distanceType,
        @Nullable String metricType,
        @Nullable Long numPartitions,
        @Nullable Long numSubVectors,
        @Nullable Long numBits,
        @Nullable Long sampleRate,
        @Nullable Long maxIterations,
        @Nullable Long targetPartitionSize,
        @Nullable Long m,
        @Nullable Long efConstruction,
        @Nullable Boolean withPosition,
        @Nullable String baseTokenizer,
        @Nullable String language,
        @Nullable Long maxTokenLength,
        @Nullable Boolean lowerCase,
        @Nullable Boolean stem,
        @Nullable Boolean removeStopWords,
        @Nullable Boolean asciiFolding,
        @Nullable List<@Nullable String> customStopWords,
        @Nullable Long minNgramLength,
        @Nullable Long maxNgramLength,
        @Nullable Boolean prefixOnly,
        @Nullable String lanceTokenizer,
        @Nullable Long blockSize,
        @Nullable Boolean splitIdentifiers,
        @Nullable Boolean splitOnNumerics,
        @Nullable Boolean preserveOriginal,
        @Nullable Boolean indexOperators)
        implements ObjectBody {}
