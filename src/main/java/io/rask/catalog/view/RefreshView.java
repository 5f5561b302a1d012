package io.rask.catalog.view;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.CommitRounds;
import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobRun;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.job.TableCommits;
import io.rask.catalog.lance.SchemaDialect;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lance.ViewVersions;
import io.rask.catalog.lance.ViewWriter;
import io.rask.catalog.lance.WriteResult;
import io.rask.catalog.lance.sql.SelectQuery;
import io.rask.catalog.lance.sql.SqlEngine;
import io.rask.catalog.lifecycle.KnownTables;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.table.PlacedTable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings a view up to date. Where the query is a projection and a filter over one table which has only got more rows, those alone are
 * read and added; else all rows are replaced, in one commit. What the view says of itself names the job, so an attempt that follows
 * another knows whether that was done; an addition that the view does not speak of yet is replaced.
 */
@Component
public final class RefreshView extends JobKind<RefreshView.Spec> {
    static final String NAME = "refresh_materialized_view";
    private static final int ROUNDS = 3;

    private final SqlEngine engine;
    private final ViewWriter writer;
    private final ViewVersions versions;
    private final ViewSources sources;
    private final ViewRecords records;
    private final KnownTables tables;
    private final TableCommits commits;
    private final Clock clock;
    private final ViewRights rights;

    RefreshView(
            SqlEngine engine,
            ViewWriter writer,
            ViewVersions versions,
            ViewSources sources,
            ViewRecords records,
            KnownTables tables,
            TableCommits commits,
            Clock clock,
            ViewRights rights) {
        super(NAME, Spec.class);
        this.rights = rights;
        this.engine = engine;
        this.writer = writer;
        this.versions = versions;
        this.sources = sources;
        this.records = records;
        this.tables = tables;
        this.commits = commits;
        this.clock = clock;
    }

    /**
     * Which view.
     *
     * @param view the segments of its id
     * @param location where its table lived when the refresh was asked for: another may get its id
     * @param sourceVersion which version of the only source to read; null for the latest
     * @param fragmentRows how many rows one file may have; null for the library's own choice
     */
    public record Spec(
            List<String> view,
            String location,
            @Nullable Long sourceVersion,
            @Nullable Long fragmentRows) {}

    /** The refresh of a view as a job. */
    static JobSpec job(PlacedTable view, @Nullable Long sourceVersion, @Nullable Long fragmentRows) {
        Spec spec = new Spec(view.id().segments(), view.relativeLocation(), sourceVersion, fragmentRows);
        return new JobSpec(NAME, view.id().stored(), null, spec, Duration.ZERO);
    }

    @Override
    public ObjectNode run(Spec spec, JobRun run) {
        ObjectId id = new ObjectId(spec.view());
        TableLocation view = tables.require(id, spec.location());
        return CommitRounds.of(run, ROUNDS, intent -> committed(id, view, run), () -> refreshed(id, view, spec, run));
    }

    /** The view itself says which job refreshed it last. */
    private Optional<ObjectNode> committed(ObjectId id, TableLocation view, JobRun run) {
        run.phase("looking at the view");
        return Optional.ofNullable(
                        records.require(id, view, SchemaDialect.NAMESPACE).refresh())
                .filter(last -> last.jobId().equals(run.jobId()))
                .map(last -> ViewResult.of(last, last.rowsVersion()));
    }

    private ObjectNode refreshed(ObjectId id, TableLocation view, Spec spec, JobRun run) {
        ViewRecords.Found found = records.require(id, view, SchemaDialect.NAMESPACE);
        ViewRefresh before = found.refresh();
        rights.require(
                ViewMaker.reader(found.definition().maker(), run.askedBy()),
                found.definition().ids(),
                run.jobId());
        SelectQuery query = engine.parse(found.definition().query());
        List<ViewSources.Source> read = at(sources.latest(found.definition().ids()), spec.sourceVersion());
        List<ViewRefresh.Read> reads = ViewWork.reads(read);
        boolean known = before != null && versions.unchanged(view, before.rowsVersion());
        if (before != null && known && before.sources().equals(reads)) {
            run.tell("unchanged", 0L, "The view holds the answer over these versions of its sources already.");
            return ViewResult.unchanged(before);
        }
        ObjectNode intent = JsonNodeFactory.instance.objectNode();
        intent.put("view_version", found.facts().version());
        ViewWriter.Work work = ViewWork.whole(
                query, read, spec.fragmentRows(), run::checkpoint, () -> commits.before(run, view, intent));
        Optional<List<Integer>> added = before != null && known ? added(query, before, read) : Optional.empty();
        return added.isPresent() && before != null
                ? append(view, before, ViewWork.part(work, added.get()), reads, run)
                : replace(view, found.facts().version(), work, reads, run);
    }

    /** What was added to the only source, if that is all that happened to it and the query takes it row by row. */
    private Optional<List<Integer>> added(SelectQuery query, ViewRefresh before, List<ViewSources.Source> read) {
        ViewSources.Source source = read.getFirst();
        ViewRefresh.Read last = before.sources().getFirst();
        if (!query.rowWise()
                || !source.table().relativeLocation().equals(last.location())
                || source.version() < last.version()) {
            return Optional.empty();
        }
        return versions.added(source.table().location(), last.version(), source.version());
    }

    private ObjectNode append(
            TableLocation view, ViewRefresh before, ViewWriter.Work work, List<ViewRefresh.Read> reads, JobRun run) {
        run.tell("incremental", null, "Only rows were added to the source; they alone are read.");
        run.phase("adding rows to the view");
        Done done = new Done(ViewRefresh.INCREMENTAL, reads, run);
        WriteResult written = writer.append(view, before.rowsVersion(), work, done::says);
        return done.result(written);
    }

    private ObjectNode replace(
            TableLocation view, long base, ViewWriter.Work work, List<ViewRefresh.Read> reads, JobRun run) {
        run.tell("full", null, "All rows of the view are made anew.");
        run.phase("replacing the rows of the view");
        Done done = new Done(ViewRefresh.FULL, reads, run);
        WriteResult written = writer.replace(view, base, work, done::says);
        return done.result(written);
    }

    /** What a refresh says of itself, in the view and in the job. */
    private final class Done {
        private final String mode;
        private final List<ViewRefresh.Read> reads;
        private final JobRun run;

        Done(String mode, List<ViewRefresh.Read> reads, JobRun run) {
            this.mode = mode;
            this.reads = reads;
            this.run = run;
        }

        private ViewRefresh refresh(long rowsVersion, long rows) {
            return new ViewRefresh(run.jobId(), mode, rowsVersion, rows, clock.millis(), reads);
        }

        java.util.Map<String, String> says(long rowsVersion, long rows) {
            return ViewRecords.metadata(refresh(rowsVersion, rows));
        }

        ObjectNode result(WriteResult written) {
            run.tell("rows_written", written.rows(), "The rows are part of the view.");
            return ViewResult.of(refresh(written.version(), written.rows()), written.version());
        }
    }

    private static List<ViewSources.Source> at(List<ViewSources.Source> latest, @Nullable Long version) {
        if (version == null) {
            return latest;
        }
        if (latest.size() > 1) {
            throw CatalogException.invalid(
                    "The view has several sources, so a version of one of them is not enough; leave src_version out.",
                    List.of(new FieldViolation("src_version", "must be absent")));
        }
        return List.of(new ViewSources.Source(latest.getFirst().table(), version));
    }
}
