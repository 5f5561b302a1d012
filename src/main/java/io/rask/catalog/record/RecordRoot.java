package io.rask.catalog.record;

import io.rask.catalog.platform.CatalogProperties;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the records live: a folder, or a prefix in a bucket. */
public sealed interface RecordRoot {
    /** A folder of the file system. */
    record Folder(Path path) implements RecordRoot {}

    /**
     * A place in an S3 store.
     *
     * @param prefix what the keys of the bucket begin with: empty, or ending in a slash
     */
    record Bucket(String name, String prefix) implements RecordRoot {}

    /**
     * The root that is configured: {@code lance.control.root}, or {@code _control} below {@code lance.rest.root}.
     *
     * @throws IllegalArgumentException if it is no folder, {@code file://…} or {@code s3://bucket[/prefix]}; names the setting
     */
    static RecordRoot of(CatalogProperties properties) {
        String configured = properties.control().root();
        if (configured != null && !configured.isBlank()) {
            return parse("lance.control.root", configured);
        }
        String rest = properties.rest().root().strip();
        return parse("lance.rest.root", (rest.endsWith("/") ? rest : rest + "/") + "_control");
    }

    private static RecordRoot parse(String setting, String root) {
        String text = root.strip();
        try {
            if (text.startsWith("s3://")) {
                return bucket(text);
            }
            if (text.startsWith("file:")) {
                return new Folder(Path.of(URI.create(text)));
            }
            if (!text.contains("://")) {
                return new Folder(Path.of(text).toAbsolutePath().normalize());
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(explain(setting, root), e);
        }
        throw new IllegalArgumentException(explain(setting, root));
    }

    private static Bucket bucket(String text) {
        Matcher parts = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?")
                .matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("No bucket name in " + text);
        }
        String prefix = parts.group(2) == null ? "" : parts.group(2).replaceFirst("/+$", "");
        for (String segment : prefix.isEmpty() ? new String[0] : prefix.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw new IllegalArgumentException("Segments of a prefix are not empty, '.' or '..'");
            }
        }
        return new Bucket(parts.group(1), prefix.isEmpty() ? "" : prefix + "/");
    }

    private static String explain(String setting, String root) {
        return setting + " is '" + root + "', but must be a folder, file:///folder or s3://bucket/prefix";
    }
}
