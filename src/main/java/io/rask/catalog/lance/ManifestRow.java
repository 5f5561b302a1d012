package io.rask.catalog.lance;

/**
 * A row of a manifest and where it lies.
 *
 * @param address the fragment in the upper 32 bits, the offset within it in the lower
 */
record ManifestRow(ManifestEntry entry, long address) {
    ManifestRow(ManifestEntry entry, int fragment, long offset) {
        this(entry, ((long) fragment << 32) | offset);
    }

    int fragment() {
        return (int) (address >>> 32);
    }

    int offset() {
        return (int) address;
    }
}
