package io.rask.catalog.lance;

/** Which keys belong to the catalog, in the metadata of schemas and columns and among the properties of tables. */
public final class CatalogKeys {
    /** What the catalog notes about tables and columns begins like this. */
    public static final String OWN = "rask:";

    private CatalogKeys() {}

    /** Whether clients may not set a key: it is the catalog's own, or one of views. */
    public static boolean isReserved(String key) {
        return key.startsWith(OWN) || key.startsWith(ViewKeys.RESERVED);
    }
}
