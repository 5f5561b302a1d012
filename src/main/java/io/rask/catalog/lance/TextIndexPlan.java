package io.rask.catalog.lance;

import java.util.Objects;
import org.lance.index.scalar.InvertedIndexParams;
import org.lance.index.scalar.ScalarIndexParams;

/** How an index of words is made where a request leaves something open. */
final class TextIndexPlan {
    private static final int MAX_TOKEN_LENGTH = 40;

    private TextIndexPlan() {}

    static ScalarIndexParams parameters(TextIndexSettings settings) {
        String tokenizer = Objects.requireNonNullElse(settings.baseTokenizer(), "simple");
        InvertedIndexParams.Builder index = InvertedIndexParams.builder()
                .baseTokenizer(tokenizer)
                .language(Objects.requireNonNullElse(settings.language(), "English"))
                .withPosition(Objects.requireNonNullElse(settings.withPosition(), false))
                .maxTokenLength(Objects.requireNonNullElse(settings.maxTokenLength(), MAX_TOKEN_LENGTH))
                .lowerCase(Objects.requireNonNullElse(settings.lowerCase(), true))
                .stem(Objects.requireNonNullElse(settings.stem(), true))
                .removeStopWords(Objects.requireNonNullElse(settings.removeStopWords(), true))
                .asciiFolding(Objects.requireNonNullElse(settings.asciiFolding(), true));
        if (settings.customStopWords() != null) {
            index.customStopWords(settings.customStopWords());
        }
        if (tokenizer.equals("ngram")) {
            index.minNgramLength(settings.leastPiece())
                    .maxNgramLength(settings.mostPiece())
                    .prefixOnly(Objects.requireNonNullElse(settings.prefixOnly(), false));
        }
        return index.build();
    }
}
