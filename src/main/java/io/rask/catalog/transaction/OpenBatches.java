package io.rask.catalog.transaction;

import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lance.UnfinishedChanges;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;

/** The batches that somebody has begun and that are not at their end, for everyone who wants to change one of their tables. */
@Component
final class OpenBatches implements UnfinishedChanges {
    private final BatchJournals journals;
    private final BatchHomes homes;
    private final BatchRun run;

    OpenBatches(BatchJournals journals, BatchHomes homes, BatchRun run) {
        this.journals = journals;
        this.homes = homes;
        this.run = run;
    }

    @Override
    public boolean concern(TableLocation location) {
        return journals.open().stream().anyMatch(batch -> concerns(batch, location));
    }

    private boolean concerns(Batch batch, TableLocation location) {
        return batch.plan().places().stream()
                .anyMatch(place -> homes.location(place).uri().equals(location.uri()));
    }

    @Override
    public void settle(TableLocation location) {
        settle(batch -> concerns(batch, location));
    }

    @Override
    public void settle(String id) {
        settle(Set.of(id));
    }

    /** As {@link #settle(String)} for several tables. */
    void settle(Set<String> ids) {
        settle(batch -> batch.plan().tables().stream().anyMatch(ids::contains));
    }

    private void settle(Predicate<Batch> wanted) {
        journals.open().stream().filter(wanted).forEach(this::settle);
    }

    /** Brings a batch to its end, or waits until the server that is at it has. */
    void settle(Batch batch) {
        homes.alone(batch.plan().places(), turn -> journals.find(batch.id()).map(now -> run.complete(now, turn)));
    }
}
