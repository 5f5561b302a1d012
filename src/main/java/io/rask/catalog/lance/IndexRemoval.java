package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Transaction;
import org.lance.index.Index;
import org.lance.operation.CreateIndex;
import org.springframework.stereotype.Component;

/** Takes indices out of tables, each in one commit. Versions that had one keep it. */
@Component
public final class IndexRemoval {
    private static final int ATTEMPTS = 20;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;

    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final RowCommits commits;

    IndexRemoval(NativeCalls calls, DatasetHandles handles, RowCommits commits) {
        this.calls = calls;
        this.handles = handles;
        this.commits = commits;
    }

    /**
     * Removes an index from the latest version of a branch.
     *
     * @param branch null or {@code main} for the main branch
     * @return the transaction that did it; null when that is not known
     * @throws CatalogException code 6 when there is no index of the name, 22 for an unknown branch, 14 when other writers were faster
     *     each time, 17 when it cannot be told whether it happened
     */
    public @Nullable String remove(TableLocation location, @Nullable String branch, String name) {
        TableVersion target = TableVersion.ofBranch(branch);
        return calls.<Optional<String>>metadata(() -> {
                    for (int attempt = 1; ; attempt++) {
                        try {
                            return removed(location, target, name);
                        } catch (Exception e) {
                            CatalogException failure = NativeErrors.translate(e);
                            if (failure.code() != ErrorCode.CONCURRENT_MODIFICATION || attempt == ATTEMPTS) {
                                throw failure;
                            }
                        }
                        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
                    }
                })
                .orElse(null);
    }

    private Optional<String> removed(TableLocation location, TableVersion target, String name) throws Exception {
        Optional<DatasetLease> found = handles.find(location, target);
        if (found.isEmpty()) {
            IndexInspector.requireNothingElse(target);
        }
        if (found.isEmpty() || name.startsWith(TableIndices.SYSTEM)) {
            found.ifPresent(DatasetLease::close);
            throw IndexInspector.absent(name);
        }
        long version;
        try (DatasetLease lease = found.get()) {
            List<Index> segments = lease.dataset().getIndexes().stream()
                    .filter(index -> index.name().equals(name))
                    .toList();
            if (segments.isEmpty()) {
                throw IndexInspector.absent(name);
            }
            CreateIndex removal = CreateIndex.builder()
                    .withNewIndices(List.of())
                    .withRemovedIndices(segments)
                    .build();
            version = commits.commit(lease.dataset(), location, target, removal);
        }
        return transaction(location, new TableVersion(target.branch(), version));
    }

    private Optional<String> transaction(TableLocation location, TableVersion made) {
        try (DatasetLease lease = handles.open(location, made)) {
            Dataset table = lease.dataset();
            return table.readTransaction().map(transaction -> {
                try (Transaction read = transaction) {
                    return read.uuid();
                }
            });
        }
    }
}
