package io.rask.catalog.transaction;

import io.rask.catalog.access.Principal;
import io.rask.catalog.door.DatabaseScope;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.lance.RefChanges;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.RowSteps;
import io.rask.catalog.table.Tables;
import io.rask.catalog.version.VersionSteps;
import io.rask.catalog.wire.BatchCommitRequest.Operation;
import io.rask.catalog.wire.BatchCommitResponse;
import io.rask.catalog.wire.CreateVersionRequest;
import io.rask.catalog.wire.TransactionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Changes several tables together, or none of them. */
@Component
final class Batches {
    private static final Logger log = LoggerFactory.getLogger(Batches.class);
    private static final Duration UNTIL_A_WORKER_LOOKS = Duration.ofMinutes(1);
    private static final int ATTEMPTS = 5;

    private final Tables tables;
    private final VersionSteps versions;
    private final RowSteps rows;
    private final BatchPlanning planning;
    private final BatchHomes homes;
    private final BatchJournals journals;
    private final OpenBatches open;
    private final BatchRun run;
    private final TransactionRegistry transactions;
    private final JobRegistry jobs;
    private final BatchRights rights;

    Batches(
            Tables tables,
            VersionSteps versions,
            RowSteps rows,
            BatchPlanning planning,
            BatchHomes homes,
            BatchJournals journals,
            OpenBatches open,
            BatchRun run,
            TransactionRegistry transactions,
            JobRegistry jobs,
            BatchRights rights) {
        this.rights = rights;
        this.tables = tables;
        this.versions = versions;
        this.rows = rows;
        this.planning = planning;
        this.homes = homes;
        this.journals = journals;
        this.open = open;
        this.run = run;
        this.transactions = transactions;
        this.jobs = jobs;
    }

    /** An operation and the table it names. */
    record Asked(ObjectId id, Operation operation) {
        boolean changesVersions() {
            return operation.createTableVersion() != null || operation.deleteTableVersions() != null;
        }

        /** The branch whose versions change; null for the main branch, and where none do. */
        @Nullable
        String branch() {
            if (operation.createTableVersion() != null) {
                return operation.createTableVersion().branch();
            }
            return operation.deleteTableVersions() == null
                    ? null
                    : operation.deleteTableVersions().branch();
        }
    }

    /**
     * Makes all changes, or none.
     *
     * @param scope what the ids of the tables are relative to
     * @param force lifts the protection of tables and nothing else
     * @throws CatalogException what stands against one of the changes; code 13 for a table that is named twice; code 14 when others
     *     change one of the tables at the same time; code 17 when it cannot be told yet whether the changes happen
     */
    BatchCommitResponse commit(List<Operation> operations, DatabaseScope scope, boolean force, Principal maker) {
        List<Asked> asked = BatchShape.read(operations, scope);
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            open.settle(asked.stream().map(each -> each.id().stored()).collect(Collectors.toSet()));
            List<Batch.Place> places = places(asked);
            Optional<BatchCommitResponse> answer =
                    homes.alone(places, turn -> tryToCommit(asked, scope, places, force, maker, turn));
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        throw CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION,
                "Others change the same tables together at the same time; try again.");
    }

    /** What nobody else may change meanwhile; nothing where all is one commit, which excludes others by itself. */
    private List<Batch.Place> places(List<Asked> asked) {
        List<Batch.Place> places = Batch.Place.distinct(asked.stream().map(this::place));
        boolean isOneCommit = places.size() == 1 && asked.stream().noneMatch(Asked::changesVersions);
        return isOneCommit && !rows.mustBeHeld() ? List.of() : places;
    }

    /** Whether nothing is held back, so that nobody can meet a part of it. What is but rows of one warehouse is so where no rights are kept. */
    private boolean isAtOnce(Batch.Plan plan) {
        return plan.isOneCommit() && !rows.mustBeHeld();
    }

    private Batch.Place place(Asked asked) {
        if (asked.operation().declareTable() != null) {
            return Batch.Place.ofRows(rows.home(asked.id()).place().external());
        }
        PlacedTable table = tables.require(asked.id());
        String root = table.home().place().external();
        if (!asked.changesVersions()) {
            return Batch.Place.ofRows(root);
        }
        CreateVersionRequest created = asked.operation().createTableVersion();
        return new Batch.Place(root, table.relativeLocation(), created != null && versions.isFirst(table, created));
    }

    /** Empty when another batch has begun on one of the tables since it was looked, or one has moved. */
    private Optional<BatchCommitResponse> tryToCommit(
            List<Asked> asked,
            DatabaseScope scope,
            List<Batch.Place> held,
            boolean force,
            Principal maker,
            RefChanges.Turn turn) {
        boolean busy = journals.open().stream()
                .anyMatch(batch -> asked.stream()
                        .anyMatch(
                                each -> batch.plan().tables().contains(each.id().stored())));
        if (busy) {
            return Optional.empty();
        }
        BatchPlanning.Planned planned = planning.plan(asked, scope, force, maker.subject());
        Batch.Plan plan = planned.plan();
        boolean isHeld =
                plan.places().stream().allMatch(wanted -> held.stream().anyMatch(place -> place.covers(wanted)));
        if (!isHeld && !isAtOnce(plan)) {
            return Optional.empty();
        }
        String id = BatchJournals.newId();
        commit(id, plan, rights.noted(maker), turn);
        planned.tables().forEach(this::requireStill);
        List<BatchCommitResponse.Result> results = new ArrayList<>();
        planned.results().forEach(result -> results.add(result.get()));
        return Optional.of(new BatchCommitResponse(id, results));
    }

    /** What is done at once needs no journal. */
    private void commit(String id, Batch.Plan plan, @Nullable String maker, RefChanges.Turn turn) {
        if (isAtOnce(plan)) {
            plan.rowsByRoot().forEach((root, steps) -> rows.commit(homes.home(root), steps));
            Batch done = new Batch(id, Batch.State.COMMITTED, "", plan, Map.of(), maker);
            transactions.ended(done, TransactionStatus.SUCCEEDED);
        } else {
            // However long an outage takes: what was decided must come to its end, and nobody may ask for it again.
            JobSpec settling =
                    new JobSpec(SettleBatch.NAME, null, null, new SettleBatch.Spec(id), UNTIL_A_WORKER_LOOKS, true);
            Batch batch = journals.begin(id, jobs.submit(settling).id(), plan, maker);
            Optional<CatalogException> failure = run.complete(batch, turn);
            if (failure.isPresent()) {
                throw failure.get();
            }
        }
    }

    /** What was made of a table that was dropped meanwhile goes with it. */
    private void requireStill(PlacedTable table) {
        try {
            tables.requireStill(table);
        } catch (CatalogException e) {
            log.info("The table {} was dropped while its versions were changed.", table.id(), e);
        }
    }
}
