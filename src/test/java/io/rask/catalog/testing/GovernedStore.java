package io.rask.catalog.testing;

import java.util.HashMap;
import java.util.Map;

/** A store in memory and a store of facts, over which servers start that ask an engine every time and believe a header. */
public final class GovernedStore implements AutoCloseable {
    private final S3Server store = S3Catalog.newStore();
    private final Map<String, String> settings;

    /** @param more settings of all servers, which start no workers */
    public GovernedStore(OpenFga engine, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(engine.settings());
        all.put("lance.fga.cache-ttl", "0s");
        // A machine that does much else at the time is no outage.
        all.put("lance.fga.timeout-seconds", "30");
        all.put("lance.jobs.worker", "none");
        all.put("lance.jobs.poll", "100ms");
        all.putAll(more);
        settings = S3Catalog.settings(store, all);
    }

    /** One more server. */
    public RunningServer start() {
        RunningServer server = RunningServer.with(settings, HeaderIdentification.class);
        server.awaitReady();
        return server;
    }

    @Override
    public void close() {
        store.close();
    }
}
