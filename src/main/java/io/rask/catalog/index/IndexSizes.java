package io.rask.catalog.index;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rask.catalog.lance.TableIndex;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.table.PlacedTable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** How large the files of indices are. Those of a part never change, so one that was measured is not measured again. */
@Component
final class IndexSizes {
    private static final int MOST_FILES = 100_000;

    private final StoreFiles files;
    private final Cache<String, Long> known =
            Caffeine.newBuilder().maximumSize(100_000).build();

    IndexSizes(StoreFiles files) {
        this.files = files;
    }

    /**
     * The bytes of all parts of an index; nothing when one lies where another table or branch has made it.
     *
     * @param branch null for the main branch
     */
    Optional<Long> bytes(PlacedTable table, @Nullable String branch, TableIndex index) {
        String place = table.relativeLocation() + (branch == null ? "" : "/tree/" + branch) + "/_indices/";
        long bytes = 0;
        for (TableIndex.Segment segment : index.segments()) {
            long size = segment.elsewhere() ? 0 : bytes(table, place + segment.uuid());
            if (size == 0) {
                return Optional.empty();
            }
            bytes += size;
        }
        return Optional.of(bytes);
    }

    private long bytes(PlacedTable table, String folder) {
        String key = table.home().root().resolve(folder);
        Long measured = known.getIfPresent(key);
        if (measured != null) {
            return measured;
        }
        List<StoreFiles.Found> found = files.files(table.home(), folder, MOST_FILES);
        long bytes = found.stream().mapToLong(StoreFiles.Found::size).sum();
        if (bytes > 0) {
            known.put(key, bytes);
        }
        return bytes;
    }
}
