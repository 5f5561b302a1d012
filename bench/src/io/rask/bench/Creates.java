package io.rask.bench;

import io.rask.bench.Comparison.Side;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** New tables by several writers at a time, and what the catalog itself grows to. */
final class Creates {
    private final Servers servers;
    private final Comparison comparison;
    private final Report report;
    private final AtomicInteger names = new AtomicInteger();

    Creates(Servers servers, Comparison comparison, Report report) {
        this.servers = servers;
        this.comparison = comparison;
        this.report = report;
    }

    void run(Place ours, Place theirs, byte[] rows, String where) throws IOException {
        try (ServerProcess one = servers.ours(ours);
                ServerProcess other = servers.reference(theirs);
                Client first = new Client(one.url(), 32);
                Client second = new Client(other.url(), 32)) {
            for (int writers : new int[] {1, 8, 32}) {
                report.rate(
                        "create a table of 10 rows, %d writers, %s".formatted(writers, where),
                        comparison.of(
                                writers,
                                new Side("ours", (thread, turn) -> create(first, rows)),
                                new Side("reference", (thread, turn) -> create(second, rows))));
            }
        }
    }

    /** Declares that many tables and reports the size of {@code __manifest}, while it grows and once it rests. */
    void manifest(Place place, boolean reference, int tables) throws IOException {
        try (ServerProcess server = reference ? servers.reference(place) : servers.ours(place);
                Client client = new Client(server.url(), 8);
                ExecutorService pool = Executors.newFixedThreadPool(8)) {
            client.post("/v1/namespace/" + Roots.NAMESPACE + "/create", "{}");
            long begin = System.nanoTime();
            List<? extends Future<?>> all = IntStream.range(0, tables)
                    .mapToObj(number -> pool.submit(
                            () -> client.post("/v1/table/" + Roots.id(Roots.table(number)) + "/declare", "{}")))
                    .toList();
            for (Future<?> one : all) {
                one.get();
            }
            report.line("| %s | %,d | %.1f | %.1f | %d |"
                    .formatted(
                            server.name(),
                            tables,
                            (System.nanoTime() - begin) / 1e9,
                            place.bytesOf("__manifest") / 1e6,
                            server.resident()));
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private void create(Client client, byte[] rows) throws IOException {
        client.arrow("/v1/table/" + Roots.id("new" + names.incrementAndGet()) + "/create", rows);
    }
}
