package io.rask.catalog.lance;

/** The keys under which a view keeps what it is in the metadata of its schema and in the properties of its table. */
public final class ViewKeys {
    /** What all of them begin with; no client may write such a key. */
    public static final String RESERVED = "mv.";

    /** The query and its sources, as JSON. */
    public static final String DEFINITION = RESERVED + "definition";

    /** The last refresh, as JSON. */
    public static final String REFRESH = RESERVED + "refresh";

    /** The property by which the catalog tells views from other tables. */
    public static final String KIND = RESERVED + "kind";

    private ViewKeys() {}
}
