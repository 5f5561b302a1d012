package io.rask.catalog.job;

import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lance.UnfinishedChanges;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ObjectNode;

/**
 * The last step of a job before it changes a table. Requests bring open changes of several tables to their end at the door; a job was
 * let in long before, so it does that here. Else its change would stand on a version that may be taken back, and could keep it from
 * being taken back.
 */
@Component
public final class TableCommits {
    private final ObjectProvider<UnfinishedChanges> unfinished;

    TableCommits(ObjectProvider<UnfinishedChanges> unfinished) {
        this.unfinished = unfinished;
    }

    /**
     * As {@link JobRun#beforeCommit}, once nothing is open on the table at a place.
     *
     * @throws io.rask.catalog.problem.CatalogException code 14 when others are at it for too long, code 17 when the store does not
     *     answer
     * @throws JobInterrupted when the job is no longer this worker's; nothing may be committed then
     */
    public void before(JobRun run, TableLocation location, ObjectNode intent) {
        unfinished.ifAvailable(open -> open.settle(location));
        run.beforeCommit(intent);
    }

    /**
     * As {@link #before(JobRun, TableLocation, ObjectNode)}, for whatever table has a name.
     *
     * @param id the stored id
     */
    public void before(JobRun run, String id, ObjectNode intent) {
        unfinished.ifAvailable(open -> open.settle(id));
        run.beforeCommit(intent);
    }
}
