package io.rask.catalog.lance;

import org.apache.arrow.vector.types.pojo.Field;

/** Columns of blobs: a scan gives descriptions of where the bytes are, and not the bytes. */
final class Blobs {
    private static final String ENCODING = "lance-encoding:blob";
    private static final String EXTENSION = "ARROW:extension:name";
    private static final String KINDS = "lance.blob";
    private static final String SECOND_KIND = KINDS + ".v2";

    private Blobs() {}

    static boolean isBlob(Field field) {
        return "true".equals(field.getMetadata().get(ENCODING))
                || extension(field).startsWith(KINDS);
    }

    static boolean isOfSecondKind(Field field) {
        return extension(field).equals(SECOND_KIND);
    }

    /** The name of the field's extension type; empty for none. */
    static String extension(Field field) {
        return field.getMetadata().getOrDefault(EXTENSION, "");
    }
}
