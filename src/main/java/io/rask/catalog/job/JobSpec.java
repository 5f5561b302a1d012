package io.rask.catalog.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A job to be done.
 *
 * @param kind the {@link JobKind#name} of what does it
 * @param table the stored id of the table it is about, or null
 * @param warehouse the warehouse it is about, or null
 * @param spec what the kind needs to know, a record that becomes JSON; it must hold no secret
 * @param delay how long no worker may take it
 * @param isPatient whether it is tried for as long as that may help, because nobody would ask for it again
 */
public record JobSpec(
        String kind,
        @Nullable String table,
        @Nullable String warehouse,
        Record spec,
        Duration delay,
        boolean isPatient) {
    /** A job that is given up after some attempts. */
    public JobSpec(String kind, @Nullable String table, @Nullable String warehouse, Record spec, Duration delay) {
        this(kind, table, warehouse, spec, delay, false);
    }
}
