package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How texts become the words of an index. What is null is left to the catalog.
 *
 * @param withPosition whether phrases can be found
 * @param baseTokenizer how a text is cut: {@code simple}, {@code whitespace}, {@code raw} or {@code ngram}
 * @param language whose endings and stop words are known
 * @param maxTokenLength words longer than this are left out
 * @param lowerCase whether letter case does not matter
 * @param stem whether endings do not matter
 * @param removeStopWords whether the commonest words are left out
 * @param asciiFolding whether accents do not matter
 * @param customStopWords words to leave out instead of those of the language
 * @param minNgramLength the fewest characters of a piece, for {@code ngram}
 * @param maxNgramLength the most characters of a piece, for {@code ngram}
 * @param prefixOnly whether only the beginnings of words are pieces, for {@code ngram}
 */
public record TextIndexSettings(
        @Nullable Boolean withPosition,
        @Nullable String baseTokenizer,
        @Nullable String language,
        @Nullable Integer maxTokenLength,
        @Nullable Boolean lowerCase,
        @Nullable Boolean stem,
        @Nullable Boolean removeStopWords,
        @Nullable Boolean asciiFolding,
        @Nullable List<String> customStopWords,
        @Nullable Integer minNgramLength,
        @Nullable Integer maxNgramLength,
        @Nullable Boolean prefixOnly) {

    /** All is left to the catalog; what an index of other values has. */
    static final TextIndexSettings NONE =
            new TextIndexSettings(null, null, null, null, null, null, null, null, null, null, null, null);

    private static final Set<String> TOKENIZERS = new TreeSet<>(Set.of("simple", "whitespace", "raw", "ngram"));
    private static final TreeMap<String, String> LANGUAGES = new TreeMap<>();

    static {
        Stream.of(
                        "Arabic",
                        "Danish",
                        "Dutch",
                        "English",
                        "Finnish",
                        "French",
                        "German",
                        "Greek",
                        "Hungarian",
                        "Italian",
                        "Norwegian",
                        "Portuguese",
                        "Romanian",
                        "Russian",
                        "Spanish",
                        "Swedish",
                        "Tamil",
                        "Turkish")
                .forEach(language -> LANGUAGES.put(language.toLowerCase(Locale.ROOT), language));
    }

    private static final int MOST_STOP_WORDS = 10_000;
    private static final int LONGEST_WORD = 65_536;
    private static final int LONGEST_PIECE = 32;
    private static final int USUAL_PIECE = 3;

    private static final NumberBound TOKEN_LENGTH = new NumberBound("max_token_length", 1, LONGEST_WORD);
    private static final NumberBound LEAST_PIECE = new NumberBound("min_ngram_length", 1, LONGEST_PIECE);
    private static final NumberBound MOST_PIECE = new NumberBound("max_ngram_length", 1, LONGEST_PIECE);

    /** The same settings in the spelling of the library; code 13 for one that it does not know or that is out of bounds. */
    public static TextIndexSettings of(
            TextIndexSettings asked,
            @Nullable Long maxTokenLength,
            @Nullable Long minNgramLength,
            @Nullable Long maxNgramLength) {
        TextIndexSettings settings = new TextIndexSettings(
                asked.withPosition,
                tokenizer(asked.baseTokenizer),
                language(asked.language),
                TOKEN_LENGTH.of(maxTokenLength),
                asked.lowerCase,
                asked.stem,
                asked.removeStopWords,
                asked.asciiFolding,
                asked.customStopWords,
                LEAST_PIECE.of(minNgramLength),
                MOST_PIECE.of(maxNgramLength),
                asked.prefixOnly);
        settings.requireStopWords();
        settings.requirePieces();
        return settings;
    }

    /**
     * The settings of an index, as the library tells them.
     *
     * @throws CatalogException code 13 for one that nobody can ask for
     */
    static TextIndexSettings told(JsonNode details) {
        String tokenizer = details.path("base_tokenizer").asStringOpt().orElse(null);
        boolean pieces = "ngram".equals(tokenizer);
        List<String> stopWords = new ArrayList<>();
        details.path("custom_stop_words").forEach(word -> stopWords.add(word.asString("")));
        TextIndexSettings asked = new TextIndexSettings(
                flag(details.path("with_position")),
                tokenizer,
                details.path("language").asStringOpt().orElse(null),
                null,
                flag(details.path("lower_case")),
                flag(details.path("stem")),
                flag(details.path("remove_stop_words")),
                flag(details.path("ascii_folding")),
                details.path("custom_stop_words").isArray() ? stopWords : null,
                null,
                null,
                pieces ? flag(details.path("prefix_only")) : null);
        return of(
                asked,
                number(details.path("max_token_length")),
                pieces ? number(details.path("min_ngram_length")) : null,
                pieces ? number(details.path("max_ngram_length")) : null);
    }

    private static @Nullable Boolean flag(JsonNode told) {
        return told.isBoolean() ? told.asBoolean() : null;
    }

    private static @Nullable Long number(JsonNode told) {
        return told.isIntegralNumber() ? told.asLong() : null;
    }

    private static @Nullable String tokenizer(@Nullable String name) {
        if (name == null) {
            return null;
        }
        String plain = name.toLowerCase(Locale.ROOT);
        if (!TOKENIZERS.contains(plain)) {
            throw VectorIndexSettings.refused("base_tokenizer", "must be one of " + String.join(", ", TOKENIZERS));
        }
        return plain;
    }

    private static @Nullable String language(@Nullable String name) {
        if (name == null) {
            return null;
        }
        String known = LANGUAGES.get(name.toLowerCase(Locale.ROOT));
        if (known == null) {
            throw VectorIndexSettings.refused("language", "must be one of " + String.join(", ", LANGUAGES.values()));
        }
        return known;
    }

    private void requireStopWords() {
        if (customStopWords == null) {
            return;
        }
        boolean fits = customStopWords.size() <= MOST_STOP_WORDS
                && customStopWords.stream().allMatch(word -> word != null && word.length() <= LONGEST_WORD);
        if (!fits) {
            throw VectorIndexSettings.refused("custom_stop_words", "must be at most " + MOST_STOP_WORDS + " words");
        }
    }

    /** Some clients send what is the case without being said, whatever the tokenizer. */
    private boolean hasPieces() {
        return (minNgramLength != null && minNgramLength != USUAL_PIECE)
                || (maxNgramLength != null && maxNgramLength != USUAL_PIECE)
                || Boolean.TRUE.equals(prefixOnly);
    }

    private void requirePieces() {
        if (hasPieces() && !"ngram".equals(baseTokenizer)) {
            throw CatalogException.invalid(
                    "min_ngram_length, max_ngram_length and prefix_only are settings of the base tokenizer 'ngram'.");
        }
        if (leastPiece() > mostPiece()) {
            throw VectorIndexSettings.refused("max_ngram_length", "must not be smaller than min_ngram_length");
        }
    }

    int leastPiece() {
        return Objects.requireNonNullElse(
                minNgramLength, Math.min(USUAL_PIECE, Objects.requireNonNullElse(maxNgramLength, USUAL_PIECE)));
    }

    int mostPiece() {
        return Objects.requireNonNullElse(maxNgramLength, Math.max(USUAL_PIECE, leastPiece()));
    }

    /**
     * Refuses settings for a kind of index that knows no words.
     *
     * @throws CatalogException code 13
     */
    void requireFor(IndexKind kind) {
        boolean none = Stream.of(
                        withPosition,
                        baseTokenizer,
                        language,
                        maxTokenLength,
                        lowerCase,
                        stem,
                        removeStopWords,
                        asciiFolding,
                        customStopWords,
                        minNgramLength,
                        maxNgramLength,
                        prefixOnly)
                .allMatch(Objects::isNull);
        if (kind != IndexKind.FTS && !none) {
            throw CatalogException.invalid("An index of the type " + kind + " takes no settings of a text index.");
        }
    }
}
