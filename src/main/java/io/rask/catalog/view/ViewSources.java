package io.rask.catalog.view;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.TableInspector;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** The tables that a query names. */
@Component
final class ViewSources {
    private final Tables tables;
    private final TableInspector inspector;

    ViewSources(Tables tables, TableInspector inspector) {
        this.tables = tables;
        this.inspector = inspector;
    }

    /**
     * A table and which of its versions is read.
     *
     * @param table as it is now
     */
    record Source(PlacedTable table, long version) {}

    /**
     * The ids that names in a query mean. The parts of a name, and what is between the delimiters in them, are the segments of an id. A
     * single segment is a table beside the view; where there is none, one of the root. Nobody says here whether they are there.
     *
     * @throws CatalogException code 13 for a name that is none
     */
    List<ObjectId> named(ObjectId view, List<List<String>> names) {
        List<ObjectId> ids = new ArrayList<>();
        for (List<String> name : names) {
            List<String> segments = new ArrayList<>();
            name.forEach(part -> segments.addAll(Delimiter.STORED.split(part).segments()));
            ObjectId written = new ObjectId(segments);
            ObjectId beside = written.depth() == 1 ? view.parent().child(written.name()) : written;
            ObjectId id =
                    tables.find(beside).isPresent() || tables.find(written).isEmpty() ? beside : written;
            ids.add(id);
        }
        return ids;
    }

    /**
     * The tables of the ids with their latest versions; one that is there twice has the same version twice.
     *
     * @throws CatalogException code 4 for a table that is not there, 19 for one that holds no data
     */
    List<Source> latest(List<ObjectId> ids) {
        Map<ObjectId, Source> known = new HashMap<>();
        List<Source> sources = new ArrayList<>();
        for (ObjectId id : ids) {
            sources.add(known.computeIfAbsent(id, this::latest));
        }
        return sources;
    }

    private Source latest(ObjectId id) {
        PlacedTable table = tables.require(id);
        long version = inspector
                .version(table.location())
                .orElseThrow(() -> CatalogException.of(
                                ErrorCode.INVALID_TABLE_STATE,
                                "The table '" + id + "' is declared but holds no data yet; insert rows to create it.")
                        .about(Absence.resource("table", id)));
        return new Source(table, version);
    }
}
