package io.rask.catalog.lance;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of a catalog manifest.
 *
 * @param id the stored id: segments joined by {@code $}
 * @param type {@code namespace}, {@code table}, or a type that only newer libraries know, which is kept and never shown
 * @param location where a table's dataset lives, relative to the root; null for a namespace
 * @param metadata the properties as JSON text, exactly as stored; null for none
 * @param baseObjects ids this object is based on, exactly as stored; null for none
 */
public record ManifestEntry(
        String id,
        String type,
        @Nullable String location,
        @Nullable String metadata,
        @Nullable List<String> baseObjects) {
    private static final String NAMESPACE = "namespace";
    private static final String TABLE = "table";
    private static final String HELD_BACK = "table_held_back";
    private static final String TRASHED = "_trashed";
    private static final String ENDING = "_ending";
    private static final String RESERVED = "table_reserved" + ENDING;
    private static final String HOLDER = "held_by";
    private static final char DELIMITER = '$';

    /** A namespace with its properties as JSON text, or none. */
    public static ManifestEntry namespace(String id, @Nullable String metadata) {
        return new ManifestEntry(id, NAMESPACE, null, metadata, null);
    }

    /** A table at a location relative to the root. */
    public static ManifestEntry table(String id, String location, @Nullable String metadata) {
        return new ManifestEntry(id, TABLE, location, metadata, null);
    }

    /** What keeps the name of a table taken that has no place. */
    public static ManifestEntry nameOfTable(String id) {
        return new ManifestEntry(id, TABLE, null, null, null);
    }

    /** The same object with other properties, as JSON text, or none. */
    public ManifestEntry withMetadata(@Nullable String other) {
        return new ManifestEntry(id, type, location, other, baseObjects);
    }

    /** The same object under another id. */
    public ManifestEntry renamed(String other) {
        return new ManifestEntry(other, type, location, metadata, baseObjects);
    }

    /** A table's row that keeps its name and its place taken while there is no table of it. */
    public ManifestEntry heldBack() {
        return new ManifestEntry(id, HELD_BACK, location, metadata, baseObjects);
    }

    /** The table's row that was held back, as that of a table. */
    public ManifestEntry released() {
        return new ManifestEntry(id, TABLE, location, metadata, baseObjects);
    }

    /** The row as that of an object in the trash: nobody sees the object, and its name and its place stay taken. */
    public ManifestEntry trashed() {
        return withType(bare() + TRASHED);
    }

    /** Whether the row is that of an object in the trash. */
    public boolean isTrashed() {
        return type.endsWith(TRASHED);
    }

    /** The row as that of an object that is gone for good, whose name is not free yet. */
    public ManifestEntry ending() {
        return withType(bare() + ENDING);
    }

    /** Whether the row only keeps the name of an object that is gone for good. */
    public boolean isEnding() {
        return type.endsWith(ENDING);
    }

    /**
     * A row that keeps a name for a table that is about to get it; it names no place.
     *
     * @param holder the id of what frees the name where the table does not come
     */
    public static ManifestEntry reserved(String id, String holder) {
        return new ManifestEntry(id, RESERVED, null, ManifestProperties.write(Map.of(HOLDER, holder)), null);
    }

    /**
     * A row that keeps a name that no table has, because it has left it for another or because rights on it are taken back. What lives
     * on lives in its own place, so the row names none.
     *
     * @param holder the id of what frees the name
     */
    public static ManifestEntry left(String id, String holder) {
        return new ManifestEntry(id, TABLE + ENDING, null, ManifestProperties.write(Map.of(HOLDER, holder)), null);
    }

    /** Whether one alone frees the name: a move of rights that is under way to it or from it. */
    public boolean isHeld() {
        return holder() != null;
    }

    /** Whether one alone frees the name, and this is not it. A name that nobody holds anyone frees. */
    public boolean isHeldByOther(String one) {
        String holder = holder();
        return holder != null && !holder.equals(one);
    }

    private @Nullable String holder() {
        return isEnding() && location == null && !bare().equals(NAMESPACE)
                ? ManifestProperties.read(metadata).get(HOLDER)
                : null;
    }

    /** The row as it was before its object went into the trash or came to its end. */
    public ManifestEntry restored() {
        return withType(bare());
    }

    private String bare() {
        String end = isTrashed() ? TRASHED : isEnding() ? ENDING : "";
        return type.substring(0, type.length() - end.length());
    }

    private ManifestEntry withType(String other) {
        return new ManifestEntry(id, other, location, metadata, baseObjects);
    }

    /** Whether the row only keeps a name and a place taken. */
    public boolean isHeldBack() {
        return type.equals(HELD_BACK);
    }

    public boolean isNamespace() {
        return type.equals(NAMESPACE);
    }

    public boolean isTable() {
        return type.equals(TABLE);
    }

    /** Whether the row is that of a materialized view's table, wherever the table is now. */
    public boolean isView() {
        return location != null && ManifestProperties.read(metadata).containsKey(ViewKeys.KIND);
    }

    /** The stored id of the parent; empty for an object at the root. */
    public String parent() {
        return parentOf(id);
    }

    /** The last segment of the id. */
    public String name() {
        return id.substring(id.lastIndexOf(DELIMITER) + 1);
    }

    /** The first segment of the id. */
    public String topLevel() {
        int first = id.indexOf(DELIMITER);
        return first < 0 ? id : id.substring(0, first);
    }

    static String parentOf(String id) {
        int last = id.lastIndexOf(DELIMITER);
        return last < 0 ? "" : id.substring(0, last);
    }
}
