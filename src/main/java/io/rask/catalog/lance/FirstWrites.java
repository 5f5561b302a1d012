package io.rask.catalog.lance;

import io.rask.catalog.lance.arrow.FittedReader;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.Leases;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.operation.Append;
import org.springframework.stereotype.Component;

/**
 * The first rows of a table that was only declared. The library's own create is not first-wins: of two at the same place, the
 * second may silently replace the first (measured: {@code docs/decisions/0006}). So the rows are written first, where nobody sees
 * them yet, and made the table's under a lease that all servers share; whoever comes second adds to what the first has made, or
 * replaces it where that was asked for.
 */
@Component
final class FirstWrites {
    private final RowCommits commits;
    private final DatasetHandles handles;
    private final LocationLeases leases;

    FirstWrites(RowCommits commits, DatasetHandles handles, Leases leases, Clock clock) {
        this.commits = commits;
        this.handles = handles;
        this.leases = new LocationLeases(leases, clock);
    }

    /**
     * Writes the rows and makes them the table's.
     *
     * @param overwriting for rows that are to be all of the table's; null for rows that come to those others may have written
     * @throws CatalogException code 14 when others hold the place for too long, or have made the table with other columns
     */
    WriteResult write(TableLocation location, FittedReader rows, @Nullable Overwriting overwriting) throws Exception {
        Schema schema = rows.getVectorSchemaRoot().getSchema();
        List<FragmentMetadata> fragments = commits.files(location, rows);
        try (LocationLeases.Held turn = leases.forFirstWrite(location)) {
            return new WriteResult(commit(location, schema, fragments, overwriting, turn), rows.rows());
        }
    }

    /**
     * Writes the rows and makes the table of them, unless others have made it meanwhile.
     *
     * @throws CatalogException code 14 when others hold the place for too long, or have made the table
     */
    WriteResult make(TableLocation location, FittedReader rows) throws Exception {
        List<FragmentMetadata> fragments = commits.files(location, rows);
        try (LocationLeases.Held turn = leases.forFirstWrite(location)) {
            Optional<DatasetLease> existing = handles.find(location, TableVersion.LATEST);
            if (existing.isPresent()) {
                existing.get().close();
                throw madeMeanwhile();
            }
            turn.require();
            return new WriteResult(
                    commits.create(location, rows.schema(), fragments, Overwriting.plain()), rows.rows());
        }
    }

    private static CatalogException madeMeanwhile() {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION, "Another writer has made the table at the same time; try again.");
    }

    private long commit(
            TableLocation location,
            Schema schema,
            List<FragmentMetadata> fragments,
            @Nullable Overwriting overwriting,
            LocationLeases.Held turn)
            throws Exception {
        Optional<DatasetLease> existing = handles.find(location, TableVersion.LATEST);
        turn.require();
        if (existing.isEmpty()) {
            return commits.create(location, schema, fragments, overwriting == null ? Overwriting.plain() : overwriting);
        }
        try (DatasetLease table = existing.get()) {
            Dataset dataset = table.dataset();
            if (overwriting != null) {
                return commits.overwrite(dataset, location, TableVersion.LATEST, schema, fragments, overwriting);
            }
            if (!dataset.getSchema().getFields().equals(schema.getFields())) {
                throw CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "Another writer has made the table with other columns at the same time; look and try again.");
            }
            if (fragments.isEmpty()) {
                return dataset.version();
            }
            return commits.commit(
                    dataset,
                    location,
                    TableVersion.LATEST,
                    new Append.Builder().fragments(fragments).build());
        }
    }
}
