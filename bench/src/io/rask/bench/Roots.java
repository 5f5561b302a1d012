package io.rask.bench;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.index.DistanceType;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.ScalarIndexParams;
import org.lance.index.vector.VectorIndexParams;
import tools.jackson.databind.json.JsonMapper;

/** Makes the roots that both sides get a copy of, through this server. */
final class Roots {
    static final String NAMESPACE = "bench";
    static final int POINTS = 100_000;
    static final int DIMENSIONS = 128;

    private final Servers servers;
    private final BufferAllocator allocator;

    Roots(Servers servers, BufferAllocator allocator) {
        this.servers = servers;
        this.allocator = allocator;
    }

    static String id(String table) {
        return NAMESPACE + "%24" + table;
    }

    static String table(int number) {
        return "t%06d".formatted(number);
    }

    /** A root of that many tables of ten rows each. */
    void tables(Place place, int count) throws IOException {
        byte[] rows = ArrowBodies.points(allocator, 0, 10, 8);
        fill(place, count, (client, number) -> client.arrow("/v1/table/" + id(table(number)) + "/create", rows));
    }

    /** A root of that many names without data. */
    void declared(Place place, int count) throws IOException {
        fill(place, count, (client, number) -> client.post("/v1/table/" + id(table(number)) + "/declare", "{}"));
    }

    /** A root of one table of {@value #POINTS} rows, with a BTREE over {@code id} and an IVF_PQ over {@code vector}. */
    void points(Place place) throws IOException {
        byte[] rows = ArrowBodies.points(allocator, 0, POINTS, DIMENSIONS);
        fill(place, 1, (client, number) -> {
            String table = "/v1/table/" + id("points");
            client.arrow(table + "/create", rows);
            index(place, location(client.post(table + "/describe", "{}")));
        });
    }

    static String location(byte[] description) {
        return JsonMapper.shared().readTree(description).path("location").asString();
    }

    static Map<String, String> options(Place place) {
        Map<String, String> options = new java.util.HashMap<>();
        for (String option : place.storageOptions()) {
            String[] parts = option.split("=", 2);
            options.put(parts[0], parts[1]);
        }
        return options;
    }

    private void index(Place place, String location) {
        ReadOptions read =
                new ReadOptions.Builder().setStorageOptions(options(place)).build();
        try (Dataset dataset = Dataset.open()
                .allocator(allocator)
                .uri(location)
                .readOptions(read)
                .build()) {
            dataset.createIndex(IndexOptions.builder(
                            List.of("id"),
                            IndexType.BTREE,
                            IndexParams.builder()
                                    .setScalarIndexParams(ScalarIndexParams.create("btree"))
                                    .build())
                    .build());
            dataset.createIndex(IndexOptions.builder(
                            List.of("vector"),
                            IndexType.IVF_PQ,
                            IndexParams.builder()
                                    .setVectorIndexParams(VectorIndexParams.ivfPq(64, 8, 16, DistanceType.L2, 20))
                                    .build())
                    .build());
        }
    }

    private interface Maker {
        void make(Client client, int number) throws IOException;
    }

    private void fill(Place place, int count, Maker maker) throws IOException {
        int threads = Math.min(count, 16);
        try (ServerProcess server = servers.ours(place);
                Client client = new Client(server.url(), threads);
                ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            client.post("/v1/namespace/" + NAMESPACE + "/create", "{}");
            List<? extends Future<?>> made = IntStream.range(0, count)
                    .mapToObj(number -> pool.submit(() -> {
                        maker.make(client, number);
                        return Optional.empty();
                    }))
                    .toList();
            for (Future<?> one : made) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
