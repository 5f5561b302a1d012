package io.rask.catalog.lance;

/** Whose type names a schema is told in. */
public enum SchemaDialect {
    /** Clients of the namespace specification: {@code utf8}, {@code float32}, {@code timestamp}. */
    NAMESPACE,
    /** LanceDB's own clients: {@code string}, {@code float}, {@code timestamp:us:-}. */
    LANCE
}
