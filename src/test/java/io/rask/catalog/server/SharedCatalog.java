package io.rask.catalog.server;

import io.rask.catalog.record.RecordKey;
import io.rask.catalog.testing.OncePerProcess;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The one server of all tests that need no server of their own: a start costs seconds. Tests keep apart by names; whatever a test
 * asks for here, nobody else has.
 */
final class SharedCatalog implements AutoCloseable {
    static final String RESERVED_BUCKET = "platform-reserved";

    private final AtomicInteger names = new AtomicInteger();
    private final Path folder;
    private final RunningServer server;
    private final Supplier<Home> sharedHome = SingletonSupplier.of(this::freshNamespace);

    private SharedCatalog() {
        try {
            folder = Files.createTempDirectory("shared-catalog");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server = RunningServer.on(folder, Map.of("lance.reserved-buckets", RESERVED_BUCKET));
    }

    RunningServer server() {
        return server;
    }

    /** A name that is legal everywhere and that no other caller gets. */
    String freshName(String kind) {
        return kind + "-" + names.incrementAndGet();
    }

    /** A project with nothing in it. */
    String freshProject() {
        String project = freshName("project");
        server.post("/v1/projects", "{\"id\":\"" + project + "\"}").ok();
        return project;
    }

    /** A warehouse in a project of its own. */
    String freshWarehouse() {
        String warehouse = freshName("lake");
        server.post("/v1/warehouses", "{\"id\":\"" + warehouse + "\",\"project\":\"" + freshProject() + "\"}")
                .ok();
        return warehouse;
    }

    /** A top-level namespace in a warehouse of its own. */
    Home freshNamespace() {
        String warehouse = freshWarehouse();
        String namespace = freshName("space");
        bind(warehouse, namespace);
        return new Home(warehouse, namespace);
    }

    /** A name for a table in a namespace that others use too; its address, without an operation. */
    String freshTable() {
        return sharedHome.get().table(freshName("table"));
    }

    void bind(String warehouse, String namespace) {
        server.post("/v1/warehouses/" + warehouse + "/namespaces", "{\"namespace\":\"" + namespace + "\"}")
                .ok();
    }

    /** A top-level namespace and the warehouse it is in. */
    record Home(String warehouse, String namespace) {
        /** The address of a table in it, without an operation. */
        String table(String name) {
            return "/v1/table/" + RunningServer.id(namespace, name);
        }
    }

    /** The folders of tables that a warehouse's root holds. */
    Set<String> tableFolders(String warehouse) {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> folders = Files.list(root(warehouse))) {
            folders.map(path -> path.getFileName().toString())
                    .filter(name -> !name.equals("__manifest"))
                    .forEach(found::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    Path root(String warehouse) {
        return folder.resolve("lance").resolve(warehouse);
    }

    /** The file that holds a record. */
    Path record(String key) {
        return folder.resolve("control").resolve(key);
    }

    /** The file that holds the binding of a top-level namespace. */
    Path bindingRecord(String namespace) {
        return record("_warehouses/bindings/" + RecordKey.hashed("namespace", namespace) + ".json");
    }

    @Override
    public void close() throws IOException {
        server.close();
        FileSystemUtils.deleteRecursively(folder);
    }

    /** Gives the catalog to the constructor of a test; it ends with the last test of the process. */
    static final class Provider extends OncePerProcess<SharedCatalog> {
        Provider() {
            super(SharedCatalog.class, SharedCatalog::new);
        }
    }
}
