package io.rask.catalog.lance;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What holds a version of a table.
 *
 * @param name of the tag, or of the branch that began there
 * @param branch the branch the version is on; null for the main branch
 */
public record TablePin(Kind kind, String name, @Nullable String branch, long version) {

    /** What it is that holds it. */
    public enum Kind {
        TAG,
        BRANCH;

        /** The kind as messages spell it. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
