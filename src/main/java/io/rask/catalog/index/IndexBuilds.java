package io.rask.catalog.index;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobFailure;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.job.JobState;
import io.rask.catalog.lance.NewIndex;
import io.rask.catalog.lance.TableIndexer;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.CreateIndexRequest;
import io.rask.catalog.wire.CreateIndexResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Has indices made by workers. What can be told to be wrong before is refused before. */
@Component
final class IndexBuilds {
    private final Tables tables;
    private final TableIndexer indexer;
    private final JobRegistry jobs;
    private final Duration wait;

    IndexBuilds(Tables tables, TableIndexer indexer, JobRegistry jobs, CatalogProperties properties) {
        this.tables = tables;
        this.indexer = indexer;
        this.jobs = jobs;
        this.wait = properties.jobs().inlineWait();
    }

    /**
     * Has an index made.
     *
     * @return what is known after a short wait
     * @throws CatalogException as {@link TableIndexer#planned}, code 4 without the table, and what made the job fail within the wait
     */
    CreateIndexResponse create(ObjectId id, @Nullable String branch, CreateIndexRequest body) {
        return create(id, branch, IndexRequests.any(body));
    }

    /** As {@link #create}; code 13 also for an index of vectors. */
    CreateIndexResponse createScalar(ObjectId id, @Nullable String branch, CreateIndexRequest body) {
        return create(id, branch, IndexRequests.scalar(body));
    }

    private CreateIndexResponse create(ObjectId id, @Nullable String branch, NewIndex asked) {
        PlacedTable table = tables.require(id);
        NewIndex index = indexer.planned(table.location(), branch, asked);
        BuildIndex.Spec spec = new BuildIndex.Spec(id.segments(), table.relativeLocation(), branch, index, null);
        Job job = jobs.await(jobs.submit(new JobSpec(BuildIndex.NAME, id.stored(), null, spec, Duration.ZERO)), wait);
        JobFailure failure = job.failure();
        if (job.state() == JobState.FAILED && failure != null) {
            throw CatalogException.of(
                    failure.code() == null ? ErrorCode.INTERNAL : ErrorCode.ofNumber(failure.code()),
                    failure.message());
        }
        return new CreateIndexResponse(transaction(job), job.id());
    }

    private static @Nullable String transaction(Job job) {
        JsonNode result = job.result();
        return result == null
                ? null
                : result.path(BuildIndex.TRANSACTION).asStringOpt().orElse(null);
    }
}
