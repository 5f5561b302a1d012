package io.rask.catalog.lance;

/**
 * One column of a result.
 *
 * @param path the field in the table, such as {@code a}, {@code a.b} or {@code a.`b.c`}
 * @param name what the result calls it
 */
public record OutputColumn(String path, String name) {
    /** A column under its own path. */
    public static OutputColumn of(String path) {
        return new OutputColumn(path, path);
    }
}
