package io.rask.bench;

import io.rask.bench.Comparison.Side;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;

/** Describe, exists and list, over catalogs of different sizes. */
final class CatalogReads {
    static final int CONNECTIONS = 8;
    private static final int PAGE = 100;

    private final Servers servers;
    private final Comparison comparison;
    private final Report report;

    CatalogReads(Servers servers, Comparison comparison, Report report) {
        this.servers = servers;
        this.comparison = comparison;
        this.report = report;
    }

    /** @param what what the tables are, for the report */
    void run(Place ours, Place theirs, int tables, String what) throws IOException {
        try (ServerProcess one = servers.ours(ours);
                ServerProcess other = servers.reference(theirs);
                Client first = new Client(one.url(), CONNECTIONS);
                Client second = new Client(other.url(), CONNECTIONS)) {
            String size = "%,d %s".formatted(tables, what);
            // What all three have in common is compiled before the first of them is measured.
            both(first, second, client -> describe(client, tables));
            report.rate("describe, " + size, both(first, second, client -> describe(client, tables)));
            report.rate("exists, " + size, both(first, second, client -> exists(client, tables)));
            report.rate("list a page of 100, " + size, both(first, second, CatalogReads::list));
            report.line("| resident MiB, " + size + " | " + one.resident() + " | " + other.resident() + " | | | |");
        }
    }

    private interface Call {
        void on(Client client) throws IOException;
    }

    private Comparison.Outcome both(Client first, Client second, Call call) throws IOException {
        return comparison.of(
                CONNECTIONS,
                new Side("ours", (thread, turn) -> call.on(first)),
                new Side("reference", (thread, turn) -> call.on(second)));
    }

    private static String any(int tables) {
        return Roots.id(Roots.table(ThreadLocalRandom.current().nextInt(tables)));
    }

    private static void describe(Client client, int tables) throws IOException {
        client.post("/v1/table/" + any(tables) + "/describe", "{}");
    }

    private static void exists(Client client, int tables) throws IOException {
        client.post("/v1/table/" + any(tables) + "/exists", "{}");
    }

    private static void list(Client client) throws IOException {
        client.get("/v1/namespace/" + Roots.NAMESPACE + "/table/list?limit=" + PAGE);
    }
}
