package io.rask.catalog.data;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.TableInspector;
import io.rask.catalog.lance.TableStats;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.StatsResponse;
import io.rask.catalog.wire.StatsResponse.FragmentStats;
import io.rask.catalog.wire.StatsResponse.Lengths;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Tells how large tables are. */
@Component
final class Statistics {
    private static final long SMALL_FRAGMENT_ROWS = 100_000;

    private final Tables tables;
    private final TableInspector inspector;

    Statistics(Tables tables, TableInspector inspector) {
        this.tables = tables;
        this.inspector = inspector;
    }

    StatsResponse of(ObjectId id, @Nullable String branch) {
        TableStats stats = inspector.stats(tables.require(id).location(), TableVersion.ofBranch(branch));
        List<Long> lengths = stats.fragments();
        long small = lengths.stream().filter(rows -> rows < SMALL_FRAGMENT_ROWS).count();
        return new StatsResponse(
                stats.bytes(),
                stats.rows(),
                stats.indices(),
                new FragmentStats(lengths.size(), small, lengths(lengths, stats.rows())));
    }

    private static Lengths lengths(List<Long> sorted, long rows) {
        if (sorted.isEmpty()) {
            return new Lengths(0, 0, 0, 0, 0, 0, 0);
        }
        return new Lengths(
                sorted.getFirst(),
                sorted.getLast(),
                rows / sorted.size(),
                percentile(sorted, 25),
                percentile(sorted, 50),
                percentile(sorted, 75),
                percentile(sorted, 99));
    }

    /** The smallest length that at least so many percent do not exceed. */
    private static long percentile(List<Long> sorted, int percent) {
        return sorted.get((int) Math.ceilDiv((long) sorted.size() * percent, 100L) - 1);
    }
}
