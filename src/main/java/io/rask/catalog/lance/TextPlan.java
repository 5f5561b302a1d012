package io.rask.catalog.lance;

import io.rask.catalog.lance.TextQuery.Boost;
import io.rask.catalog.lance.TextQuery.Combined;
import io.rask.catalog.lance.TextQuery.Match;
import io.rask.catalog.lance.TextQuery.MultiMatch;
import io.rask.catalog.lance.TextQuery.Phrase;
import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.ipc.FullTextQuery;
import org.lance.ipc.FullTextQuery.BooleanClause;
import org.lance.ipc.FullTextQuery.Occur;
import org.lance.ipc.FullTextQuery.Operator;

/** Turns a full-text search into the library's, with every number and text bounded and every column checked. */
final class TextPlan {
    private static final int MAX_TERMS = 4_096;
    private static final int MAX_DEPTH = 8;
    private static final int MAX_QUERIES = 64;
    private static final int MAX_EXPANSIONS = 1_000;
    private static final int MAX_LETTERS = 100;
    private static final int MAX_FUZZINESS = 2;

    private final Schema schema;
    private final List<String> columns;
    private final Supplier<List<String>> indexed;
    private final Set<String> searched = new LinkedHashSet<>();
    private int queries;

    /** @param indexed the columns that have a full-text index; asked only when no column is named */
    TextPlan(TextSearch search, Schema schema, Supplier<List<String>> indexed) {
        this.schema = schema;
        this.columns = search.columns();
        this.indexed = indexed;
    }

    /** @throws CatalogException code 12 for an unknown column, 13 when the query is out of bounds or ambiguous */
    FullTextQuery plan(TextQuery query) {
        return plan(query, 1);
    }

    /** The columns the planned query looks into. */
    Set<String> searched() {
        return searched;
    }

    private FullTextQuery plan(TextQuery query, int depth) {
        if (depth > MAX_DEPTH || ++queries > MAX_QUERIES) {
            throw CatalogException.invalid("The full-text query has more than " + MAX_QUERIES
                    + " parts, or parts nested more than " + MAX_DEPTH + " deep.");
        }
        return switch (query) {
            case Match match -> match(match);
            case Phrase phrase -> phrase(phrase);
            case MultiMatch multi -> multiMatch(multi);
            case Boost boost ->
                FullTextQuery.boost(
                        plan(boost.positive(), depth + 1),
                        plan(boost.negative(), depth + 1),
                        finite(boost.negativeBoost()));
            case Combined combined -> combined(combined, depth);
        };
    }

    private FullTextQuery match(Match match) {
        checkMatch(match);
        List<String> where = where(match.column());
        if (where.size() == 1) {
            return match.fuzziness() == null
                    ? fuzzyByLength(match, where.get(0))
                    : match(match, where.get(0), match.terms(), match.fuzziness());
        }
        requirePlain(match);
        return FullTextQuery.multiMatch(
                match.terms(),
                where,
                where.stream().map(column -> finite(match.boost())).toList(),
                operator(match));
    }

    private static FullTextQuery match(Match match, String column, String terms, int fuzziness) {
        return FullTextQuery.match(
                terms,
                column,
                finite(match.boost()),
                Optional.of(fuzziness),
                match.maxExpansions(),
                operator(match),
                match.prefixLength());
    }

    /** Longer words may differ in more letters. Left to the library, the choice by length is silently none at all. */
    private static FullTextQuery fuzzyByLength(Match match, String column) {
        Map<Integer, String> terms = new TreeMap<>();
        for (String term : match.terms().strip().split("\\s+")) {
            int letters = term.codePointCount(0, term.length());
            terms.merge(letters < 3 ? 0 : letters < 6 ? 1 : MAX_FUZZINESS, term, (a, b) -> a + " " + b);
        }
        List<FullTextQuery> parts = terms.entrySet().stream()
                .map(entry -> match(match, column, entry.getValue(), entry.getKey()))
                .toList();
        Occur occur = match.all() ? Occur.MUST : Occur.SHOULD;
        return parts.size() == 1
                ? parts.get(0)
                : FullTextQuery.booleanQuery(parts.stream()
                        .map(part -> new BooleanClause(occur, part))
                        .toList());
    }

    private FullTextQuery multiMatch(MultiMatch multi) {
        if (multi.matches().isEmpty() || multi.matches().size() > MAX_QUERIES) {
            throw CatalogException.invalid("multi_match needs 1 to " + MAX_QUERIES + " match queries.");
        }
        Match first = multi.matches().get(0);
        List<String> where = new ArrayList<>();
        List<Float> boosts = new ArrayList<>();
        for (Match match : multi.matches()) {
            checkMatch(match);
            requirePlain(match);
            if (!match.terms().equals(first.terms()) || match.all() != first.all()) {
                throw CatalogException.invalid(
                        "The match queries of multi_match must have the same terms and operator; use a boolean query for others.");
            }
            for (String column : where(match.column())) {
                where.add(column);
                boosts.add(finite(match.boost()));
            }
        }
        return FullTextQuery.multiMatch(first.terms(), where, boosts, operator(first));
    }

    /** Several columns share one text: the library takes neither fuzziness nor its bounds there. */
    private static void requirePlain(Match match) {
        boolean exact = match.fuzziness() != null && match.fuzziness() == 0 && match.prefixLength() == 0;
        if (!exact) {
            throw CatalogException.invalid("A fuzzy search looks in one column; name it.");
        }
    }

    private FullTextQuery phrase(Phrase phrase) {
        checkTerms(phrase.terms());
        inRange(phrase.slop(), MAX_LETTERS, "slop");
        List<String> where = where(phrase.column());
        if (where.size() != 1) {
            throw CatalogException.invalid("A phrase is searched in one column; name it.");
        }
        return FullTextQuery.phrase(phrase.terms(), where.get(0), phrase.slop());
    }

    private FullTextQuery combined(Combined combined, int depth) {
        List<BooleanClause> clauses = new ArrayList<>();
        combined.must().forEach(query -> clauses.add(new BooleanClause(Occur.MUST, plan(query, depth + 1))));
        combined.should().forEach(query -> clauses.add(new BooleanClause(Occur.SHOULD, plan(query, depth + 1))));
        combined.mustNot().forEach(query -> clauses.add(new BooleanClause(Occur.MUST_NOT, plan(query, depth + 1))));
        if (combined.must().isEmpty() && combined.should().isEmpty()) {
            throw CatalogException.invalid("A boolean query needs at least one part that must or should match.");
        }
        return FullTextQuery.booleanQuery(clauses);
    }

    private List<String> where(@Nullable String column) {
        List<String> where = columns(column);
        searched.addAll(where);
        return where;
    }

    private List<String> columns(@Nullable String column) {
        List<String> named = column != null ? List.of(column) : columns;
        if (!named.isEmpty()) {
            return named.stream().map(this::checked).toList();
        }
        List<String> all = indexed.get();
        if (all.isEmpty()) {
            throw CatalogException.invalid(
                    "No column has a full-text index. Create one, or name the columns to search.");
        }
        return all;
    }

    private String checked(String column) {
        FieldPath path = FieldPath.of(column);
        Field field = path.in(schema);
        ArrowType type = field.getType() instanceof ArrowType.List
                ? field.getChildren().get(0).getType()
                : field.getType();
        if (!(type instanceof ArrowType.Utf8 || type instanceof ArrowType.LargeUtf8)) {
            throw CatalogException.invalid("Column '" + column + "' holds no text.");
        }
        return path.scan();
    }

    private static void checkMatch(Match match) {
        checkTerms(match.terms());
        inRange(match.maxExpansions(), MAX_EXPANSIONS, "max_expansions");
        inRange(match.prefixLength(), MAX_LETTERS, "prefix_length");
        if (match.fuzziness() != null) {
            inRange(match.fuzziness(), MAX_FUZZINESS, "fuzziness");
        }
    }

    private static void checkTerms(String terms) {
        if (terms.isBlank() || terms.length() > MAX_TERMS) {
            throw CatalogException.invalid("A full-text query needs 1 to " + MAX_TERMS + " characters.");
        }
    }

    private static void inRange(int value, int most, String name) {
        if (value < 0 || value > most) {
            throw CatalogException.invalid(name + " must be 0 to " + most + ".");
        }
    }

    private static float finite(float boost) {
        if (!Float.isFinite(boost) || boost < 0) {
            throw CatalogException.invalid("A boost must be a number from 0 on.");
        }
        return boost;
    }

    private static Operator operator(Match match) {
        return match.all() ? Operator.AND : Operator.OR;
    }
}
