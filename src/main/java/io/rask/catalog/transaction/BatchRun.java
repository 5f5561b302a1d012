package io.rask.catalog.transaction;

import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.lance.RefChanges;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.table.RowSteps;
import io.rask.catalog.version.DeletionStep;
import io.rask.catalog.version.VersionDeletion;
import io.rask.catalog.version.VersionStep;
import io.rask.catalog.version.VersionSteps;
import io.rask.catalog.wire.TransactionStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Brings a batch to its end, from wherever it is. Names are held back and versions are made while all can still be taken back; then
 * it is decided in one write; then the rest is done, or what was done is taken back.
 */
@Component
final class BatchRun {
    private static final Logger log = LoggerFactory.getLogger(BatchRun.class);

    private final BatchJournals journals;
    private final BatchHomes homes;
    private final TransactionRegistry transactions;
    private final RowSteps rows;
    private final VersionSteps versions;
    private final VersionDeletion deletions;
    private final JobRegistry jobs;
    private final BatchRights rights;

    BatchRun(
            BatchJournals journals,
            BatchHomes homes,
            TransactionRegistry transactions,
            RowSteps rows,
            VersionSteps versions,
            VersionDeletion deletions,
            JobRegistry jobs,
            BatchRights rights) {
        this.rights = rights;
        this.journals = journals;
        this.homes = homes;
        this.transactions = transactions;
        this.rows = rows;
        this.versions = versions;
        this.deletions = deletions;
        this.jobs = jobs;
    }

    /**
     * Brings a batch to its end; while {@link BatchHomes#alone} gives the right to.
     *
     * @return why it did not happen; empty when it did
     * @throws CatalogException code 17 when the end was not reached: another will
     */
    Optional<CatalogException> complete(Batch found, RefChanges.Turn turn) {
        Batch batch = found;
        CatalogException failure = null;
        if (batch.state() == Batch.State.BEGUN) {
            try {
                prepare(batch.plan(), turn);
                batch = journals.decide(batch, Batch.State.COMMITTED);
            } catch (CatalogException e) {
                if (e.mayHaveHappened()) {
                    throw e;
                }
                failure = e;
                batch = journals.decide(batch, Batch.State.WITHDRAWN);
            }
        }
        if (batch.state() == Batch.State.COMMITTED) {
            finish(batch, turn);
            rights.show(batch);
            end(batch, TransactionStatus.SUCCEEDED);
            return Optional.empty();
        }
        undo(batch.plan(), turn);
        boolean canceled = batch.state() == Batch.State.CANCELED;
        end(batch, canceled ? TransactionStatus.CANCELED : TransactionStatus.FAILED);
        return Optional.of(failure == null ? notDone(canceled) : failure);
    }

    private static CatalogException notDone(boolean canceled) {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION,
                canceled
                        ? "The transaction was canceled; nothing of it has happened."
                        : "The changes could not be made together; nothing of them has happened.");
    }

    private void prepare(Batch.Plan plan, RefChanges.Turn turn) {
        plan.rowsByRoot().forEach((root, steps) -> {
            require(turn);
            rows.hold(homes.home(root), steps);
        });
        // Nobody else of the catalog makes a first version meanwhile; so those that may still fail come before.
        List<VersionStep> ordered = plan.versions().stream()
                .sorted(Comparator.comparing(VersionStep::makesFirst))
                .toList();
        for (VersionStep step : ordered) {
            require(turn);
            versions.make(homes.home(step.root()), step);
        }
        require(turn);
    }

    private void finish(Batch batch, RefChanges.Turn turn) {
        Batch.Plan plan = batch.plan();
        for (DeletionStep step : plan.deletions()) {
            require(turn);
            deletions.delete(homes.home(step.root()), step, () -> require(turn));
        }
        plan.rowsByRoot().forEach((root, steps) -> {
            require(turn);
            rows.finish(homes.home(root), steps, coming -> rights.own(batch, coming));
        });
        for (VersionStep step : plan.versions()) {
            versions.finish(homes.home(step.root()), step);
        }
    }

    private void undo(Batch.Plan plan, RefChanges.Turn turn) {
        for (VersionStep step : plan.versions()) {
            require(turn);
            versions.undo(homes.home(step.root()), step);
        }
        plan.rowsByRoot().forEach((root, steps) -> {
            require(turn);
            rows.undo(homes.home(root), steps);
        });
    }

    /** Whoever has lost the right leaves the rest to the one who has it now. */
    private static void require(RefChanges.Turn turn) {
        try {
            turn.require();
        } catch (CatalogException e) {
            throw CatalogException.unavailable(
                    "The changes took too long; another brings them to their end. Look before you try again.", e);
        }
    }

    private void end(Batch batch, TransactionStatus status) {
        transactions.ended(batch, status);
        journals.end(batch);
        try {
            jobs.withdraw(batch.job());
        } catch (RuntimeException e) {
            log.warn("The job {} stays; a worker will find nothing to do.", batch.job(), e);
        }
    }
}
