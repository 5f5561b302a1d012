package io.rask.catalog.lance;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;

/** Begins the scans that a query is made of. */
final class QueryRows {
    private QueryRows() {}

    /** The rows of a query with what it computes, in the order of the result. */
    static RowSource of(
            Dataset dataset,
            Schema schema,
            TableQuery query,
            Scans scans,
            OutputColumns columns,
            BufferAllocator allocator)
            throws Exception {
        return ComputedRows.of(found(dataset, schema, query, scans, columns, allocator), columns, allocator);
    }

    private static RowSource found(
            Dataset dataset,
            Schema schema,
            TableQuery query,
            Scans scans,
            OutputColumns columns,
            BufferAllocator allocator)
            throws Exception {
        VectorSearch search = query.vectorSearch();
        if (search == null) {
            return scans.begin(scans.whole(columns));
        }
        VectorColumn column = VectorColumn.of(search, schema);
        if (column.elements() != VectorColumn.Elements.FLOAT) {
            ByteSearch nearest = new ByteSearch(dataset, scans, query, search, column, columns.scan(), allocator);
            return new QuerySequence(
                    search.vectors().size(),
                    number -> nearest.begin(search.vectors().get(number)));
        }
        NearestSearch nearest = new NearestSearch(dataset, scans, query, search, column, columns.scan());
        return new QuerySequence(
                search.vectors().size(),
                number -> nearest.begin(search.vectors().get(number)));
    }
}
