package io.rask.catalog.testing;

import io.rask.catalog.door.DoorCall;
import io.rask.catalog.door.Guard;
import io.rask.catalog.door.Step;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Does something else once the next request has passed all questions of rights, and before it does anything itself. */
public final class Meanwhile implements Guard {
    private static final AtomicReference<@Nullable Runnable> NEXT = new AtomicReference<>();

    public static void behindTheNextDoor(Runnable what) {
        NEXT.set(what);
    }

    @Override
    public Step step() {
        return Step.CONFLICT;
    }

    @Override
    public void check(DoorCall call) {
        Runnable next = NEXT.getAndSet(null);
        if (next != null) {
            next.run();
        }
    }
}
