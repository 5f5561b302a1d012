package io.rask.catalog.job;

import tools.jackson.databind.node.ObjectNode;

/**
 * Something that workers can do. A kind is a bean; its runs are single-threaded, may be repeated after any crash, and never commit
 * anything without {@link JobRun#beforeCommit}, to a table not without {@link TableCommits}.
 *
 * @param <S> the record its spec is
 */
public abstract class JobKind<S extends Record> {
    private final String name;
    private final Class<S> specType;

    /** @param name the one in records and on the wire; never changed */
    protected JobKind(String name, Class<S> specType) {
        this.name = name;
        this.specType = specType;
    }

    /** The name in records and on the wire. */
    public final String name() {
        return name;
    }

    final Class<S> specType() {
        return specType;
    }

    /**
     * Does the job. An attempt that finds {@link JobRun#intended} first looks whether that was committed.
     *
     * @return the result, which clients see
     * @throws io.rask.catalog.problem.CatalogException the job fails with this text; codes 14, 17 and 21 are tried again
     * @throws JobInterrupted passed on from {@link JobRun}
     */
    public abstract ObjectNode run(S spec, JobRun run) throws Exception;
}
