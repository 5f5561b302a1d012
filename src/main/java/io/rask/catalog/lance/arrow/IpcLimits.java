package io.rask.catalog.lance.arrow;

/**
 * Bounds on an Arrow stream.
 *
 * @param metadataBytes the largest metadata of one message
 * @param batchBytes the largest body of one message, as sent and again as decompressed
 */
public record IpcLimits(long metadataBytes, long batchBytes) {
    private static final long METADATA_BYTES = 16L << 20;

    /** The bounds for a given size of batch. */
    public static IpcLimits ofBatch(long batchBytes) {
        return new IpcLimits(METADATA_BYTES, Math.min(batchBytes, Integer.MAX_VALUE - 64L));
    }
}
