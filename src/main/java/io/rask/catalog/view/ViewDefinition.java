package io.rask.catalog.view;

import io.rask.catalog.id.ObjectId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a view is, as its table keeps it.
 *
 * @param kind {@code query}
 * @param query the SQL as it was given
 * @param sources the segments of the id of each table the query names, in its order; a table that is named twice is there twice
 * @param incremental whether the query lets a refresh read only what was added to its source
 * @param maker on whose behalf it reads its sources; null when nobody was asked who they are as it was made
 */
record ViewDefinition(
        String kind,
        String query,
        List<List<String>> sources,
        boolean incremental,
        @Nullable ViewMaker maker) {
    static final String QUERY = "query";

    ViewDefinition {
        sources = sources.stream().map(List::copyOf).toList();
    }

    List<ObjectId> ids() {
        return sources.stream().map(ObjectId::new).toList();
    }
}
