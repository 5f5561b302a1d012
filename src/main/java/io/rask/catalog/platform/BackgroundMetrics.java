package io.rask.catalog.platform;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/** Tells operators of failures that no request shows. */
@Component
final class BackgroundMetrics implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("catalog.background.failures", Background.failures(), AtomicLong::get)
                .description("Work beside requests that failed as nobody expects, and was begun again")
                .register(registry);
    }
}
