package io.rask.catalog.access;

import io.rask.catalog.platform.BackgroundThread;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Asks the engine again and again while it does not answer, so that the server is whole again without a restart. */
final class EngineReadiness implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(EngineReadiness.class);

    private final PermissionEngine engine;
    private final Bootstrap bootstrap;
    private final Duration pause;
    private final BackgroundThread thread = new BackgroundThread();
    private volatile boolean begun;

    EngineReadiness(PermissionEngine engine, Bootstrap bootstrap, Duration pause) {
        this.engine = engine;
        this.bootstrap = bootstrap;
        this.pause = pause;
    }

    /** What stands against serving; empty when nothing does. */
    Optional<String> trouble() {
        return begun
                ? Optional.ofNullable(engine.trouble())
                : Optional.of("The permission engine has not answered since the start.");
    }

    @Override
    public void start() {
        thread.start("permission-engine-readiness", this::watch);
    }

    @Override
    public void stop() {
        // A question under way ends by itself, and nothing is lost with it.
        thread.stop(Duration.ZERO);
    }

    @Override
    public boolean isRunning() {
        return thread.isRunning();
    }

    private void watch() throws InterruptedException {
        do {
            look();
        } while (!thread.awaitStop(pause));
    }

    private void look() {
        if (begun && engine.trouble() == null) {
            return;
        }
        try {
            engine.call((api, store, model) -> api.readAuthorizationModel(store, model));
            if (!begun) {
                bootstrap.begin();
                begun = true;
                LOG.info("The permission engine answers.");
            }
        } catch (RuntimeException e) {
            LOG.warn("The permission engine is not ready: {}", engine.trouble(), e);
        }
    }
}
