package io.rask.catalog.view;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.SchemaDialect;
import io.rask.catalog.lance.TableInspector;
import io.rask.catalog.lance.ViewVersions;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.DescribeViewResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Tells what there is of views, and whether they are up to date. */
@Component
final class ViewDescriptions {
    private final Tables tables;
    private final TableInspector inspector;
    private final ViewVersions versions;
    private final ViewRecords records;

    ViewDescriptions(Tables tables, TableInspector inspector, ViewVersions versions, ViewRecords records) {
        this.tables = tables;
        this.inspector = inspector;
        this.versions = versions;
        this.records = records;
    }

    /** @throws CatalogException code 4 when there is no such view */
    DescribeViewResponse describe(ObjectId id) {
        PlacedTable view = tables.find(id).filter(PlacedTable::isView).orElseThrow(() -> ViewRecords.absent(id));
        ViewRecords.Found found = records.require(id, view.location(), SchemaDialect.NAMESPACE);
        ViewDefinition definition = found.definition();
        ViewRefresh refresh = found.refresh();
        List<DescribeViewResponse.Source> sources = new ArrayList<>();
        boolean fresh = refresh != null && versions.unchanged(view.location(), refresh.rowsVersion());
        for (int i = 0; i < definition.sources().size(); i++) {
            ObjectId source = definition.ids().get(i);
            Optional<PlacedTable> table = tables.find(source);
            Long latest =
                    table.flatMap(there -> inspector.version(there.location())).orElse(null);
            ViewRefresh.@Nullable Read read =
                    refresh == null ? null : refresh.sources().get(i);
            fresh &= read != null
                    && Objects.equals(latest, read.version())
                    && table.filter(there -> there.relativeLocation().equals(read.location()))
                            .isPresent();
            sources.add(
                    new DescribeViewResponse.Source(source.segments(), read == null ? null : read.version(), latest));
        }
        return new DescribeViewResponse(
                id.name(),
                id.parent().segments(),
                definition.kind(),
                definition.query(),
                view.uri(),
                found.facts().version(),
                found.facts().schema(),
                definition.incremental(),
                refresh == null ? "empty" : fresh ? "fresh" : "stale",
                sources,
                refresh == null
                        ? null
                        : new DescribeViewResponse.Refresh(
                                refresh.jobId(), refresh.mode(), refresh.rows(), refresh.finishedAtMillis()));
    }

    /** The names of a namespace's views, in order; code 1 when the namespace is not there. */
    PageRequest.Page<String> list(ObjectId namespace, PageRequest page) {
        List<String> names = new ArrayList<>();
        String after = page.after();
        do {
            PageRequest.Page<PlacedTable> some = tables.list(namespace, new PageRequest(after, page.limit()));
            some.items().stream()
                    .filter(PlacedTable::isView)
                    .map(table -> table.id().name())
                    .forEach(names::add);
            after = some.next();
        } while (after != null && names.size() <= page.limit());
        return page.page(names.subList(0, Math.min(names.size(), page.limit() + 1)), name -> name);
    }
}
