package io.rask.bench;

import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Mixed load with crashes: {@code Soak PROJECT FOLDER MINUTES SEED s3|disk COMMIT [REPORT]}. Ends with 1 when anything was read that
 * the model does not allow, or answered that nothing explains.
 */
public final class Soak {
    private static final int CLIENTS = 6;
    private static final String WAREHOUSE = "lake-one";
    private static final String BUCKET = "soak";
    private static final String S3 = "s3://";
    private static final String FILE = "file://";

    private final double minutes;
    private final long seed;
    private final Place place;
    private final Servers servers;
    private final Ledger ledger = new Ledger();

    private Soak(double minutes, long seed, Place place, Servers servers) {
        this.minutes = minutes;
        this.seed = seed;
        this.place = place;
        this.servers = servers;
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]).toAbsolutePath();
        boolean onS3 = arguments[4].equals("s3");
        double minutes = Double.parseDouble(arguments[2]);
        long seed = Long.parseLong(arguments[3]);
        System.out.println("seed " + seed);
        Files.createDirectories(folder);
        Servers servers = new Servers(Path.of(arguments[0]), folder);
        List<String> report;
        boolean clean;
        try (ServerProcess store = onS3 ? servers.store(folder.resolve("store"), List.of(BUCKET)) : null) {
            Place place = store == null
                    ? Place.disk(Files.createDirectories(folder.resolve("root")))
                    : Place.bucket(folder.resolve("store"), BUCKET, store.url());
            Soak soak = new Soak(minutes, seed, place, servers);
            String command = "bench/soak --minutes " + arguments[2] + " --seed " + seed + (onS3 ? "" : " --disk");
            String where = onS3 ? "on the S3 server of the tests" : "in a folder";
            report = soak.run(new SoakReport.Run(arguments[5], seed, minutes, CLIENTS, where, command));
            clean = soak.ledger.failures().isEmpty();
        }
        report.forEach(System.out::println);
        if (arguments.length > 6) {
            Files.write(Path.of(arguments[6]), report);
        }
        System.exit(clean ? 0 : 1);
    }

    private List<String> run(SoakReport.Run run) throws IOException {
        Duration time = Duration.ofMillis((long) (minutes * 60_000));
        Random random = new Random(seed);
        try (Replicas replicas = new Replicas(servers, place)) {
            Path folders = prepare(Calls.toOne(replicas, ledger, 0));
            SharedTables shared = new SharedTables(ledger);
            shared.create(Calls.toOne(replicas, ledger, 0));
            Jobs jobs = new Jobs(ledger);
            List<SoakClient> clients = IntStream.range(0, CLIENTS)
                    .mapToObj(i -> new SoakClient(replicas, ledger, shared, jobs, home(i), random.nextLong(), time))
                    .toList();
            Crashes crashes = new Crashes(replicas, ledger, random, time);
            Memory memory = new Memory(replicas);
            soak(clients, crashes, memory);
            new LastLook(replicas, ledger, shared, jobs, clients).run(new LastLook.Warehouse(WAREHOUSE, folders));
            return SoakReport.lines(run, ledger, crashes.done(), memory.table());
        }
    }

    private static void soak(List<SoakClient> clients, Crashes crashes, Memory memory) throws IOException {
        Thread crashing = Thread.ofPlatform().daemon().name("crashes").start(crashes);
        Thread looking = Thread.ofPlatform().daemon().name("memory").start(memory);
        List<Thread> running = new ArrayList<>();
        clients.forEach(
                client -> running.add(Thread.ofPlatform().name(client.home()).start(client)));
        try {
            for (Thread thread : running) {
                thread.join();
            }
            memory.stop();
            looking.join();
            crashes.stop();
            crashing.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Makes the warehouse and the namespaces; returns the folder in which its datasets lie. */
    private Path prepare(Calls calls) {
        calls.require("prepare", "/v1/projects", "{\"id\":\"soak\"}");
        JsonNode warehouse = calls.require(
                        "prepare", "/v1/warehouses", "{\"id\":\"" + WAREHOUSE + "\",\"project\":\"soak\"}")
                .json();
        IntStream.range(0, CLIENTS).mapToObj(Soak::home).forEach(name -> bind(calls, name));
        bind(calls, SharedTables.NAMESPACE);
        String root = warehouse.path("root").asString();
        // The S3 server keeps each bucket in a folder beside the others.
        return root.startsWith(S3)
                ? place.folder().resolveSibling(root.substring(S3.length()))
                : Path.of(URI.create(root.startsWith(FILE) ? root : FILE + root));
    }

    private static void bind(Calls calls, String namespace) {
        calls.require(
                "prepare",
                "/v1/warehouses/" + RunningServer.id(WAREHOUSE) + "/namespaces",
                "{\"namespace\":\"" + namespace + "\"}");
    }

    private static String home(int client) {
        return "c" + client;
    }
}
