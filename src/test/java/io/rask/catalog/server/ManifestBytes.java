package io.rask.catalog.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Manifest files of datasets as a newer library might write them. */
final class ManifestBytes {
    private static final int FOOTER = 16;
    /** The tag of the writer's features in the message: field 10, a number. */
    private static final int WRITER_FEATURES = 10 << 3;

    private ManifestBytes() {}

    /** The same manifest that asks its writers for further features. */
    static byte[] withFeatures(byte[] manifest, long features) {
        ByteBuffer read = ByteBuffer.wrap(manifest).order(ByteOrder.LITTLE_ENDIAN);
        int begin = (int) read.getLong(manifest.length - FOOTER);
        int length = read.getInt(begin);
        ByteArrayOutputStream extra = new ByteArrayOutputStream();
        extra.write(WRITER_FEATURES);
        for (long left = features; ; left >>>= 7) {
            if (left < 0x80) {
                extra.write((int) left);
                break;
            }
            extra.write((int) (left & 0x7f) | 0x80);
        }
        ByteBuffer changed = ByteBuffer.allocate(manifest.length + extra.size()).order(ByteOrder.LITTLE_ENDIAN);
        changed.put(manifest, 0, begin).putInt(length + extra.size());
        changed.put(manifest, begin + 4, length).put(extra.toByteArray());
        changed.put(manifest, begin + 4 + length, manifest.length - begin - 4 - length);
        return changed.array();
    }
}
