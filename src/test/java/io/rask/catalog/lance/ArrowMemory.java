package io.rask.catalog.lance;

/** How much Arrow memory a running server holds, for tests that look for leaks. */
public final class ArrowMemory {
    private ArrowMemory() {}

    /** Bytes held now. */
    public static long held(NativeRuntime runtime) {
        return runtime.allocator().getAllocatedMemory();
    }

    /** The most bytes that were ever held at once. */
    public static long most(NativeRuntime runtime) {
        return runtime.allocator().getPeakMemoryAllocation();
    }
}
