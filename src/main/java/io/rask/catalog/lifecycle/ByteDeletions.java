package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.storage.StorageProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Deletes the bytes of dropped tables behind the requests that dropped them. Before bytes go, every other dataset is looked at, so
 * what waits at the same time shares one look. What is not finished when the process ends is left to the records of the drops.
 */
@Component
final class ByteDeletions implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(ByteDeletions.class);
    private static final int LARGEST_BATCH = 1_000;
    private static final long STOP_SECONDS = 10;

    private final TableRemoval removal;
    private final ConcurrentLinkedQueue<Waiting> queue = new ConcurrentLinkedQueue<>();
    private final ExecutorService background = Executors.newSingleThreadExecutor(
            task -> Thread.ofPlatform().daemon().name("byte-deletion").unstarted(task));

    private record Waiting(StorageProfile home, List<ManifestEntry> tables, CompletableFuture<Boolean> settled) {}

    ByteDeletions(TableRemoval removal) {
        this.removal = removal;
    }

    /**
     * Has bytes deleted.
     *
     * @return true once nothing more is to be done about any of them, false when it could not be told and must be tried again
     */
    CompletableFuture<Boolean> delete(StorageProfile home, List<ManifestEntry> tables) {
        Waiting waiting = new Waiting(home, tables, new CompletableFuture<>());
        queue.add(waiting);
        try {
            background.execute(this::deleteNext);
        } catch (RejectedExecutionException e) {
            waiting.settled.complete(false);
        }
        return waiting.settled;
    }

    private void deleteNext() {
        Waiting first = queue.poll();
        if (first == null) {
            return; // went with those before it
        }
        List<Waiting> batch = new ArrayList<>(List.of(first));
        int tables = first.tables.size();
        for (Waiting next : queue) {
            if (tables < LARGEST_BATCH && next.home.equals(first.home) && queue.remove(next)) {
                batch.add(next);
                tables += next.tables.size();
            }
        }
        try {
            var refusals = removal.removeBytes(
                    first.home,
                    batch.stream().flatMap(member -> member.tables.stream()).toList());
            batch.forEach(member -> member.settled.complete(member.tables.stream()
                    .map(ManifestEntry::location)
                    .filter(Objects::nonNull)
                    .map(refusals::get)
                    .noneMatch(refused -> refused != null && refused.reason() == DeletionAnswer.Reason.UNKNOWN)));
        } catch (Throwable e) {
            // Errors too: somebody may wait for the answer, and what is not deleted here is left to the records of the
            // drops.
            batch.forEach(member -> member.settled.complete(false));
            log.warn("The bytes of dropped tables in {} could not be deleted.", first.home, e);
        }
    }

    @Override
    public void destroy() throws InterruptedException {
        background.shutdown();
        background.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    }
}
