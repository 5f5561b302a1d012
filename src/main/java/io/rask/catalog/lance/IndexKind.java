package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lance.index.IndexType;

/** The kinds of index that can be made. The name of a constant is the name on the wire. */
public enum IndexKind {
    IVF_FLAT(IndexType.IVF_FLAT, null),
    IVF_SQ(IndexType.IVF_SQ, null),
    IVF_PQ(IndexType.IVF_PQ, null),
    IVF_RQ(IndexType.IVF_RQ, null),
    IVF_HNSW_FLAT(IndexType.IVF_HNSW_FLAT, null),
    IVF_HNSW_SQ(IndexType.IVF_HNSW_SQ, null),
    IVF_HNSW_PQ(IndexType.IVF_HNSW_PQ, null),
    BTREE(IndexType.BTREE, "btree"),
    BITMAP(IndexType.BITMAP, "bitmap"),
    LABEL_LIST(IndexType.LABEL_LIST, "labellist"),
    FTS(IndexType.INVERTED, "inverted"),
    NGRAM(IndexType.NGRAM, "ngram"),
    ZONEMAP(IndexType.ZONEMAP, "zonemap"),
    BLOOM_FILTER(IndexType.BLOOM_FILTER, "bloomfilter");

    private static final String GRAPH = "IVF_HNSW";

    /** Other names of the same, and names that leave the choice to us. */
    private static final Map<String, IndexKind> OTHER_NAMES =
            Map.of("inverted", FTS, "vector", IVF_PQ, "scalar", BTREE);

    private final IndexType type;
    private final @Nullable String engineName;

    IndexKind(IndexType type, @Nullable String engineName) {
        this.type = type;
        this.engineName = engineName;
    }

    /**
     * The kind of a name; letter case, and whether words are joined by underscores, do not matter.
     *
     * @throws CatalogException code 13 for an unknown name
     */
    public static IndexKind of(String name) {
        String wanted = plain(name);
        for (IndexKind kind : values()) {
            if (plain(kind.name()).equals(wanted)) {
                return kind;
            }
        }
        IndexKind other = OTHER_NAMES.get(wanted);
        if (other != null) {
            return other;
        }
        String known = Arrays.stream(values()).map(Enum::name).collect(Collectors.joining(", "));
        throw CatalogException.invalid("The index type is unknown; known are " + known + ".");
    }

    /** The name on the wire of a kind as the library names it; {@code Unknown} for one that is none of these. */
    static String wireName(String nameOfLibrary) {
        String wanted = plain(nameOfLibrary);
        for (IndexKind kind : values()) {
            if (plain(kind.name()).equals(wanted) || wanted.equals(kind.engineName)) {
                return kind.name();
            }
        }
        return "Unknown";
    }

    private static String plain(String name) {
        return name.replace("\"", "").replace("_", "").strip().toLowerCase(Locale.ROOT);
    }

    /** Whether the index is of vectors, and not of single values or words. */
    public boolean isVector() {
        return engineName == null;
    }

    /** Whether vectors are found through a graph inside each partition. */
    boolean isGraph() {
        return name().startsWith(GRAPH);
    }

    /** Whether vectors are cut into pieces, each kept as the number of the nearest of a few learned ones. */
    boolean isProductQuantized() {
        return this == IVF_PQ || this == IVF_HNSW_PQ;
    }

    boolean isScalarQuantized() {
        return this == IVF_SQ || this == IVF_HNSW_SQ;
    }

    IndexType type() {
        return type;
    }

    /** What the library calls an index of single values or words. */
    String engineName() {
        if (engineName == null) {
            throw new IllegalStateException(this + " is an index of vectors");
        }
        return engineName;
    }
}
