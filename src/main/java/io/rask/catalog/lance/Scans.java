package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.index.IndexDescription;
import org.lance.ipc.ColumnOrdering;
import org.lance.ipc.ScanOptions;

/** What all scans for one query have in common: filter, order, batch size, and which part of the table is read. */
final class Scans {
    private static final long BATCH_BYTES = 8L << 20;
    private static final int TEXT_BYTES = 256;
    private static final int MOST_ROWS = 8_192;
    private static final int READAHEAD = 4;
    private static final int MAX_SORT_KEYS = 16;

    private final DatasetLease lease;
    private final Dataset dataset;
    private final Schema schema;
    private final TableQuery query;
    private final @Nullable String filter;
    private final @Nullable ScanMeter meter;
    private final TableIndices indices;

    /** @param meter what the scans that are begun are measured with; null not to measure them */
    Scans(DatasetLease lease, TableQuery query, @Nullable SqlText filter, @Nullable ScanMeter meter) {
        this.meter = meter;
        this.lease = lease;
        this.dataset = lease.dataset();
        this.indices = new TableIndices(dataset);
        this.schema = lease.schema();
        this.query = query;
        this.filter = filter == null ? null : filter.forFilter();
        if (filter != null && (query.prefilter() || query.fastSearch())) {
            requireStored(filter);
        }
    }

    /** A filter that comes before the search cannot know what only the search gives; asked for it, the library ends the process. */
    private void requireStored(SqlText before) {
        boolean search = query.vectorSearch() != null || query.textSearch() != null;
        for (String column : List.of(OutputColumns.DISTANCE, OutputColumns.SCORE)) {
            if (search && before.names(column)) {
                throw CatalogException.invalid("The filter names " + column
                        + ", which there is only after the search; leave out prefilter and fast_search.");
            }
        }
    }

    /** Begins a scan. */
    RowSource begin(ScanOptions scan) throws Exception {
        return ScanSource.of(dataset, scan, meter);
    }

    /** A scan with the filter of the query. */
    ScanOptions.Builder filtered(List<String> columns) {
        ScanOptions.Builder scan = unfiltered(columns);
        if (filter != null) {
            scan.filter(filter);
            scan.prefilter(query.prefilter());
        }
        return scan;
    }

    /** The scan for a query that is no vector search. */
    ScanOptions whole(OutputColumns columns) {
        long rows = dataset.countRows();
        ScanOptions.Builder scan = filtered(columns.scan());
        if (query.textSearch() != null) {
            TextPlan plan = new TextPlan(query.textSearch(), schema, indices::textColumns);
            scan.fullTextQuery(plan.plan(query.textSearch().query()));
            onlyIndexed(scan, plan.searched(), TableIndices::isText);
        }
        return ordered(scan)
                .limit(Math.min(query.limit(), rows))
                .offset(Math.min(query.offset(), rows))
                .build();
    }

    boolean hasFilter() {
        return filter != null;
    }

    ScanOptions.Builder unfiltered(List<String> columns) {
        return new ScanOptions.Builder()
                .columns(columns)
                .batchSize(batchRows(columns))
                .batchReadahead(READAHEAD)
                .collectStats(meter != null);
    }

    /** Adds the order of the query; the sort needs row ids to fetch the other columns afterwards. */
    ScanOptions.Builder ordered(ScanOptions.Builder scan) {
        if (query.orderBy().isEmpty()) {
            return scan;
        }
        if (query.orderBy().size() > MAX_SORT_KEYS) {
            throw CatalogException.invalid("Results can be ordered by at most " + MAX_SORT_KEYS + " columns.");
        }
        List<ColumnOrdering> keys = new ArrayList<>();
        for (SortKey key : query.orderBy()) {
            FieldPath path = FieldPath.of(key.column());
            requireSortable(path.in(schema), key.column());
            ColumnOrdering.Builder ordering = new ColumnOrdering.Builder();
            ordering.setColumnName(path.scan());
            ordering.setAscending(key.ascending());
            ordering.setNullFirst(key.nullsFirst());
            keys.add(ordering.build());
        }
        return scan.setColumnOrderings(keys).withRowId(true);
    }

    private static void requireSortable(Field field, String name) {
        if (!field.getChildren().isEmpty() || field.getType() instanceof ArrowType.Null) {
            throw CatalogException.invalid(
                    "Results cannot be ordered by column '" + name + "': it holds no single values.");
        }
    }

    /** Leaves out rows that the indices of the columns do not hold yet, when the query allows it. */
    ScanOptions.Builder onlyIndexed(
            ScanOptions.Builder scan, Collection<String> columns, Predicate<IndexDescription> kind) {
        if (!query.fastSearch()) {
            return scan;
        }
        TreeSet<Integer> fragments = dataset.getFragments().stream()
                .map(fragment -> fragment.getId())
                .collect(Collectors.toCollection(TreeSet::new));
        columns.forEach(column -> fragments.retainAll(indices.fragments(column, kind, fragments)));
        return scan.fragmentIds(List.copyOf(fragments)).prefilter(true);
    }

    private long batchRows(List<String> columns) {
        return batchRows(lease, columns);
    }

    /** As many rows as make a batch of moderate size. */
    static long batchRows(DatasetLease table, List<String> columns) {
        long width = 0;
        for (String column : columns) {
            width += table.schema().getFields().stream()
                    .filter(field -> field.getName().equals(column))
                    .mapToLong(Scans::width)
                    .sum();
        }
        return Math.clamp(BATCH_BYTES / Math.max(1, Math.max(width, storedWidth(table))), 1, MOST_ROWS);
    }

    /** The stored bytes of a row, where some column holds values of any length: the schema says nothing of theirs. */
    private static long storedWidth(DatasetLease table) {
        long rows = table.dataset().countRows();
        if (rows == 0 || table.schema().getFields().stream().noneMatch(Scans::isOfAnyLength)) {
            return 0;
        }
        return table.fileBytes() / rows;
    }

    private static boolean isOfAnyLength(Field field) {
        return switch (field.getType()) {
            case ArrowType.Utf8 ignored -> true;
            case ArrowType.LargeUtf8 ignored -> true;
            case ArrowType.Binary ignored -> true;
            case ArrowType.LargeBinary ignored -> true;
            case ArrowType.List ignored -> true;
            case ArrowType.LargeList ignored -> true;
            default -> field.getChildren().stream().anyMatch(Scans::isOfAnyLength);
        };
    }

    private static long width(Field field) {
        return switch (field.getType()) {
            case ArrowType.FixedSizeList list ->
                list.getListSize() * width(field.getChildren().get(0));
            case ArrowType.FixedSizeBinary binary -> binary.getByteWidth();
            case ArrowType.Utf8 ignored -> TEXT_BYTES;
            case ArrowType.LargeUtf8 ignored -> TEXT_BYTES;
            case ArrowType.Binary ignored -> TEXT_BYTES;
            case ArrowType.LargeBinary ignored -> 8 * TEXT_BYTES;
            case ArrowType.Int number -> number.getBitWidth() / 8;
            default -> 8 + field.getChildren().stream().mapToLong(Scans::width).sum() * 4;
        };
    }
}
