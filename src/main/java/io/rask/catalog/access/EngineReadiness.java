package io.rask.catalog.access;

import io.rask.catalog.platform.Background;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Asks the engine again and again while it does not answer, so that the server is whole again without a restart. */
final class EngineReadiness implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(EngineReadiness.class);

    private final PermissionEngine engine;
    private final Bootstrap bootstrap;
    private final Duration pause;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile @Nullable Thread thread;
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
        thread = Background.start("permission-engine-readiness", this::watch);
    }

    @Override
    public void stop() {
        stop.countDown();
        thread = null;
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }

    private void watch() throws InterruptedException {
        do {
            look();
        } while (!stop.await(pause.toMillis(), TimeUnit.MILLISECONDS));
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
