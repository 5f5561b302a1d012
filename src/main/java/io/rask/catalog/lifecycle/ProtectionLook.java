package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The protection of rows as it was read before a commit that takes them away. All changes of a root wait for such a commit, so it asks
 * the store itself only where a row was written since the look. That is enough: whoever protects an object writes its record and then
 * its row. While the row is where it was, a record that came after the look is promised to nobody, and the row that was to follow it
 * either lets this commit fail or is not found any more.
 */
public final class ProtectionLook {
    private final Protections protections;
    private final Map<String, Long> places = new HashMap<>();
    private Protections.Found found;

    /**
     * Looks at rows.
     *
     * @param view where they were found; code 17 when a record cannot be read
     */
    public ProtectionLook(Protections protections, ManifestView view, Collection<ManifestEntry> rows) {
        this.protections = protections;
        // The places come first: of what is written between the two, the record is seen.
        rows.forEach(row -> places.put(row.id(), view.writtenAt(row.id())));
        this.found = protections.find(rows);
    }

    /** What was found last. */
    public Protections.Found found() {
        return found;
    }

    /**
     * The protection of those rows that the commit takes away, as the commit must know it.
     *
     * @param view what the commit is planned on
     */
    public Protections.Found at(ManifestView view, Collection<ManifestEntry> gone) {
        if (!gone.stream().allMatch(row -> isAsSeen(view, row))) {
            found = found.with(gone, protections.find(gone));
        }
        return found.of(gone);
    }

    /** Whether a row was not written since the look, so that nothing was promised of it either. */
    boolean isAsSeen(ManifestView view, ManifestEntry row) {
        long place = places.getOrDefault(row.id(), -1L);
        return place >= 0 && place == view.writtenAt(row.id());
    }
}
