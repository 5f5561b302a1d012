package io.rask.catalog.transaction;

import io.rask.catalog.door.DatabaseScope;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.RowStep;
import io.rask.catalog.table.RowSteps;
import io.rask.catalog.table.Tables;
import io.rask.catalog.version.DeletionStep;
import io.rask.catalog.version.VersionDeletion;
import io.rask.catalog.version.VersionStep;
import io.rask.catalog.version.VersionSteps;
import io.rask.catalog.wire.BatchCommitRequest.Operation;
import io.rask.catalog.wire.BatchCommitResponse.Result;
import io.rask.catalog.wire.DeclareTableResponse;
import io.rask.catalog.wire.DeleteVersionsResponse;
import io.rask.catalog.wire.DropTableResponse;
import io.rask.catalog.wire.Properties;
import io.rask.catalog.wire.VersionResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** Checks the operations of a batch, and says what is to be done. Nothing is done here. */
@Component
final class BatchPlanning {
    private final Tables tables;
    private final RowSteps rows;
    private final VersionSteps versions;
    private final VersionDeletion deletions;

    BatchPlanning(Tables tables, RowSteps rows, VersionSteps versions, VersionDeletion deletions) {
        this.tables = tables;
        this.rows = rows;
        this.versions = versions;
        this.deletions = deletions;
    }

    /**
     * What is to be done.
     *
     * @param tables those whose versions change
     * @param results what clients are told when it is done, in the order of the operations
     */
    record Planned(Batch.Plan plan, List<PlacedTable> tables, List<Supplier<Result>> results) {}

    /** What is found while the operations are checked one after the other. */
    private static final class Draft {
        private final List<RowStep> rows = new ArrayList<>();
        private final List<VersionStep> versions = new ArrayList<>();
        private final List<DeletionStep> deletions = new ArrayList<>();
        private final List<PlacedTable> tables = new ArrayList<>();
        private final List<Supplier<Result>> results = new ArrayList<>();

        Planned planned() {
            return new Planned(new Batch.Plan(rows, versions, deletions), tables, results);
        }
    }

    /**
     * Checks all operations; while {@link BatchHomes#alone} gives the right to change their tables.
     *
     * @param scope what the ids that clients are told are relative to
     * @param by who asks, as identity named them
     * @throws io.rask.catalog.problem.CatalogException what stands against one of them
     */
    Planned plan(List<Batches.Asked> asked, DatabaseScope scope, boolean force, String by) {
        Draft draft = new Draft();
        asked.forEach(each -> plan(each, scope, force, by, draft));
        return draft.planned();
    }

    private void plan(Batches.Asked asked, DatabaseScope scope, boolean force, String by, Draft draft) {
        Operation operation = asked.operation();
        if (operation.declareTable() != null) {
            declare(asked, draft);
            return;
        }
        PlacedTable table = tables.require(asked.id());
        if (operation.createTableVersion() != null) {
            table.requireNoView();
            VersionStep step = versions.prepare(table, operation.createTableVersion());
            draft.versions.add(step);
            draft.tables.add(table);
            draft.results.add(
                    () -> new Result(null, new VersionResponse(versions.entry(table.home(), step)), null, null));
        } else if (operation.deleteTableVersions() != null) {
            DeletionStep step = deletions.prepare(
                    table,
                    operation.deleteTableVersions().branch(),
                    operation.deleteTableVersions().ranges(),
                    force);
            draft.deletions.add(step);
            draft.tables.add(table);
            draft.results.add(() -> new Result(null, null, new DeleteVersionsResponse(step.count()), null));
        } else {
            draft.rows.add(rows.deregister(table, force, by));
            List<String> told = scope.relative(table.id()).segments();
            draft.results.add(
                    () -> new Result(null, null, null, new DropTableResponse(told, table.uri(), table.properties())));
        }
    }

    private void declare(Batches.Asked asked, Draft draft) {
        var request = java.util.Objects.requireNonNull(asked.operation().declareTable());
        PlacedTable table = rows.declare(asked.id(), Properties.present(request.properties()));
        draft.rows.add(RowSteps.declaration(table));
        draft.results.add(() -> new Result(
                new DeclareTableResponse(
                        table.uri(), table.clientOptions(request.vendCredentials()), table.properties(), false),
                null,
                null,
                null));
    }
}
