package io.rask.catalog.lance.arrow;

import io.rask.catalog.problem.CatalogException;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schema of a stream. Its metadata may refer to one part from many places, so a small message can stand for a schema
 * without end: fields, depth and text are counted before anything is built from them.
 */
final class IpcSchema {
    static final int MAX_DEPTH = 32;
    private static final int MAX_FIELDS = 10_000;
    private static final int MAX_ENTRIES = 100_000;
    private static final long MAX_TEXT = 16L << 20;

    private int fields;
    private int entries;
    private long text;

    private IpcSchema() {}

    static Schema read(org.apache.arrow.flatbuf.Schema message) {
        if (message.endianness() != Endianness.Little) {
            throw CatalogException.invalid("The Arrow stream is big-endian; send little-endian data.");
        }
        new IpcSchema().count(message);
        Schema schema = Schema.convertSchema(message);
        TypeRules.checkStream(schema);
        return schema;
    }

    private void count(org.apache.arrow.flatbuf.Schema message) {
        for (int i = 0; i < message.customMetadataLength(); i++) {
            count(message.customMetadata(i));
        }
        for (int i = 0; i < message.fieldsLength(); i++) {
            count(message.fields(i), 1);
        }
    }

    private void count(Field field, int depth) {
        if (++fields > MAX_FIELDS) {
            throw CatalogException.invalid("The schema has more than " + MAX_FIELDS + " fields.");
        }
        if (depth > MAX_DEPTH) {
            throw CatalogException.invalid("The schema nests more than " + MAX_DEPTH + " levels deep.");
        }
        add(field.name());
        for (int i = 0; i < field.customMetadataLength(); i++) {
            count(field.customMetadata(i));
        }
        for (int i = 0; i < field.childrenLength(); i++) {
            count(field.children(i), depth + 1);
        }
    }

    private void count(KeyValue entry) {
        if (++entries > MAX_ENTRIES) {
            throw CatalogException.invalid("The schema has more than " + MAX_ENTRIES + " metadata entries.");
        }
        add(entry.key());
        add(entry.value());
    }

    private void add(@Nullable String part) {
        text += part == null ? 0 : part.length();
        if (text > MAX_TEXT) {
            throw CatalogException.invalid("The names and metadata of the schema are larger than 16 MiB.");
        }
    }
}
