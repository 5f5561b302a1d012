package io.rask.bench;

import io.rask.bench.Comparison.Side;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.lance.Dataset;

/** Point and vector queries on a table with indices. */
final class TableReads {
    private static final int NPROBES = 8;
    private static final int VECTORS = 256;

    private final Servers servers;
    private final Comparison comparison;
    private final Report report;
    private final float[][] vectors = new float[VECTORS][Roots.DIMENSIONS];
    private final String[] bodies = new String[VECTORS];

    TableReads(Servers servers, Comparison comparison, Report report) {
        this.servers = servers;
        this.comparison = comparison;
        this.report = report;
        Random random = new Random(7);
        for (int i = 0; i < VECTORS; i++) {
            StringBuilder text = new StringBuilder();
            for (int d = 0; d < Roots.DIMENSIONS; d++) {
                vectors[i][d] = (float) random.nextGaussian();
                text.append(d == 0 ? "" : ",").append(vectors[i][d]);
            }
            bodies[i] = """
                    {"k":10,"vector":{"single_vector":[%s]},"vector_column":"vector","nprobes":%d,\
                    "columns":{"column_names":["id","_distance"]}}""".formatted(text, NPROBES);
        }
    }

    void run(Place ours, Place theirs, Library library, String where) throws IOException {
        try (ServerProcess one = servers.ours(ours);
                ServerProcess other = servers.reference(theirs);
                Client first = new Client(one.url(), CatalogReads.CONNECTIONS);
                Client second = new Client(other.url(), CatalogReads.CONNECTIONS);
                Dataset warm = library.open(
                        Roots.location(first.post("/v1/table/" + Roots.id("points") + "/describe", "{}")))) {
            for (int connections : new int[] {1, CatalogReads.CONNECTIONS}) {
                String many = ", " + connections + " connections, " + where;
                Side ourPoint = new Side("ours", (thread, turn) -> point(first));
                report.rate(
                        "point query" + many,
                        comparison.of(connections, ourPoint, new Side("reference", (thread, turn) -> point(second))));
                report.rate(
                        "point query against the library in process" + many,
                        comparison.of(
                                connections,
                                ourPoint,
                                new Side("library", (thread, turn) -> Library.point(warm, anyId()))));
                Side ourVector = new Side("ours", (thread, turn) -> vector(first));
                report.rate(
                        "vector query" + many,
                        comparison.of(connections, ourVector, new Side("reference", (thread, turn) -> vector(second))));
                report.rate(
                        "vector query against the library in process" + many,
                        comparison.of(
                                connections,
                                ourVector,
                                new Side("library", (thread, turn) -> Library.nearest(warm, anyVector(), NPROBES))));
            }
            report.line("| resident MiB after queries, " + where + " | " + one.resident() + " | " + other.resident()
                    + " | | | |");
        }
    }

    private static int anyId() {
        return ThreadLocalRandom.current().nextInt(Roots.POINTS);
    }

    private float[] anyVector() {
        return vectors[ThreadLocalRandom.current().nextInt(VECTORS)];
    }

    private static void point(Client client) throws IOException {
        client.post("/v1/table/" + Roots.id("points") + "/query", """
                {"k":1,"vector":{"single_vector":[]},"filter":"id = %d","columns":{"column_names":["id","text"]}}""".formatted(anyId()));
    }

    private void vector(Client client) throws IOException {
        client.post(
                "/v1/table/" + Roots.id("points") + "/query",
                bodies[ThreadLocalRandom.current().nextInt(VECTORS)]);
    }
}
