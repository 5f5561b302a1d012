package io.rask.catalog.lifecycle;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.lance.ManifestChange.Plan;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Gives tables other names, and the rights on them with the name. Where rights are kept, both names are nobody's while rights are
 * moved: the new one is reserved before the first right is written on it, and the old one stays taken after the commit until the
 * last is taken back ({@link Endings}). A job that was recorded before ends either where the server did not.
 */
@Component
public final class Renamings {
    private static final Logger log = LoggerFactory.getLogger(Renamings.class);

    private final Manifests manifests;
    private final Ownership ownership;
    private final Endings endings;
    private final JobRegistry jobs;
    private final Duration grace;

    public Renamings(
            Manifests manifests, Ownership ownership, Endings endings, JobRegistry jobs, CatalogProperties properties) {
        this.manifests = manifests;
        this.ownership = ownership;
        this.endings = endings;
        this.jobs = jobs;
        this.grace = properties.jobs().dropGrace();
    }

    /**
     * A table that is to get another name.
     *
     * @param row the row at the old name; empty where nothing is to be done any more; throws where the move may not be
     * @param free throws where the new name is taken
     */
    public record Move(
            StorageProfile home,
            ObjectId from,
            ObjectId to,
            Function<ManifestView, Optional<ManifestEntry>> row,
            Consumer<ManifestView> free) {}

    /**
     * Moves a table and the rights on it. What fails, unless nobody can tell how it ended, has left the table and all rights as they
     * were.
     *
     * @return false when nothing was to be done any more
     * @throws CatalogException what the move's own checks throw; code 14 when it took too long; code 17 when the store or the
     *     permission engine does not answer
     */
    public boolean move(Move move) {
        return endings.areStaged() ? new Staged(move).run() : plain(move);
    }

    private boolean plain(Move move) {
        boolean[] moved = {false};
        manifests.commit(move.home().root(), view -> {
            Optional<ManifestEntry> row = move.row().apply(view);
            moved[0] = row.isPresent();
            if (row.isEmpty()) {
                return Plan.nothing();
            }
            move.free().accept(view);
            return Plan.move(row.get().restored(), move.to().stored());
        });
        return moved[0];
    }

    /** One move where rights are kept. */
    private final class Staged {
        private final Move move;
        private final long begun = System.nanoTime();
        private final String job;
        private final ManifestEntry reserved;
        private final ManifestEntry left;

        Staged(Move move) {
            this.move = move;
            this.job = jobs.submit(new JobSpec(
                            DeleteBytes.NAME,
                            null,
                            null,
                            new DeleteBytes.Spec(
                                    move.home().place().external(),
                                    List.of(),
                                    List.of(move.to().stored(), move.from().stored())),
                            grace,
                            true))
                    .id();
            this.reserved = ManifestEntry.reserved(move.to().stored(), job);
            this.left = ManifestEntry.left(move.from().stored(), job);
        }

        boolean run() {
            if (!reserve()) {
                withdraw();
                return false;
            }
            boolean moved;
            Runnable followUp;
            try {
                requireTime();
                followUp = ownership.moving(
                        AccessObject.table(move.from()),
                        AccessObject.table(move.to()),
                        AccessObject.namespace(move.to().parent()));
                requireTime();
                moved = commit();
            } catch (CatalogException e) {
                // Otherwise rights may still come onto the new name, which must be nobody's as long.
                if (!e.mayHaveHappened()) {
                    end(reserved, () -> {});
                }
                throw e;
            }
            if (moved) {
                end(left, followUp);
            } else {
                end(reserved, () -> {});
            }
            return moved;
        }

        /** Keeps the name from everybody else, so that the rights that come next are on nothing but this. */
        private boolean reserve() {
            boolean[] done = {false};
            try {
                manifests.commit(move.home().root(), view -> {
                    done[0] = move.row().apply(view).isPresent();
                    if (!done[0]) {
                        return Plan.nothing();
                    }
                    move.free().accept(view);
                    return Plan.put(reserved);
                });
            } catch (CatalogException e) {
                if (!e.mayHaveHappened()) {
                    withdraw();
                }
                throw e;
            }
            return done[0];
        }

        private boolean commit() {
            boolean[] moved = {false};
            manifests.commit(move.home().root(), view -> {
                Optional<ManifestEntry> row = move.row().apply(view);
                moved[0] = row.isPresent();
                if (row.isEmpty()) {
                    return Plan.nothing();
                }
                requireReserved(view);
                ManifestEntry renamed = row.get().restored().renamed(move.to().stored());
                return new Plan(
                        List.of(renamed, left), List.of(), Plan.put(renamed).reliesOn());
            });
            return moved[0];
        }

        private void requireReserved(ManifestView view) {
            if (view.find(reserved.id()).filter(reserved::equals).isEmpty()) {
                throw tooLate();
            }
        }

        /** A worker may soon be at it, and free a name that this then writes rights on. */
        private void requireTime() {
            if (isLate()) {
                throw tooLate();
            }
        }

        private boolean isLate() {
            return Duration.ofNanos(System.nanoTime() - begun).compareTo(grace.dividedBy(2)) > 0;
        }

        private CatalogException tooLate() {
            return CatalogException.of(
                    ErrorCode.CONCURRENT_MODIFICATION,
                    "The table could not be given its new name in time; try again in a moment.");
        }

        /** Frees the name that is nobody's now. What that fails by is no reason for the move to fail. */
        private void end(ManifestEntry row, Runnable before) {
            if (isLate()) {
                return;
            }
            try {
                before.run();
                endings.finish(move.home(), List.of(row));
                withdraw();
            } catch (RuntimeException e) {
                log.warn("The rights on {} are taken back later.", row.id(), e);
                hasten();
            }
        }

        private void withdraw() {
            try {
                jobs.withdraw(job);
            } catch (RuntimeException e) {
                log.warn("The record {} of a renaming stays; a worker will find it done.", job, e);
            }
        }

        private void hasten() {
            try {
                jobs.hasten(job);
            } catch (RuntimeException e) {
                log.warn("The renaming {} is ended after its grace.", job, e);
            }
        }
    }
}
