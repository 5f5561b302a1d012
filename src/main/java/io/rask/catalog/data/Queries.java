package io.rask.catalog.data;

import io.rask.catalog.door.ArrowResponse;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.DistanceMetric;
import io.rask.catalog.lance.OutputColumn;
import io.rask.catalog.lance.PlanReader;
import io.rask.catalog.lance.SortKey;
import io.rask.catalog.lance.TableQuery;
import io.rask.catalog.lance.TableReader;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.lance.VectorSearch;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.CountRequest;
import io.rask.catalog.wire.ExplainRequest;
import io.rask.catalog.wire.QueryColumns;
import io.rask.catalog.wire.QueryRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the rows of tables that the catalog holds: what the wire asks for, in the terms of the native layer. */
@Component
final class Queries {
    private final Tables tables;
    private final TableReader reader;
    private final PlanReader plans;

    Queries(Tables tables, TableReader reader, PlanReader plans) {
        this.tables = tables;
        this.reader = reader;
        this.plans = plans;
    }

    long count(ObjectId id, CountRequest body, @Nullable String branch, LongConsumer read) {
        PlacedTable table = tables.require(id);
        return reader.count(table.location(), new TableVersion(branch, body.version()), body.predicate(), read);
    }

    /** Writes the result as an Arrow file; nothing is written when the query fails before its first rows. */
    void run(ObjectId id, QueryRequest body, @Nullable String branch, ArrowResponse response) throws IOException {
        reader.query(
                () -> tables.require(id).location(), translate(body, branch), response::ofVersion, response.open());
    }

    /** The plan of a query, which is not carried out. */
    String explain(ObjectId id, ExplainRequest body, RequestContext context) {
        PlacedTable table = tables.require(id);
        QueryRequest query = body.query();
        List<@Nullable String> inside = query.id();
        String outside = context.branch(body.branch());
        if (inside != null
                && !inside.isEmpty()
                && !inside.equals(context.scope().relative(id).segments())) {
            throw CatalogException.invalid("The query inside the body names another table than the address.");
        }
        if (outside != null && query.branch() != null && !outside.equals(query.branch())) {
            throw CatalogException.invalid("The request and the query inside its body name two branches.");
        }
        String branch = query.branch() == null ? outside : query.branch();
        return plans.plan(table.location(), translate(query, branch), false, Boolean.TRUE.equals(body.verbose()));
    }

    /** The plan of a query, and what each step of it cost when it was carried out. */
    String analyze(ObjectId id, QueryRequest body, @Nullable String branch) {
        PlacedTable table = tables.require(id);
        return plans.plan(table.location(), translate(body, branch), true, false);
    }

    private static TableQuery translate(QueryRequest body, @Nullable String branch) {
        return new TableQuery(
                new TableVersion(branch, body.version()),
                presentText(body.filter()),
                columns(body.columns()),
                Objects.requireNonNullElse(body.offset(), 0L),
                Objects.requireNonNullElse(body.k(), TableQuery.ALL),
                // As LanceDB has it: a filter that came after the search would leave fewer rows than were asked for.
                !Boolean.FALSE.equals(body.prefilter()),
                Boolean.TRUE.equals(body.withRowId()),
                Boolean.TRUE.equals(body.fastSearch()),
                body.vector().isEmpty() ? null : vectorSearch(body),
                body.fullTextQuery() == null ? null : TextSearches.of(body.fullTextQuery()),
                order(body));
    }

    private static VectorSearch vectorSearch(QueryRequest body) {
        return new VectorSearch(
                presentText(body.vectorColumn()),
                body.vector().vectors(),
                false,
                body.distanceType() == null ? null : DistanceMetric.of(body.distanceType()),
                bound(body.lowerBound()),
                bound(body.upperBound()),
                body.nprobes(),
                body.maximumNprobes(),
                body.ef(),
                body.refineFactor(),
                Boolean.TRUE.equals(body.bypassVectorIndex()));
    }

    private static @Nullable Float bound(@Nullable Double bound) {
        return bound == null ? null : bound.floatValue();
    }

    /** An empty text is how some clients say that there is none. */
    private static @Nullable String presentText(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static List<OutputColumn> columns(QueryColumns columns) {
        return switch (columns) {
            case QueryColumns.All all -> List.of();
            case QueryColumns.Names names ->
                names.paths().stream().map(OutputColumn::of).toList();
            case QueryColumns.Aliases aliases -> named(aliases.paths(), OutputColumn::new);
            case QueryColumns.Expressions expressions -> named(expressions.expressions(), OutputColumn::computed);
        };
    }

    private static List<OutputColumn> named(
            Map<String, String> paths, BiFunction<String, String, OutputColumn> column) {
        return paths.entrySet().stream()
                .map(entry -> column.apply(entry.getValue(), entry.getKey()))
                .toList();
    }

    private static List<SortKey> order(QueryRequest body) {
        if (body.orderBy() == null) {
            return List.of();
        }
        return body.orderBy().stream()
                .map(key -> new SortKey(
                        key.columnName(),
                        !Boolean.FALSE.equals(key.ascending()),
                        Boolean.TRUE.equals(key.nullsFirst())))
                .toList();
    }
}
