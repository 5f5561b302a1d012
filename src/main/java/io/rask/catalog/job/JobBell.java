package io.rask.catalog.job;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** Tells those in this process who wait for work that there is some. */
@Component
public final class JobBell {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** @param listener called by whoever brings work; it must be quick */
    public void onRing(Runnable listener) {
        listeners.add(listener);
    }

    void ring() {
        listeners.forEach(Runnable::run);
    }
}
