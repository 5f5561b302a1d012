package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonAlias;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a query, in the specification's grammar and in LanceDB's.
 *
 * @param k how many rows at most; at or above the number of rows there is no limit
 * @param columns which columns the answer has
 * @param vector the query vectors; none for a plain scan
 * @param nprobes how many partitions a vector search visits; LanceDB calls it {@code minimum_nprobes} as well
 * @param maximumNprobes how many partitions it visits when too few rows pass the filter; 0 means all
 * @param orderBy what the rows are sorted by, the most significant first
 */
public record QueryRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @Nullable @PositiveOrZero Long version,
        @NotNull @PositiveOrZero Long k,
        @Nullable @PositiveOrZero Long offset,
        QueryColumns columns,
        @Nullable String filter,
        @Nullable Boolean prefilter,
        @Nullable Boolean withRowId,
        QueryVector vector,
        @Nullable String vectorColumn,
        @Nullable String distanceType,
        @Nullable Boolean bypassVectorIndex,
        @Nullable Boolean fastSearch,

        @JsonAlias("minimum_nprobes") @Nullable @PositiveOrZero
        Long nprobes,

        @Nullable @PositiveOrZero Long maximumNprobes,
        @Nullable @PositiveOrZero Long refineFactor,
        @Nullable @PositiveOrZero Long ef,
        @Nullable Double lowerBound,
        @Nullable Double upperBound,
        @Nullable FullTextQuery fullTextQuery,
        @Nullable List<@Valid @NotNull OrderBy> orderBy)
        implements ObjectBody {

    /**
     * One sort key.
     *
     * @param ascending absent means true
     * @param nullsFirst absent means false
     */
    public record OrderBy(
            @NotNull String columnName,
            @Nullable Boolean ascending,
            @Nullable Boolean nullsFirst) {}
}
