package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import java.util.ArrayList;
import java.util.List;

/** A namespace and everything below it, whatever becomes of it. */
public final class Subtree {
    private Subtree() {}

    /** The row itself and all rows below it, each before what is in it. */
    public static List<ManifestEntry> of(ManifestView view, ManifestEntry top) {
        List<ManifestEntry> found = new ArrayList<>();
        collect(view, top, found);
        return found;
    }

    private static void collect(ManifestView view, ManifestEntry entry, List<ManifestEntry> into) {
        into.add(entry);
        view.children(entry.id()).forEach(child -> collect(view, child, into));
    }
}
