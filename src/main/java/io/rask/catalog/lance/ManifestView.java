package io.rask.catalog.lance;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a catalog manifest holds at one moment. The empty id is the root, which always exists. */
public interface ManifestView {
    /** The object of this stored id. */
    Optional<ManifestEntry> find(String id);

    /**
     * Where the row of an object was written last: another number after it was written again, unchanged too. Negative where there is no
     * row, or one that is not committed yet.
     */
    long writtenAt(String id);

    /**
     * Child namespaces in the order of their names.
     *
     * @param after the name to start behind, or null for the beginning
     * @param limit how many at most
     */
    List<ManifestEntry> namespaces(String parent, @Nullable String after, int limit);

    /** Child tables in the order of their names; as {@link #namespaces}. */
    List<ManifestEntry> tables(String parent, @Nullable String after, int limit);

    /** Everything directly below a namespace, of whatever type, in the order of the names. */
    List<ManifestEntry> children(String parent);

    /**
     * Tables at any depth in the order of their stored ids.
     *
     * @param after the stored id to start behind, or null for the beginning
     * @param limit how many at most
     * @param wanted which of them count
     */
    List<ManifestEntry> tablesAnywhere(@Nullable String after, int limit, Predicate<ManifestEntry> wanted);

    /**
     * Rows of whatever type at any depth, in the order of their stored ids.
     *
     * @param wanted which of them count
     */
    List<ManifestEntry> rows(Predicate<ManifestEntry> wanted);

    /** The stored ids of all namespaces. */
    List<String> namespaceIds();

    /** Whether any object lives at this location, relative to the root, in it, or around it. */
    boolean isLocationInUse(String location);

    /** Whether one location is the other or lies in it, judged by whole segments. */
    static boolean isWithin(String location, String other) {
        return location.equals(other) || location.startsWith(other + "/");
    }

    /** The namespace of this stored id; the root has no entry. */
    default Optional<ManifestEntry> namespace(String id) {
        return find(id).filter(ManifestEntry::isNamespace);
    }

    default Optional<ManifestEntry> table(String id) {
        return find(id).filter(ManifestEntry::isTable);
    }
}
