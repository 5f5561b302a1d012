package io.rask.catalog.job;

import io.rask.catalog.access.OnBehalf;
import io.rask.catalog.access.Principal;
import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.Cause;
import io.rask.catalog.event.Events;
import tools.jackson.databind.node.ObjectNode;

/** A kind of jobs that tells what its jobs did, however they end. */
public final class AnnouncingKind<S extends Record> extends JobKind<S> {
    /** What is told where nobody asked for the job. */
    private static final String NOBODY = "worker";

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
        OnBehalf.enter(run.askedBy().orElse(null));
        try {
            return kind.run(spec, run);
        } finally {
            OnBehalf.leave();
            String by = run.askedBy().map(Principal::subject).orElse(NOBODY);
            events.happened(Announcements.close(), new Cause(by, run.jobId(), run.worker()));
        }
    }
}
