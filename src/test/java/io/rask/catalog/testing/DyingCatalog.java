package io.rask.catalog.testing;

import io.rask.catalog.testing.FaultRule.S3Request;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Two servers over one store, of which one loses the store at a write, for good, as if it had died there. The other sees what is left.
 * There are the warehouses {@code lake-one} and {@code lake-two} with the namespaces {@code sales} and {@code stock}.
 */
public final class DyingCatalog implements AutoCloseable {
    private static final Fault GONE = new Fault.Status(403, "AccessDenied");

    private final S3Server store = S3Catalog.newStore();
    private final S3Server door = store.door();
    private final RunningServer server;
    private final RunningServer dying;

    /** Where the crash is: before a write reached the store, or after it was carried out and before the server learnt it. */
    public enum Moment {
        BEFORE,
        AFTER
    }

    /** @param more settings of both servers, which start no workers */
    public DyingCatalog(Map<String, String> more) {
        server = start(store, more);
        dying = start(door, more);
        server.makeNamespace("acme", "lake-one", "sales");
        server.makeNamespace("acme", "lake-two", "stock");
    }

    private static RunningServer start(S3Server way, Map<String, String> more) {
        Map<String, String> settings = S3Catalog.settings(way, more);
        settings.put("lance.jobs.worker", "none");
        return RunningServer.with(settings);
    }

    /** The server that lives. */
    public RunningServer server() {
        return server;
    }

    public RunningServer dying() {
        return dying;
    }

    /** Lets the other server die at its next write but so many; tells whether it has. */
    public AtomicBoolean crash(Moment moment, int step) {
        AtomicInteger writes = new AtomicInteger();
        return crash(
                request -> request.isWrite() && writes.incrementAndGet() == step,
                moment == Moment.BEFORE ? GONE : new Fault.DropReply());
    }

    /** Lets the other server die at a request, to which this is done. */
    public AtomicBoolean crash(Predicate<S3Request> last, Fault fault) {
        AtomicBoolean crashed = new AtomicBoolean();
        door.always(request -> crashed.get(), GONE);
        door.always(
                request -> {
                    if (crashed.get() || !last.test(request)) {
                        return false;
                    }
                    crashed.set(true);
                    return true;
                },
                fault);
        return crashed;
    }

    /** Gives the store back to the server that lost it. */
    public void heal() {
        door.heal();
    }

    @Override
    public void close() {
        dying.close();
        server.close();
        door.close();
        store.close();
    }
}
