package io.rask.catalog.lance;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Tells operators what native code holds, which no tool for the Java heap shows. */
@Component
final class NativeMetrics implements MeterBinder {
    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final DatasetHandles handles;

    NativeMetrics(NativeRuntime runtime, NativeCalls calls, DatasetHandles handles) {
        this.runtime = runtime;
        this.calls = calls;
        this.handles = handles;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("lance.native.cache", runtime, any -> calls.metadata(any.session()::sizeBytes))
                .baseUnit("bytes")
                .description("Native memory of cached manifests, footers and indices")
                .register(registry);
        Gauge.builder("lance.native.arrow", runtime, any -> any.allocator().getAllocatedMemory())
                .baseUnit("bytes")
                .description("Native memory of Arrow data under way")
                .register(registry);
        Gauge.builder("lance.native.calls", calls, NativeCalls::running)
                .description("Native calls that have begun and not ended")
                .register(registry);
        Gauge.builder("lance.native.datasets", handles, DatasetHandles::open)
                .description("Versions of tables that are kept open")
                .register(registry);
    }
}
