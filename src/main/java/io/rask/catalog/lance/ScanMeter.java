package io.rask.catalog.lance;

import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.lance.ipc.ScanStats;

/** What the scans of one query cost, as the library counted it, and what came out of them. */
final class ScanMeter {
    private final Map<String, Long> counts = new TreeMap<>();
    private long scans;
    private long rows;
    private long batches;

    /** Notes the rows of a batch of some scan. */
    void batch(int length) {
        batches++;
        rows += length;
    }

    /** Notes a scan that has ended. */
    void scan(ScanStats stats) {
        scans++;
        add("bytes_read", stats.getBytesRead());
        add("iops", stats.getIops());
        add("requests", stats.getRequests());
        add("indices_loaded", stats.getIndicesLoaded());
        add("parts_loaded", stats.getPartsLoaded());
        add("index_comparisons", stats.getIndexComparisons());
        stats.getAllCounts().forEach(this::add);
    }

    private void add(String name, long value) {
        counts.merge(name.toLowerCase(Locale.ROOT), value, Long::sum);
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "metrics=[", "]");
        text.add("output_rows=" + rows).add("output_batches=" + batches).add("scans=" + scans);
        counts.forEach((name, value) -> text.add(name + "=" + value));
        return text.toString();
    }
}
