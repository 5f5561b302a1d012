package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.storage.StorageProfile;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Decides whether what is dropped goes into the trash or for good. */
@Component
public final class Departures {
    private final Drops drops;
    private final Trashing trashing;
    private final Duration grace;
    private final Clock clock;

    Departures(Drops drops, Trashing trashing, CatalogProperties properties, Clock clock) {
        this.drops = drops;
        this.trashing = trashing;
        this.grace = Duration.ofDays(properties.trashGraceDays());
        this.clock = clock;
    }

    /** Whether a drop of this kind can be taken back. */
    public boolean isRecoverable(DropWish wish) {
        return grace.isPositive() && !wish.purge();
    }

    /** When the bytes of what is dropped now may go. */
    public Instant deadline() {
        return clock.instant().plus(grace).truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * Drops what a function selects, as {@link Trashing#drop} or {@link Drops#drop} does.
     *
     * @return the rows that are gone, as they were
     */
    public List<ManifestEntry> drop(
            StorageProfile home,
            Function<ManifestView, List<ManifestEntry>> selection,
            DropWish wish,
            Runnable afterRows) {
        return isRecoverable(wish)
                ? trashing.drop(home, selection, wish, deadline(), afterRows)
                : drops.drop(home, selection, wish.force(), afterRows);
    }
}
