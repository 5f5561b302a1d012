package io.rask.catalog.platform;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** A place that can hold bytes: a folder of this machine or of a shared file system, or a bucket with an optional prefix. */
public sealed interface StoreUri {
    /** An absolute, normalised folder. */
    record Folder(Path path) implements StoreUri {
        @Override
        public String location() {
            return path.toString();
        }

        @Override
        public String external() {
            return path.toUri().toString().replaceAll("/+$", "");
        }

        @Override
        public StoreUri child(String segment) {
            return new Folder(path.resolve(segment));
        }

        @Override
        public boolean contains(StoreUri other) {
            return other instanceof Folder folder && folder.path.startsWith(path);
        }
    }

    /** @param prefix without leading or trailing slash; empty for the whole bucket */
    record Bucket(String name, String prefix) implements StoreUri {
        @Override
        public String location() {
            return "s3://" + name + (prefix.isEmpty() ? "" : "/" + prefix);
        }

        @Override
        public String external() {
            return location();
        }

        @Override
        public StoreUri child(String segment) {
            return new Bucket(name, prefix.isEmpty() ? segment : prefix + "/" + segment);
        }

        @Override
        public boolean contains(StoreUri other) {
            return other instanceof Bucket bucket
                    && bucket.name.equals(name)
                    && (prefix.isEmpty() || bucket.prefix.equals(prefix) || bucket.prefix.startsWith(prefix + "/"));
        }
    }

    /** The place as the table library takes it: a plain path, or {@code s3://…}; no trailing slash. */
    String location();

    /** The place as clients and people see it: a URI with its scheme; no trailing slash. */
    String external();

    /** The place one segment below. */
    StoreUri child(String segment);

    /** Whether the other place is this one or lies below it, judged by whole segments. */
    boolean contains(StoreUri other);

    /** Whether bytes of one place could be bytes of the other. */
    default boolean overlaps(StoreUri other) {
        return contains(other) || other.contains(this);
    }

    /**
     * Reads a path, {@code file://…} or {@code s3://bucket[/prefix]}.
     *
     * @throws IllegalArgumentException when the text is none of these, or holds credentials, a query, empty or {@code ..}
     *     segments; the message says which
     */
    static StoreUri parse(String text) {
        if (text.startsWith("s3://")) {
            return bucket(text.substring("s3://".length()));
        }
        if (text.startsWith("file:")) {
            return folder(path(text));
        }
        if (text.contains("://")) {
            throw new IllegalArgumentException("only folders, file:// and s3:// are supported");
        }
        return folder(text);
    }

    private static StoreUri bucket(String rest) {
        int slash = rest.indexOf('/');
        String name = slash < 0 ? rest : rest.substring(0, slash);
        String prefix = slash < 0 ? "" : rest.substring(slash + 1).replaceAll("/+$", "");
        if (!Shape.BUCKET.matcher(name).matches()) {
            throw new IllegalArgumentException("the bucket name is not valid");
        }
        if (!prefix.isEmpty()) {
            for (String segment : prefix.split("/", -1)) {
                if (!Shape.PREFIX_SEGMENT.matcher(segment).matches() || segment.equals(".") || segment.equals("..")) {
                    throw new IllegalArgumentException(
                            "a prefix segment may hold letters, digits and ! _ . * ' ( ) - = and must not be empty, . or ..");
                }
            }
        }
        return new Bucket(name, prefix);
    }

    private static String path(String text) {
        try {
            URI uri = new URI(text);
            if (uri.getRawAuthority() != null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
                throw new IllegalArgumentException("a file URI has no host, query or fragment");
            }
            String path = uri.getPath();
            if (path == null || !path.startsWith("/")) {
                throw new IllegalArgumentException("a file URI names an absolute path");
            }
            return path;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("the file URI is malformed", e);
        }
    }

    private static StoreUri folder(String text) {
        try {
            Path path = Path.of(text);
            for (Path segment : path) {
                if (segment.toString().equals("..")) {
                    throw new IllegalArgumentException("a path must not hold ..");
                }
            }
            return new Folder(path.toAbsolutePath().normalize());
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("the path is malformed", e);
        }
    }

    /** What names of buckets and prefixes look like. */
    final class Shape {
        private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
        private static final Pattern PREFIX_SEGMENT = Pattern.compile("[A-Za-z0-9!_.*'()=-]{1,200}");

        private Shape() {}
    }
}
