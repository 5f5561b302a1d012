package io.rask.catalog.lance;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of rows, and of deleted rows, that the manifest of a version names.
 *
 * @param own those of the dataset itself, by their place below it
 * @param elsewhere those of places the version is based on, by the number of the place and the place below it
 */
public record NamedFiles(Set<String> own, Set<String> elsewhere) {
    /** No file. */
    public static final NamedFiles NONE = new NamedFiles(Set.of(), Set.of());

    private static final int FRAGMENTS = 2;
    private static final int DATA_FILES = 2;
    private static final int DELETION_FILE = 3;
    private static final int BASE = 7;

    public NamedFiles {
        own = Set.copyOf(own);
        elsewhere = Set.copyOf(elsewhere);
    }

    /**
     * Reads the message.
     *
     * @param file the manifest file from {@link VersionManifest#begin} on; not closed here
     * @throws IOException when the message is damaged or cut off
     */
    public static NamedFiles read(InputStream file) throws IOException {
        Set<String> own = new HashSet<>();
        Set<String> elsewhere = new HashSet<>();
        MessageFields fields = MessageFields.ofMessage(file);
        while (fields.next()) {
            if (fields.tag() == FRAGMENTS) {
                fragment(fields, own, elsewhere);
            } else {
                fields.skip();
            }
        }
        return new NamedFiles(own, elsewhere);
    }

    private static void fragment(MessageFields outer, Set<String> own, Set<String> elsewhere) throws IOException {
        MessageFields fragment = outer.inside();
        long number = 0;
        while (fragment.next()) {
            switch (fragment.tag()) {
                case 1 -> number = fragment.number();
                case DATA_FILES -> dataFile(fragment, own, elsewhere);
                // Its name holds the number of the fragment, which every writer puts first.
                case DELETION_FILE -> deletionFile(fragment, number, own, elsewhere);
                default -> fragment.skip();
            }
        }
        outer.passed(fragment);
    }

    private static void dataFile(MessageFields outer, Set<String> own, Set<String> elsewhere) throws IOException {
        MessageFields file = outer.inside();
        String path = "";
        @Nullable String base = null;
        while (file.next()) {
            switch (file.tag()) {
                case 1 -> path = file.text();
                case BASE -> base = String.valueOf(file.number());
                default -> file.skip();
            }
        }
        outer.passed(file);
        add("data/" + path, base, own, elsewhere);
    }

    private static void deletionFile(MessageFields outer, long fragment, Set<String> own, Set<String> elsewhere)
            throws IOException {
        MessageFields file = outer.inside();
        long type = 0;
        long readVersion = 0;
        long id = 0;
        @Nullable String base = null;
        while (file.next()) {
            switch (file.tag()) {
                case 1 -> type = file.number();
                case 2 -> readVersion = file.number();
                case 3 -> id = file.number();
                case BASE -> base = String.valueOf(file.number());
                default -> file.skip();
            }
        }
        outer.passed(file);
        String name = "_deletions/" + fragment + "-" + readVersion + "-" + Long.toUnsignedString(id)
                + (type == 0 ? ".arrow" : ".bin");
        add(name, base, own, elsewhere);
    }

    private static void add(String name, @Nullable String base, Set<String> own, Set<String> elsewhere) {
        if (base == null) {
            own.add(name);
        } else {
            elsewhere.add(base + ":" + name);
        }
    }
}
