package io.rask.catalog.view;

import io.rask.catalog.lance.ViewWriter;
import io.rask.catalog.lance.sql.SelectQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The run of a query for a job. */
final class ViewWork {
    private ViewWork() {}

    /**
     * All there is of each source.
     *
     * @param checkpoint called between steps
     * @param beforeCommit called before each commit
     */
    static ViewWriter.Work whole(
            SelectQuery query,
            List<ViewSources.Source> sources,
            @Nullable Long fragmentRows,
            Runnable checkpoint,
            Runnable beforeCommit) {
        List<ViewWriter.Source> read = sources.stream()
                .map(source -> new ViewWriter.Source(source.table().location(), source.version(), null))
                .toList();
        return new ViewWriter.Work(query, read, fragmentRows, checkpoint, beforeCommit);
    }

    /** Some fragments of the only source. */
    static ViewWriter.Work part(ViewWriter.Work whole, List<Integer> fragments) {
        ViewWriter.Source source = whole.sources().getFirst();
        return new ViewWriter.Work(
                whole.query(),
                List.of(new ViewWriter.Source(source.location(), source.version(), fragments)),
                whole.fragmentRows(),
                whole.checkpoint(),
                whole.beforeCommit());
    }

    /** What a refresh says of its sources. */
    static List<ViewRefresh.Read> reads(List<ViewSources.Source> sources) {
        return sources.stream()
                .map(source -> new ViewRefresh.Read(source.table().relativeLocation(), source.version()))
                .toList();
    }
}
