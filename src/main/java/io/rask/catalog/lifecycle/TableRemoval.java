package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.TableFiles;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The one place that deletes the bytes of tables. What cannot be shown to be unused stays. */
@Component
public final class TableRemoval {
    private static final Logger log = LoggerFactory.getLogger(TableRemoval.class);

    /** How many tables go on one look at the others. */
    private static final int BATCH = 64;

    private final DeletionCheck check;
    private final TableFiles files;
    private final KeptBytes kept;

    public TableRemoval(DeletionCheck check, TableFiles files, KeptBytes kept) {
        this.check = check;
        this.files = files;
        this.kept = kept;
    }

    /**
     * Deletes the bytes of a table whose row is gone. The table is dropped by then, so a failure leaves bytes behind and is the
     * operator's to see, not the client's.
     *
     * @return why they are still there; empty when they are gone
     */
    public Optional<DeletionAnswer.Refused> removeBytes(StorageProfile home, ManifestEntry dropped) {
        return Optional.ofNullable(removeBytes(home, List.of(dropped)).get(dropped.location()));
    }

    /**
     * As {@link #removeBytes(StorageProfile, ManifestEntry)} for all that one drop took out of the catalog; a clone goes before
     * its source.
     *
     * @return why some are still there, by location
     */
    public Map<String, DeletionAnswer.Refused> removeBytes(StorageProfile home, List<ManifestEntry> dropped) {
        Map<String, String> ids = new HashMap<>();
        dropped.forEach(entry -> ids.put(String.valueOf(entry.location()), entry.id()));
        List<String> left = new ArrayList<>();
        dropped.stream().map(ManifestEntry::location).filter(Objects::nonNull).forEach(left::add);
        Map<String, DeletionAnswer.Refused> refusals = new HashMap<>();
        int before;
        do {
            before = left.size();
            refusals.clear();
            for (int from = 0; from < before; from += BATCH) {
                List<String> batch = left.subList(from, Math.min(before, from + BATCH));
                check.bytes(home, batch)
                        .forEach((location, answer) ->
                                remove(home, location, answer).ifPresent(refused -> refusals.put(location, refused)));
            }
            left = List.copyOf(refusals.keySet());
        } while (!left.isEmpty() && left.size() < before);
        refusals.forEach((location, refused) -> {
            if (refused.reason() == DeletionAnswer.Reason.BASE_OF_ANOTHER) {
                // Nobody tries again, and whose they were must still be known when somebody wants to register them.
                kept.leave(home, location, String.valueOf(ids.get(location)));
            }
        });
        return refusals;
    }

    /** Deletes what a failed creation wrote at a location that nobody else was told. */
    public void discard(StorageProfile home, String location) {
        remove(home, location, check.ownBytes(home, location));
    }

    private Optional<DeletionAnswer.Refused> remove(StorageProfile home, String location, DeletionAnswer answer) {
        if (answer instanceof DeletionAnswer.Refused refused) {
            log.warn(
                    "The bytes of the dropped table at {} in {} stay ({}).",
                    location,
                    home,
                    refused.reason(),
                    refused.problem());
            return Optional.of(refused);
        }
        try {
            files.delete(home.root(), location);
            return Optional.empty();
        } catch (RuntimeException e) {
            log.warn("The bytes of the dropped table at {} in {} could not be deleted.", location, home, e);
            return Optional.of(new DeletionAnswer.Refused(
                    DeletionAnswer.Reason.UNKNOWN,
                    CatalogException.unavailable("The bytes of the table could not be deleted.", e)));
        }
    }
}
