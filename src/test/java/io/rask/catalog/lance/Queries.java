package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes queries for tests, one difference from {@link TableQuery#everything()} at a time. */
final class Queries {
    private TableVersion version = TableVersion.LATEST;
    private @Nullable String filter;
    private List<OutputColumn> columns = List.of();
    private long offset;
    private long limit = TableQuery.ALL;
    private boolean prefilter = true;
    private boolean withRowId;
    private boolean fastSearch;
    private @Nullable VectorSearch vectors;
    private @Nullable TextSearch text;
    private final List<SortKey> orderBy = new ArrayList<>();

    static Queries all() {
        return new Queries();
    }

    Queries version(TableVersion wanted) {
        version = wanted;
        return this;
    }

    Queries where(String expression) {
        filter = expression;
        return this;
    }

    Queries columns(String... paths) {
        columns = Arrays.stream(paths).map(OutputColumn::of).toList();
        return this;
    }

    Queries columns(List<OutputColumn> wanted) {
        columns = wanted;
        return this;
    }

    Queries offset(long rows) {
        offset = rows;
        return this;
    }

    Queries limit(long rows) {
        limit = rows;
        return this;
    }

    Queries postfilter() {
        prefilter = false;
        return this;
    }

    Queries withRowId() {
        withRowId = true;
        return this;
    }

    Queries fast() {
        fastSearch = true;
        return this;
    }

    Queries near(VectorSearch search) {
        vectors = search;
        return this;
    }

    Queries near(float... vector) {
        return near(VectorSearch.nearest(vector));
    }

    Queries text(TextQuery query, String... where) {
        text = new TextSearch(query, List.of(where));
        return this;
    }

    Queries orderBy(String column, boolean ascending) {
        orderBy.add(new SortKey(column, ascending, false));
        return this;
    }

    TableQuery get() {
        return new TableQuery(
                version, filter, columns, offset, limit, prefilter, withRowId, fastSearch, vectors, text, orderBy);
    }
}
