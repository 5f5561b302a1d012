package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of the creation of a materialized view, in one of two forms: that of the specification has a {@code kind} and a
 * {@code source_query}, that of LanceDB a {@code query}.
 *
 * @param sourceQuery SQL
 * @param outputSchema the columns of the view: an Arrow schema in Base64
 * @param udtfSpec the function of a view of another kind than {@code query}
 * @param withNoData whether the view begins empty; absent means yes with a {@code kind}, and no with a {@code query}
 * @param autoRefresh whether the view follows its sources by itself
 * @param query SQL
 */
public record CreateViewRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String kind,
        @Nullable String sourceQuery,
        @Nullable String outputSchema,
        @Nullable Object udtfSpec,
        @Nullable Boolean withNoData,
        @Nullable Boolean autoRefresh,
        @Nullable String query)
        implements ObjectBody {}
