package io.rask.catalog.lance;

import io.rask.catalog.platform.CatalogProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.lance.JniLoader;
import org.lance.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * What all native calls of the process share: the loaded library, the Arrow memory and one session of caches with explicit sizes
 * (the library's defaults are 7 GiB a session).
 */
@Component
public final class NativeRuntime implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(NativeRuntime.class);
    private final BufferAllocator allocator;
    private final Session session;

    public NativeRuntime(CatalogProperties properties) {
        CatalogProperties.Limits limits = properties.limits();
        JniLoader.ensureLoaded();
        this.allocator = new RootAllocator();
        this.session = Session.create(
                limits.indexCache().toBytes(), limits.metadataCache().toBytes());
        unlinkUnpackedLibraries(Path.of("/proc/self/maps"));
    }

    /** The Arrow memory of the process; each stream takes a bounded child of it. */
    BufferAllocator allocator() {
        return allocator;
    }

    Session session() {
        return session;
    }

    /**
     * Removes the unpacked library files as soon as they are mapped: the mapping stays, and a process that is killed leaves no
     * file of 181 MB behind. Where the list of mappings is not to be had, the files go at a clean exit.
     */
    private static void unlinkUnpackedLibraries(Path maps) {
        if (!Files.isReadable(maps)) {
            return;
        }
        try {
            List<Path> unpacked = Files.readAllLines(maps).stream()
                    .filter(line -> line.contains("/liblance_jni") && line.endsWith(".so"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .distinct()
                    .toList();
            for (Path file : unpacked) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            log.warn("An unpacked native library could not be removed; a crash would leave it behind.", e);
        }
    }

    @Override
    public void destroy() {
        session.close();
        allocator.close();
    }
}
