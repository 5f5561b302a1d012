package io.rask.catalog.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.UnaryOperator;

/** A record that somebody else changed behind the server's back; it is put back at the end. */
final class Tampered implements AutoCloseable {
    private final Path file;
    private final byte[] original;

    private Tampered(Path file, byte[] original) {
        this.file = file;
        this.original = original;
    }

    /** Makes a record unreadable. */
    static Tampered corrupt(Path file) throws IOException {
        byte[] original = Files.readAllBytes(file);
        replace(file, "{\"id\":".getBytes(StandardCharsets.UTF_8));
        return new Tampered(file, original);
    }

    /** Changes a record for good. */
    static void rewrite(Path file, UnaryOperator<byte[]> change) throws IOException {
        replace(file, change.apply(Files.readAllBytes(file)));
    }

    private static void replace(Path file, byte[] content) throws IOException {
        Path beside = Files.createTempFile(file.getParent(), ".tampered", null);
        Files.write(beside, content);
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        replace(file, original);
    }
}
