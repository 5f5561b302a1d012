package io.rask.catalog.index;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.wire.CreateIndexRequest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an index of words that newer clients know and the library does not. One that changes what is found is refused; one that
 * says what is the case anyway, or only how the index is stored, is taken. Words that are never cut are always kept whole.
 */
final class TextIndexExtras {
    private static final Set<Long> BLOCK_SIZES = Set.of(128L, 256L);

    private TextIndexExtras() {}

    /** @throws CatalogException code 13 for a setting that would have to change what is found */
    static void require(CreateIndexRequest body) {
        String kind = body.lanceTokenizer();
        if (kind != null && !kind.isEmpty() && !kind.toLowerCase(Locale.ROOT).equals("text")) {
            throw refused("lance_tokenizer", "must be text: indices are of plain texts");
        }
        if (body.blockSize() != null && !BLOCK_SIZES.contains(body.blockSize())) {
            throw refused("block_size", "must be 128 or 256");
        }
        requireOff("split_identifiers", body.splitIdentifiers());
        requireOff("split_on_numerics", body.splitOnNumerics());
        requireOff("index_operators", body.indexOperators());
    }

    private static void requireOff(String name, @Nullable Boolean value) {
        if (Boolean.TRUE.equals(value)) {
            throw refused(name, "must be absent or false: texts cannot be cut this way");
        }
    }

    private static CatalogException refused(String field, String rule) {
        return CatalogException.invalid(
                "The setting " + field + " " + rule + ".", List.of(new FieldViolation(field, rule)));
    }
}
