package io.rask.catalog.job;

import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.Events;
import tools.jackson.databind.node.ObjectNode;

/** A kind of jobs that tells what its jobs did, however they end. */
public final class AnnouncingKind<S extends Record> extends JobKind<S> {
    private static final String BY = "worker";

    private final JobKind<S> kind;
    private final Events events;

    private AnnouncingKind(JobKind<S> kind, Events events) {
        super(kind.name(), kind.specType());
        this.kind = kind;
        this.events = events;
    }

    public static <S extends Record> JobKind<S> of(JobKind<S> kind, Events events) {
        return new AnnouncingKind<>(kind, events);
    }

    @Override
    public ObjectNode run(S spec, JobRun run) throws Exception {
        Announcements.open();
        try {
            return kind.run(spec, run);
        } finally {
            events.happened(Announcements.close(), BY, run.jobId());
        }
    }
}
