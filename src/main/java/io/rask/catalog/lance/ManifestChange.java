package io.rask.catalog.lance;

import java.util.List;

/**
 * One change of a manifest, as checks and their result. It is planned anew on a fresh view each time a commit meets another
 * writer, so every check it makes holds at the commit itself.
 */
@FunctionalInterface
public interface ManifestChange {
    /**
     * Checks the view and says what to change.
     *
     * @throws io.rask.catalog.problem.CatalogException when a check fails; the change is then given up
     */
    Plan plan(ManifestView view);

    /**
     * What a change does.
     *
     * @param put rows to add or to replace
     * @param removed ids of rows to remove
     * @param reliesOn ids of rows that must still be there, unchanged, when the commit happens: they are written again, so that
     *     two changes which rely on one row conflict
     */
    record Plan(List<ManifestEntry> put, List<String> removed, List<String> reliesOn) {
        public Plan {
            put = List.copyOf(put);
            removed = List.copyOf(removed);
            reliesOn = List.copyOf(reliesOn);
        }

        /** Nothing to do: the view already is as wanted. */
        public static Plan nothing() {
            return new Plan(List.of(), List.of(), List.of());
        }

        /** Adds or replaces one row below a parent that must be there; a parent at the root needs no row. */
        public static Plan put(ManifestEntry entry) {
            return new Plan(List.of(entry), List.of(), parentOf(entry.id()));
        }

        /** Removes one row. */
        public static Plan remove(String id) {
            return new Plan(List.of(), List.of(id), List.of());
        }

        /** Gives an object another id below a parent that must be there: one commit, so that no reader sees two ids or none. */
        public static Plan move(ManifestEntry from, String to) {
            return new Plan(List.of(from.renamed(to)), List.of(from.id()), parentOf(to));
        }

        /**
         * Adds or replaces a table at a location that was chosen by somebody else, so that another change may choose the same.
         * Whatever adds a table relies on a namespace, so relying on all of them conflicts with each such change.
         */
        public static Plan claim(ManifestEntry entry, ManifestView view) {
            return new Plan(List.of(entry), List.of(), view.namespaceIds());
        }

        private static List<String> parentOf(String id) {
            String parent = ManifestEntry.parentOf(id);
            return parent.isEmpty() ? List.of() : List.of(parent);
        }
    }
}
