package io.rask.bench;

import io.rask.catalog.testing.S3Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts the two servers over a place each. */
final class Servers {
    /** Taken whole at the start, so that what grows later is not the heap. */
    static final String SMALL_HEAP = "-Xms512m -Xmx512m -XX:+AlwaysPreTouch";

    /** The size of each of a replica's two native caches. */
    static final String SMALL_CACHE = "8MB";

    private final Path project;
    private final Path logs;

    Servers(Path project, Path logs) {
        this.project = project;
        this.logs = logs;
    }

    /** This server as it is shipped, over one root without warehouses, as the reference has it. */
    ServerProcess ours(Place place) throws IOException {
        int port = ServerProcess.freePort();
        Map<String, String> settings = new HashMap<>(place.settings());
        settings.put("SERVER_PORT", String.valueOf(port));
        settings.put("LANCE_REST_ROOT", place.address());
        settings.put("LANCE_WAREHOUSES_ENABLED", "false");
        return ServerProcess.start(
                "ours",
                logs.resolve("ours.log"),
                List.of(project.resolve("bin/catalog").toString(), "serve"),
                settings,
                port,
                "/readyz");
    }

    /** This server as it is shipped, on a port that stays its own over restarts, with warehouses, a small heap and small caches. */
    ServerProcess replica(String name, Place place, int port) throws IOException {
        Map<String, String> settings = new HashMap<>(place.settings());
        settings.put("SERVER_PORT", String.valueOf(port));
        settings.put("LANCE_REST_ROOT", place.address());
        settings.put("LANCE_STORAGE_ALLOWED_ROOTS", place.address());
        settings.put("LANCE_JOBS_DROP_GRACE", "20s");
        settings.put("JAVA_OPTS", SMALL_HEAP);
        // Full after a few minutes, so that what grows after that is no cache.
        settings.put("LANCE_LIMITS_INDEX_CACHE", SMALL_CACHE);
        settings.put("LANCE_LIMITS_METADATA_CACHE", SMALL_CACHE);
        return ServerProcess.start(
                name,
                logs.resolve(name + ".log"),
                List.of(project.resolve("bin/catalog").toString(), "serve"),
                settings,
                port,
                "/readyz");
    }

    ServerProcess reference(Place place) throws IOException {
        int port = ServerProcess.freePort();
        List<String> command = java(ReferenceServer.class, String.valueOf(port), place.address());
        command.addAll(place.storageOptions());
        return ServerProcess.start(
                "reference", logs.resolve("reference.log"), command, Map.of(), port, "/v1/namespace/%24/list");
    }

    /** The S3 server of the tests over a folder, with one bucket for each side. */
    ServerProcess store(Path folder, List<String> buckets) throws IOException {
        int port = ServerProcess.freePort();
        List<String> command = java(S3Server.class, String.valueOf(port), folder.toString());
        command.addAll(buckets);
        return ServerProcess.start("store", logs.resolve("store.log"), command, Map.of(), port, "/");
    }

    private static List<String> java(Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx1g",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
