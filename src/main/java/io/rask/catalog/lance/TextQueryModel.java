package io.rask.catalog.lance;

import java.util.List;
import org.lance.ipc.FullTextQuery;
import org.lance.ipc.FullTextQuery.Occur;
import org.lance.namespace.model.BooleanQuery;
import org.lance.namespace.model.BoostQuery;
import org.lance.namespace.model.FtsQuery;
import org.lance.namespace.model.MatchQuery;
import org.lance.namespace.model.MultiMatchQuery;
import org.lance.namespace.model.PhraseQuery;
import org.lance.namespace.model.StructuredFtsQuery;

/** A full-text query of the scanner in the terms of the library's directory catalog. */
final class TextQueryModel {
    private TextQueryModel() {}

    static StructuredFtsQuery of(FullTextQuery query) {
        return new StructuredFtsQuery().query(part(query));
    }

    private static FtsQuery part(FullTextQuery query) {
        FtsQuery part = new FtsQuery();
        switch (query) {
            case FullTextQuery.MatchQuery match ->
                part.setMatch(match(match.getColumn(), match.getQueryText(), match.getBoost())
                        .fuzziness(match.getFuzziness().orElse(null))
                        .maxExpansions(match.getMaxExpansions())
                        .prefixLength(match.getPrefixLength())
                        .operator(operator(match.getOperator())));
            case FullTextQuery.PhraseQuery phrase ->
                part.setPhrase(new PhraseQuery()
                        .column(phrase.getColumn())
                        .terms(phrase.getQueryText())
                        .slop(phrase.getSlop()));
            case FullTextQuery.BoostQuery boost ->
                part.setBoost(new BoostQuery()
                        .positive(part(boost.getPositive()))
                        .negative(part(boost.getNegative()))
                        .negativeBoost(boost.getNegativeBoost()));
            case FullTextQuery.MultiMatchQuery many -> part.setMultiMatch(many(many));
            case FullTextQuery.BooleanQuery all ->
                part.setBoolean(new BooleanQuery()
                        .must(clauses(all, Occur.MUST))
                        .should(clauses(all, Occur.SHOULD))
                        .mustNot(clauses(all, Occur.MUST_NOT)));
            default -> throw new IllegalStateException("no plan can be had of " + query.getType());
        }
        return part;
    }

    private static MatchQuery match(String column, String terms, float boost) {
        return new MatchQuery().column(column).terms(terms).boost(boost);
    }

    private static MultiMatchQuery many(FullTextQuery.MultiMatchQuery many) {
        List<String> columns = many.getColumns();
        return new MultiMatchQuery()
                .matchQueries(java.util.stream.IntStream.range(0, columns.size())
                        .mapToObj(i -> new MatchQuery()
                                .column(columns.get(i))
                                .terms(many.getQueryText())
                                .boost(many.getBoosts()
                                        .map(boosts -> boosts.get(i))
                                        .orElse(1f))
                                .operator(operator(many.getOperator())))
                        .toList());
    }

    private static List<FtsQuery> clauses(FullTextQuery.BooleanQuery all, Occur occur) {
        return all.getClauses().stream()
                .filter(clause -> clause.getOccur() == occur)
                .map(clause -> part(clause.getQuery()))
                .toList();
    }

    private static String operator(FullTextQuery.Operator operator) {
        return operator == FullTextQuery.Operator.AND ? "And" : "Or";
    }
}
