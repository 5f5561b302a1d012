package io.rask.catalog.lifecycle;

import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.lance.ManifestChange.Plan;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Takes rights back that are held on names which nothing has. The names are kept taken meanwhile, as those of dropped objects are
 * ({@link Endings}), so that nobody gets one of them together with the rights, or loses his own on what he makes at that moment. What
 * is interrupted a worker finishes.
 */
@Component
public final class NamelessRights {
    private static final Logger log = LoggerFactory.getLogger(NamelessRights.class);

    private static final int AT_ONCE = 25;

    private final Manifests manifests;
    private final Endings endings;
    private final JobRegistry jobs;
    private final Duration grace;

    NamelessRights(Manifests manifests, Endings endings, JobRegistry jobs, CatalogProperties properties) {
        this.manifests = manifests;
        this.endings = endings;
        this.jobs = jobs;
        this.grace = properties.jobs().dropGrace();
    }

    /**
     * Takes them back.
     *
     * @param names rows as nothing has them: of an object that is there after all, or has something below it, nothing is touched
     * @return the names that nothing had
     * @throws CatalogException code 17 when the engine or the store does not answer, or not in time; a
     *     worker goes on
     */
    public List<ManifestEntry> end(StorageProfile home, Collection<ManifestEntry> names) {
        List<ManifestEntry> absent = absent(manifests.view(home.root()), names);
        if (absent.isEmpty()) {
            return List.of();
        }
        long begun = System.nanoTime();
        String record = jobs.submit(new JobSpec(
                        DeleteBytes.NAME,
                        null,
                        null,
                        new DeleteBytes.Spec(
                                home.place().external(),
                                List.of(),
                                absent.stream().map(ManifestEntry::id).toList()),
                        grace,
                        true))
                .id();
        List<ManifestEntry> taken = new ArrayList<>();
        manifests.commit(home.root(), view -> {
            taken.clear();
            taken.addAll(absent(view, absent));
            return new Plan(taken.stream().map(name -> kept(name, record)).toList(), List.of(), List.of());
        });
        finish(home, taken, record, begun);
        withdraw(record);
        return List.copyOf(taken);
    }

    private static ManifestEntry kept(ManifestEntry name, String holder) {
        return name.isNamespace() ? name.ending() : ManifestEntry.left(name.id(), holder);
    }

    /** Frees the names a few at a time: a worker may be at it some time, and somebody else have one of them already. */
    private void finish(StorageProfile home, List<ManifestEntry> taken, String record, long begun) {
        for (int from = 0; from < taken.size(); from += AT_ONCE) {
            if (Duration.ofNanos(System.nanoTime() - begun).compareTo(grace.dividedBy(2)) > 0) {
                hasten(record);
                throw CatalogException.unavailable(
                        "The engine was too slow; a worker frees the names on which rights are still held.", null);
            }
            endings.finish(home, taken.subList(from, Math.min(taken.size(), from + AT_ONCE)));
        }
    }

    private static List<ManifestEntry> absent(ManifestView view, Collection<ManifestEntry> names) {
        return names.stream()
                .filter(name -> view.find(name.id()).isEmpty()
                        && view.children(name.id()).isEmpty())
                .toList();
    }

    private void withdraw(String record) {
        try {
            jobs.withdraw(record);
        } catch (RuntimeException e) {
            log.warn("The record {} of names that were freed stays; a worker will find it done.", record, e);
        }
    }

    private void hasten(String record) {
        try {
            jobs.hasten(record);
        } catch (RuntimeException e) {
            log.warn("The names of {} are freed after its grace.", record, e);
        }
    }
}
