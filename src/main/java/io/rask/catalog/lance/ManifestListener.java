package io.rask.catalog.lance;

/** Is told what this process does with the manifests of roots. */
@FunctionalInterface
public interface ManifestListener {
    /** A commit has been made. */
    void committed(CatalogRoot root);

    /** A root is used for the first time. */
    default void opened(CatalogRoot root) {}
}
