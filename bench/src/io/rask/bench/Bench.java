package io.rask.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Runs the comparisons that were asked for and prints the report. */
public final class Bench {
    private static final List<String> ALL =
            List.of("catalog", "queries", "create", "streams", "views", "manifest", "s3");

    private final Path folder;
    private final Servers servers;
    private final BufferAllocator allocator;
    private final Comparison comparison;
    private final Report report = new Report();
    private final Roots roots;

    private Bench(Path project, Path folder, BufferAllocator allocator, Comparison comparison) {
        this.folder = folder;
        this.servers = new Servers(project, folder);
        this.allocator = allocator;
        this.comparison = comparison;
        this.roots = new Roots(servers, allocator);
    }

    /** @param arguments the project, a working folder, seconds of a round, rounds, and which comparisons; none means all */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        Set<String> chosen = new TreeSet<>(Arrays.asList(arguments).subList(4, arguments.length));
        if (!Set.of("catalog", "queries", "create", "streams", "views", "manifest", "s3", "large")
                .containsAll(chosen)) {
            throw new IllegalArgumentException("Comparisons: " + String.join(" ", ALL) + " large; not " + chosen);
        }
        if (chosen.isEmpty()) {
            chosen.addAll(ALL);
        }
        try (BufferAllocator allocator = new RootAllocator()) {
            Comparison comparison =
                    new Comparison(Integer.parseInt(arguments[3]), Duration.ofSeconds(Long.parseLong(arguments[2])));
            Bench bench = new Bench(Path.of(arguments[0]), folder, allocator, comparison);
            bench.run(chosen);
            Files.writeString(folder.resolve("report.md"), bench.report.text());
        }
    }

    private void run(Set<String> chosen) throws IOException {
        if (chosen.contains("catalog")) {
            catalog(List.of(10, 1_000, 10_000));
        }
        if (chosen.contains("large")) {
            large();
        }
        if (chosen.contains("queries")) {
            queries(Place.disk(folder.resolve("points")), Place.disk(folder.resolve("points-copy")), "disk");
        }
        if (chosen.contains("create")) {
            creates(Place.disk(folder.resolve("create")), Place.disk(folder.resolve("create-copy")), "disk");
        }
        if (chosen.contains("streams")) {
            streams(Place.disk(folder.resolve("streams")), Place.disk(folder.resolve("streams-copy")), 1024, "disk");
        }
        if (chosen.contains("views")) {
            new Engines(allocator, comparison, report).run(fresh("views"));
        }
        if (chosen.contains("manifest")) {
            manifest();
        }
        if (chosen.contains("s3")) {
            s3();
        }
    }

    private void catalog(List<Integer> sizes) throws IOException {
        report.title("Catalog reads on disk, 8 connections");
        report.rates("reference");
        for (int size : sizes) {
            Place place = fresh("tables-" + size);
            roots.tables(place, size);
            reads(place, fresh("tables-" + size + "-copy"), size, "tables");
        }
    }

    private void large() throws IOException {
        report.title("A large catalog on disk, 8 connections");
        report.rates("reference");
        Place place = fresh("large");
        roots.declared(place, 100_000);
        reads(place, fresh("large-copy"), 100_000, "declared tables");
    }

    private void reads(Place place, Place copy, int size, String what) throws IOException {
        new CatalogReads(servers, comparison, report).run(place, place.copiedTo(copy), size, what);
        place.delete();
        copy.delete();
    }

    private void queries(Place place, Place copy, String where) throws IOException {
        report.title("Queries of %,d rows, %d dimensions, BTREE and IVF_PQ, %s"
                .formatted(Roots.POINTS, Roots.DIMENSIONS, where));
        report.rates("other side");
        place.delete();
        copy.delete();
        Files.createDirectories(place.folder());
        roots.points(place);
        new TableReads(servers, comparison, report)
                .run(place, place.copiedTo(copy), new Library(allocator, place), where);
        place.delete();
        copy.delete();
    }

    private void creates(Place place, Place copy, String where) throws IOException {
        report.title("New tables, " + where);
        report.rates("reference");
        place.delete();
        copy.delete();
        Files.createDirectories(place.folder());
        roots.tables(place, 10);
        new Creates(servers, comparison, report)
                .run(place, place.copiedTo(copy), ArrowBodies.points(allocator, 0, 10, 8), where);
        place.delete();
        copy.delete();
    }

    private void streams(Place ours, Place theirs, int mebibytes, String where) throws IOException {
        report.title("A large stream, " + where);
        report.line("| case | ours MB/s | library in process MB/s | ratio |");
        report.line("|---|---|---|---|");
        ours.delete();
        theirs.delete();
        Files.createDirectories(ours.folder());
        Files.createDirectories(theirs.folder());
        new Streams(servers, allocator, report).run(ours, theirs, mebibytes, where);
        ours.delete();
        theirs.delete();
    }

    private void manifest() throws IOException {
        report.title("The catalog's own table after many declares, 8 writers, disk");
        report.line("| server | tables | seconds | `__manifest` MB | resident MiB |");
        report.line("|---|---|---|---|---|");
        Creates creates = new Creates(servers, comparison, report);
        for (boolean reference : new boolean[] {false, true}) {
            Place place = fresh("manifest-" + reference);
            creates.manifest(place, reference, 5_000);
            place.delete();
        }
    }

    private void s3() throws IOException {
        Path objects = Files.createDirectories(folder.resolve("s3"));
        try (ServerProcess store = servers.store(objects, List.of("ours-bucket", "copy-bucket"))) {
            Place ours = Place.bucket(objects, "ours-bucket", store.url());
            Place copies = Place.bucket(objects, "copy-bucket", store.url());
            report.title("Catalog reads on S3, 8 connections");
            report.rates("reference");
            Place tables = ours.child("tables");
            roots.tables(tables, 1_000);
            reads(tables, copies.child("tables"), 1_000, "tables");
            queries(ours.child("points"), copies.child("points"), "S3");
            creates(ours.child("create"), copies.child("create"), "S3");
            streams(ours.child("streams"), copies.child("streams"), 256, "S3");
        }
    }

    private Place fresh(String name) throws IOException {
        Place place = Place.disk(folder.resolve(name));
        place.delete();
        Files.createDirectories(place.folder());
        return place;
    }
}
