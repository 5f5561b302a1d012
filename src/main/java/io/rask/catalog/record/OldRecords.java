package io.rask.catalog.record;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Forgets what is old in a folder of keys that nobody uses again, so many keys at a time: whoever does it has other things to do too,
 * and there may be any number.
 */
public final class OldRecords {
    /** How many keys one round looks at; each may be a read and a removal. */
    public static final int AT_ONCE = 200;

    private final Records records;
    private final String folder;
    private final boolean tombstonesOnly;
    private @Nullable String after;

    /** @param tombstonesOnly whether live records stay */
    public OldRecords(Records records, String folder, boolean tombstonesOnly) {
        this.records = records;
        this.folder = folder;
        this.tombstonesOnly = tombstonesOnly;
    }

    /**
     * One round, which goes on where the one before ended.
     *
     * @param before what was last written earlier is forgotten
     * @return whether this was not the end of the folder
     */
    public synchronized boolean forget(Instant before) {
        after = records.discardOlder(folder, before, tombstonesOnly, after, AT_ONCE);
        return after != null;
    }
}
