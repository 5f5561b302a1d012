package io.rask.catalog.lifecycle;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Destroys for good what is in the trash, before or after its deadline. */
@Component
public final class Purges {
    private final Trash trash;
    private final Drops drops;
    private final Manifests manifests;
    private final Endings endings;
    private final DeletionCheck check;
    private final KeptBytes kept;
    private final TrashRecords records;
    private final JobRegistry jobs;

    Purges(
            Trash trash,
            Drops drops,
            Manifests manifests,
            Endings endings,
            DeletionCheck check,
            KeptBytes kept,
            TrashRecords records,
            JobRegistry jobs) {
        this.trash = trash;
        this.jobs = jobs;
        this.records = records;
        this.kept = kept;
        this.manifests = manifests;
        this.endings = endings;
        this.check = check;
        this.drops = drops;
    }

    /** Where a table's trash is and which rows go; code 4 when it has none. */
    public Doomed table(ObjectId id) {
        StorageProfile home = trash.home(id).orElseThrow(() -> absentTable(id));
        return new Doomed(
                home,
                view -> List.of(view.find(id.stored())
                        .filter(ManifestEntry::isTrashed)
                        .filter(row -> row.restored().isTable())
                        .orElseThrow(() -> absentTable(id))));
    }

    /** Where a namespace's trash is and which rows go: the namespace and all below it; code 1 when it has none. */
    public Doomed namespace(ObjectId id) {
        StorageProfile home = trash.home(id).orElseThrow(() -> absentNamespace(id));
        return new Doomed(home, view -> {
            ManifestEntry top = view.find(id.stored())
                    .filter(ManifestEntry::isTrashed)
                    .filter(row -> row.restored().isNamespace())
                    .orElseThrow(() -> absentNamespace(id));
            return Subtree.of(view, top);
        });
    }

    /**
     * Destroys it.
     *
     * @throws CatalogException code 19 when a clone elsewhere reads the files of a table in it
     */
    public List<ManifestEntry> purge(Doomed doomed, boolean force) {
        return drops.drop(doomed.home(), doomed::rows, force, () -> {});
    }

    /** Code 3 or 19 when one of the objects is protected, unless forced. */
    public void requireUnprotected(Collection<ManifestEntry> objects, boolean force) {
        check.protection(objects, force).require();
    }

    /**
     * Ends objects of a warehouse that is being deleted: their rows, the rights on them and their records. Their bytes stay.
     *
     * @param selection as for {@link Drops#drop}; where it throws, nothing it was to select is touched
     * @throws CatalogException code 17 when the engine does not take the rights back; {@link #finish} goes on
     */
    public Ended end(StorageProfile home, Function<ManifestView, List<ManifestEntry>> selection, boolean force) {
        selection.apply(manifests.view(home.root())).stream()
                .filter(row -> row.location() != null)
                .forEach(row -> kept.leave(home, String.valueOf(row.location()), row.id()));
        Drops.Released released = drops.release(home, selection, force);
        int trashed =
                (int) released.gone().stream().filter(ManifestEntry::isTrashed).count();
        return new Ended(released.revoked() + finish(home), trashed);
    }

    /**
     * Ends what is gone already and still has its name, because the server that dropped it died. Nobody can give the names again in a
     * warehouse that is shut, so this need not wait for a worker. Names between which rights are moving are left to who moves them.
     *
     * @return how many rights were taken back
     */
    public int finish(StorageProfile home) {
        List<ManifestEntry> ending = manifests.view(home.root()).rows(ManifestEntry::isEnding);
        Set<ManifestEntry> moving = Set.copyOf(moving(ending));
        // What was held when it was read may have come to its end before its job did, and be a table by now.
        ManifestView latest = manifests.view(home.root());
        return endings.finish(
                home,
                ending.stream()
                        .filter(row -> !moving.contains(row))
                        .filter(row -> !row.isHeld()
                                || latest.find(row.id()).filter(row::equals).isPresent())
                        .toList());
    }

    /**
     * Refuses where rights are moving between two names, or being taken from one: without the warehouse nobody would bring that to its
     * end.
     *
     * @throws CatalogException code 14
     */
    public void requireNothingMoving(StorageProfile home) {
        moving(manifests.view(home.root()).rows(ManifestEntry::isHeld)).stream()
                .findFirst()
                .ifPresent(row -> {
                    throw CatalogException.of(
                                    ErrorCode.CONCURRENT_MODIFICATION,
                                    "The rights on '" + row.id()
                                            + "' are being moved or taken back; try again when that is done.")
                            .retryAfter(Duration.ofSeconds(5));
                });
    }

    /** Those of the rows that a job stands for which has not come to its end. */
    private List<ManifestEntry> moving(List<ManifestEntry> rows) {
        List<ManifestEntry> held = rows.stream().filter(ManifestEntry::isHeld).toList();
        if (held.isEmpty()) {
            return held;
        }
        List<String> open = jobs.open().stream().map(Job::id).toList();
        return held.stream()
                .filter(row -> open.stream().anyMatch(job -> !row.isHeldByOther(job)))
                .toList();
    }

    /** Refuses where it is not known of all that lies in the trash of a root what it is: code 17. */
    public void requireKnown(StorageProfile home) {
        records.find(manifests.view(home.root()).rows(ManifestEntry::isTrashed));
    }

    /** Forgets what is still written of the trash of a root in which nothing is left, and nothing comes any more. */
    public void forgetTrash(StorageProfile home) {
        records.forgetAll(home);
    }

    /**
     * What came to its end.
     *
     * @param revoked how many rights were taken back
     * @param trashed how many of the objects were in the trash
     */
    public record Ended(int revoked, int trashed) {}

    /** What a purge destroys. */
    public record Doomed(StorageProfile home, Selection selection) {
        public List<ManifestEntry> rows(ManifestView view) {
            return selection.of(view);
        }
    }

    /** Finds the rows that go. */
    @FunctionalInterface
    public interface Selection {
        List<ManifestEntry> of(ManifestView view);
    }

    private static CatalogException absentTable(ObjectId id) {
        return CatalogException.of(ErrorCode.TABLE_NOT_FOUND, "There is no table '" + id + "' in the trash.")
                .about(Absence.resource("table", id));
    }

    private static CatalogException absentNamespace(ObjectId id) {
        return CatalogException.of(ErrorCode.NAMESPACE_NOT_FOUND, "There is no namespace '" + id + "' in the trash.")
                .about(Absence.resource("namespace", id));
    }
}
