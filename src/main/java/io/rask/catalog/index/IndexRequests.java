package io.rask.catalog.index;

import io.rask.catalog.lance.DistanceMetric;
import io.rask.catalog.lance.IndexKind;
import io.rask.catalog.lance.NewIndex;
import io.rask.catalog.lance.TextIndexSettings;
import io.rask.catalog.lance.VectorIndexSettings;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.wire.CreateIndexRequest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads what is asked for out of a body; code 13 for what cannot be. */
final class IndexRequests {
    private IndexRequests() {}

    /** An index of any kind. */
    static NewIndex any(CreateIndexRequest body) {
        if (body.column().isEmpty()) {
            throw CatalogException.invalid(
                    "The body does not name the column.", List.of(new FieldViolation("column", "must be present")));
        }
        String name = body.name() == null || body.name().isEmpty() ? null : body.name();
        return new NewIndex(name, body.column(), IndexKind.of(body.indexType()), vectors(body), text(body));
    }

    /** An index of single values or words. */
    static NewIndex scalar(CreateIndexRequest body) {
        NewIndex index = any(body);
        if (index.kind().isVector()) {
            throw CatalogException.invalid(
                    "An index of the type " + index.kind() + " is one of vectors; create_index makes it.",
                    List.of(new FieldViolation("index_type", "must not be one of vectors")));
        }
        return index;
    }

    private static VectorIndexSettings vectors(CreateIndexRequest body) {
        return VectorIndexSettings.of(
                metric(body.distanceType(), body.metricType()),
                new VectorIndexSettings.Numbers(
                        body.numPartitions(),
                        body.targetPartitionSize(),
                        body.numSubVectors(),
                        body.numBits(),
                        body.sampleRate(),
                        body.maxIterations(),
                        body.m(),
                        body.efConstruction()));
    }

    private static @Nullable DistanceMetric metric(@Nullable String distanceType, @Nullable String metricType) {
        String name = distanceType == null || distanceType.isEmpty() ? metricType : distanceType;
        return name == null || name.isEmpty() ? null : DistanceMetric.of(name);
    }

    private static TextIndexSettings text(CreateIndexRequest body) {
        TextIndexExtras.require(body);
        TextIndexSettings asked = new TextIndexSettings(
                body.withPosition(),
                body.baseTokenizer(),
                body.language(),
                null,
                body.lowerCase(),
                body.stem(),
                body.removeStopWords(),
                body.asciiFolding(),
                stopWords(body.customStopWords()),
                null,
                null,
                body.prefixOnly());
        return TextIndexSettings.of(asked, body.maxTokenLength(), body.minNgramLength(), body.maxNgramLength());
    }

    private static @Nullable List<String> stopWords(@Nullable List<@Nullable String> words) {
        if (words == null) {
            return null;
        }
        if (words.contains(null)) {
            throw CatalogException.invalid(
                    "A stop word is null.", List.of(new FieldViolation("custom_stop_words", "must hold no null")));
        }
        return words.stream().map(Objects::requireNonNull).toList();
    }
}
