package io.rask.catalog.lance;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.lance.ipc.FullTextQuery;
import org.lance.ipc.FullTextQuery.BooleanQuery;
import org.lance.ipc.FullTextQuery.BoostQuery;
import org.lance.ipc.FullTextQuery.MatchQuery;
import org.lance.ipc.FullTextQuery.MultiMatchQuery;
import org.lance.ipc.FullTextQuery.PhraseQuery;

/** The library's full-text query as one line of a plan. */
final class TextQueryText {
    private TextQueryText() {}

    static String of(FullTextQuery query) {
        return switch (query) {
            case MatchQuery match ->
                "match(column=" + match.getColumn() + ", terms=" + quoted(match.getQueryText()) + ", operator="
                        + match.getOperator()
                        + match.getFuzziness()
                                .filter(fuzziness -> fuzziness > 0)
                                .map(fuzziness -> ", fuzziness=" + fuzziness + ", max_expansions="
                                        + match.getMaxExpansions() + ", prefix_length=" + match.getPrefixLength())
                                .orElse("")
                        + boost(match.getBoost()) + ")";
            case PhraseQuery phrase ->
                "phrase(column=" + phrase.getColumn() + ", terms=" + quoted(phrase.getQueryText()) + ", slop="
                        + phrase.getSlop() + ")";
            case MultiMatchQuery multi ->
                "multi_match(columns=" + multi.getColumns() + ", terms=" + quoted(multi.getQueryText()) + ", operator="
                        + multi.getOperator()
                        + multi.getBoosts()
                                .filter(boosts -> boosts.stream().anyMatch(boost -> boost != 1))
                                .map(boosts -> ", boosts=" + boosts)
                                .orElse("")
                        + ")";
            case BoostQuery boost ->
                "boost(positive=" + of(boost.getPositive()) + ", negative=" + of(boost.getNegative())
                        + ", negative_boost=" + boost.getNegativeBoost() + ")";
            case BooleanQuery bool -> "boolean(" + clauses(bool.getClauses()) + ")";
            default -> throw new IllegalStateException("no text for a query of type " + query.getType());
        };
    }

    /** The columns a query looks into. */
    static Set<String> columns(FullTextQuery query) {
        Set<String> columns = new LinkedHashSet<>();
        collect(query, columns);
        return columns;
    }

    private static void collect(FullTextQuery query, Set<String> columns) {
        switch (query) {
            case MatchQuery match -> columns.add(match.getColumn());
            case PhraseQuery phrase -> columns.add(phrase.getColumn());
            case MultiMatchQuery multi -> columns.addAll(multi.getColumns());
            case BoostQuery boost -> {
                collect(boost.getPositive(), columns);
                collect(boost.getNegative(), columns);
            }
            case BooleanQuery bool -> bool.getClauses().forEach(clause -> collect(clause.getQuery(), columns));
            default -> throw new IllegalStateException("no columns of a query of type " + query.getType());
        }
    }

    private static String clauses(List<FullTextQuery.BooleanClause> clauses) {
        return clauses.stream()
                .map(clause -> clause.getOccur() + " " + of(clause.getQuery()))
                .collect(Collectors.joining(", "));
    }

    private static String boost(float boost) {
        return boost == 1 ? "" : ", boost=" + boost;
    }

    /** On one line, whatever the words hold. */
    private static String quoted(String text) {
        return "\"" + text.replaceAll("\\s+", " ").replace("\"", "\\\"") + "\"";
    }
}
