package io.rask.catalog.lance;

/**
 * One column of a result.
 *
 * @param path the field in the table, such as {@code a}, {@code a.b} or {@code a.`b c`}; or a SQL expression over fields
 * @param name what the result calls it
 * @param expression whether the path, where it leads to no field, is an expression
 */
public record OutputColumn(String path, String name, boolean expression) {
    /** A field under a name. */
    public OutputColumn(String path, String name) {
        this(path, name, false);
    }

    /** A column under its own path. */
    public static OutputColumn of(String path) {
        return new OutputColumn(path, path);
    }

    /** What an expression gives, under a name. */
    public static OutputColumn computed(String sql, String name) {
        return new OutputColumn(sql, name, true);
    }
}
