package io.rask.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;

/** Ingest and scan of a large table, against the library in this process (the reference refuses bodies over 2 MiB). */
final class Streams {
    private static final int ROWS = 16_384;
    private static final int DIMENSIONS = 256;
    private static final int ROUNDS = 5;

    private final Servers servers;
    private final BufferAllocator allocator;
    private final Report report;

    Streams(Servers servers, BufferAllocator allocator, Report report) {
        this.servers = servers;
        this.allocator = allocator;
        this.report = report;
    }

    void run(Place ours, Place theirs, int mebibytes, String where) throws IOException {
        ArrowBodies.Body body =
                ArrowBodies.repeated(allocator, 0, ROWS, DIMENSIONS, Math.max(1, mebibytes / (ROWS / 1024)));
        Library library = new Library(allocator, theirs);
        List<Double> ingest = new ArrayList<>();
        List<Double> write = new ArrayList<>();
        List<Double> scan = new ArrayList<>();
        List<Double> read = new ArrayList<>();
        try (ServerProcess server = servers.ours(ours);
                Client client = new Client(server.url(), 2)) {
            client.post("/v1/namespace/" + Roots.NAMESPACE + "/create", "{}");
            long peak = 0;
            for (int round = 0; round <= ROUNDS; round++) {
                String table = "/v1/table/" + Roots.id("stream" + round);
                String copy = theirs.address() + "/stream" + round + ".lance";
                server.forgetPeak();
                double one = seconds(() -> client.arrow(table + "/create", body));
                double two = seconds(() -> library.write(copy, body));
                double three = seconds(
                        () -> client.drain(table + "/query", "{\"k\":2147483647,\"vector\":{\"single_vector\":[]}}"));
                double four = seconds(() -> {
                    try (Dataset dataset = library.open(copy)) {
                        Library.everything(dataset);
                    }
                });
                peak = Math.max(peak, server.peak());
                if (round > 0) {
                    ingest.add(one);
                    write.add(two);
                    scan.add(three);
                    read.add(four);
                }
                client.post(table + "/drop", "{}");
                theirs.child("stream" + round + ".lance").delete();
            }
            double size = body.length() / 1e6;
            line("ingest " + where, size, ingest, write);
            line("scan " + where, size, scan, read);
            report.line("| peak resident MiB of the server, " + where + " | " + peak + " | | |");
        }
    }

    private void line(String name, double megabytes, List<Double> ours, List<Double> library) {
        double one = median(ours);
        double other = median(library);
        report.line(String.format(
                Locale.ROOT,
                "| %s, %,.0f MB | %,.0f | %,.0f | **%.2f** |",
                name,
                megabytes,
                megabytes / one,
                megabytes / other,
                other / one));
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private interface Task {
        void run() throws IOException;
    }

    private static double seconds(Task task) throws IOException {
        long begin = System.nanoTime();
        task.run();
        return (System.nanoTime() - begin) / 1e9;
    }
}
