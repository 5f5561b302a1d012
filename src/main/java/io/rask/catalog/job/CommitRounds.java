package io.rask.catalog.job;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Work on a table that ends in one commit. What an earlier attempt has committed is not done again, and what another writer overtook
 * is done anew, a few times.
 */
public final class CommitRounds {
    private static final int ROUNDS = 5;

    private CommitRounds() {}

    /** Looks whether the work is done. */
    public interface Look {
        /**
         * The result, if the commit has happened.
         *
         * @param intent what an attempt wrote down before its commit; empty when none did
         */
        Optional<ObjectNode> committed(Optional<ObjectNode> intent);
    }

    /** Does the work and commits it. */
    public interface Work {
        /** The result; code 14 when another writer was first. */
        ObjectNode done();
    }

    /**
     * Does the work once.
     *
     * @throws CatalogException what the work throws; code 14 when other writers were first each time
     */
    public static ObjectNode of(JobRun run, Look look, Work work) {
        return of(run, ROUNDS, look, work);
    }

    /** As {@link #of(JobRun, Look, Work)}, for work of which little is lost when it is overtaken. */
    public static ObjectNode of(JobRun run, int rounds, Look look, Work work) {
        for (int round = 1; ; round++) {
            Optional<ObjectNode> there = look.committed(run.intended());
            if (there.isPresent()) {
                run.tell("progress", null, "An earlier attempt has committed.");
                return there.get();
            }
            try {
                return work.done();
            } catch (CatalogException e) {
                if (e.code() != ErrorCode.CONCURRENT_MODIFICATION || round == rounds) {
                    throw e;
                }
                run.tell("conflict", null, "Another writer changed the table; beginning anew.");
            }
        }
    }
}
