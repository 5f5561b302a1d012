package io.rask.catalog.testing;

import io.rask.catalog.testing.FaultRule.S3Request;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Two servers over one store, of which one loses the store at a write, for good, as if it had died there. The other sees what is left.
 * There are the warehouses {@code lake-one} and {@code lake-two} with the namespaces {@code sales} and {@code stock}. Where a permission
 * engine is asked, the one server loses it together with the store, and {@value #ADMIN} made all that.
 */
public final class DyingCatalog implements AutoCloseable {
    /** The administrator of the installation, where there is one. */
    public static final String ADMIN = "root-admin";

    private static final Fault GONE = new Fault.Status(403, "AccessDenied");

    private final S3Server store = S3Catalog.newStore();
    private final S3Server door = store.door();
    private final @Nullable CountingProxy engineDoor;
    private final RunningServer server;
    private final RunningServer dying;

    /** Where the crash is: before a write reached the store, or after it was carried out and before the server learnt it. */
    public enum Moment {
        BEFORE,
        AFTER
    }

    /** @param more settings of both servers, which start no workers */
    public DyingCatalog(Map<String, String> more) {
        this(more, null);
    }

    /**
     * Servers that ask an engine who may do what, and believe {@link HeaderIdentification}.
     *
     * @param engine null for none
     */
    public DyingCatalog(Map<String, String> more, @Nullable OpenFga engine) {
        Map<String, String> settings = new HashMap<>(more);
        if (engine == null) {
            engineDoor = null;
            server = start(store, settings);
            dying = start(door, settings);
        } else {
            engineDoor = new CountingProxy(engine.uri());
            settings.putAll(engine.settings());
            settings.put("lance.fga.cache-ttl", "0s");
            settings.put("lance.bootstrap.administrator", ADMIN);
            settings.put("lance.fga.timeout-seconds", "30");
            server = start(store, settings, HeaderIdentification.class);
            settings.put("lance.fga.api-url", engineDoor.uri().toString());
            settings.put("lance.fga.timeout-seconds", "1");
            dying = start(door, settings, HeaderIdentification.class);
        }
        RunningServer admin = server.asking(HeaderIdentification.USER, ADMIN);
        admin.makeNamespace("acme", "lake-one", "sales");
        admin.makeNamespace("acme", "lake-two", "stock");
    }

    private static RunningServer start(S3Server way, Map<String, String> more, Class<?>... beans) {
        Map<String, String> settings = S3Catalog.settings(way, more);
        settings.put("lance.jobs.worker", "none");
        RunningServer started = RunningServer.with(settings, beans);
        started.awaitReady();
        return started;
    }

    /** The server that lives. */
    public RunningServer server() {
        return server;
    }

    public RunningServer dying() {
        return dying;
    }

    /** Lets the other server die at its next write but so many, of the store's and of the engine's; tells whether it has. */
    public AtomicBoolean crash(Moment moment, int step) {
        AtomicInteger writes = new AtomicInteger();
        AtomicBoolean crashed = crash(
                request -> request.isWrite() && writes.incrementAndGet() == step,
                moment == Moment.BEFORE ? GONE : new Fault.DropReply());
        if (engineDoor != null) {
            engineDoor.meddle(path -> {
                if (crashed.get()) {
                    return CountingProxy.Fate.REFUSE;
                }
                if (!CountingProxy.isWrite(path) || writes.incrementAndGet() != step) {
                    return CountingProxy.Fate.PASS;
                }
                crashed.set(true);
                return moment == Moment.BEFORE ? CountingProxy.Fate.REFUSE : CountingProxy.Fate.LOSE;
            });
        }
        return crashed;
    }

    /** Lets the engine fail the other server from its next write but so many on; tells whether it has. */
    public AtomicBoolean failEngine(Moment moment, int step) {
        AtomicInteger writes = new AtomicInteger();
        AtomicBoolean failed = new AtomicBoolean();
        Objects.requireNonNull(engineDoor).meddle(path -> {
            if (!CountingProxy.isWrite(path) || writes.incrementAndGet() < step) {
                return CountingProxy.Fate.PASS;
            }
            failed.set(true);
            return moment == Moment.BEFORE ? CountingProxy.Fate.REFUSE : CountingProxy.Fate.LOSE;
        });
        return failed;
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

    /** Gives the store and the engine back to the server that lost them. */
    public void heal() {
        door.heal();
        if (engineDoor != null) {
            engineDoor.heal();
        }
    }

    @Override
    public void close() {
        dying.close();
        server.close();
        if (engineDoor != null) {
            engineDoor.close();
        }
        door.close();
        store.close();
    }
}
