package io.rask.catalog.view;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.access.Principal;
import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobRun;
import io.rask.catalog.job.TableCommits;
import io.rask.catalog.lance.SchemaDialect;
import io.rask.catalog.lance.TableFiles;
import io.rask.catalog.lance.ViewWriter;
import io.rask.catalog.lance.sql.SelectQuery;
import io.rask.catalog.lance.sql.SqlEngine;
import io.rask.catalog.lifecycle.TableRemoval;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.table.MarkedProperties;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.RowSteps;
import io.rask.catalog.table.Tables;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a view: first its table, at a place that was written down before and that nobody else uses, then the row that gives it a name.
 * An attempt that follows another goes on at the same place.
 */
@Component
public final class CreateView extends JobKind<CreateView.Spec> {
    static final String NAME = "create_materialized_view";
    private static final String LOCATION = "location";
    /** Whether the maker was made its owner. */
    private static final String OWNED = "owned";

    private final SqlEngine engine;
    private final ViewWriter writer;
    private final ViewSources sources;
    private final ViewRecords records;
    private final Tables tables;
    private final RowSteps rows;
    private final TableRemoval removal;
    private final JobRegistry jobs;
    private final TableCommits commits;
    private final Clock clock;
    private final ViewRights rights;
    private final Ownership ownership;

    CreateView(
            SqlEngine engine,
            ViewWriter writer,
            ViewSources sources,
            ViewRecords records,
            Tables tables,
            RowSteps rows,
            TableRemoval removal,
            JobRegistry jobs,
            TableCommits commits,
            Clock clock,
            ViewRights rights,
            Ownership ownership) {
        super(NAME, Spec.class);
        this.rights = rights;
        this.ownership = ownership;
        this.engine = engine;
        this.writer = writer;
        this.sources = sources;
        this.records = records;
        this.tables = tables;
        this.rows = rows;
        this.removal = removal;
        this.jobs = jobs;
        this.commits = commits;
        this.clock = clock;
    }

    /**
     * Which view.
     *
     * @param view the segments of its id
     * @param query the SQL
     * @param outputSchema an Arrow schema in Base64; null to take the columns of the query
     * @param withData whether it begins with the rows of the query
     * @param fill whether its first refresh is begun once it is there
     * @param maker who makes it; null where the server asks nobody who they are
     */
    public record Spec(
            List<String> view,
            String query,
            @Nullable String outputSchema,
            boolean withData,
            boolean fill,
            @Nullable ViewMaker maker) {}

    @Override
    public ObjectNode run(Spec spec, JobRun run) {
        ObjectId id = new ObjectId(spec.view());
        Optional<ObjectNode> before = run.intended();
        Optional<String> earlier = before.map(intent -> intent.path(LOCATION).asString());
        PlacedTable view = new PlacedTable(
                id,
                rows.home(id),
                earlier.orElseGet(() -> TableFiles.newLocation(id.stored())),
                MarkedProperties.of(ViewRecords.properties()));
        ObjectNode intent = before.map(ObjectNode::deepCopy)
                .orElseGet(() -> JsonNodeFactory.instance.objectNode().put(LOCATION, view.relativeLocation()));
        run.phase("reading the query");
        run.beforeCommit(intent);
        try {
            return made(spec, view, intent, run);
        } catch (CatalogException e) {
            // What passes is tried again, at the same place.
            if (!e.code().isPassing() && !e.mayHaveHappened() && !isRegistered(view)) {
                removal.discard(view.home(), view.relativeLocation());
            }
            throw e;
        }
    }

    private ObjectNode made(Spec spec, PlacedTable view, ObjectNode intent, JobRun run) {
        Optional<ViewRecords.Found> written = records.find(view.location(), SchemaDialect.NAMESPACE);
        if (written.isEmpty()) {
            write(spec, view, intent, run);
        } else {
            run.tell("progress", null, "An earlier attempt has written the view.");
        }
        ViewRecords.Found found = records.require(view.id(), view.location(), SchemaDialect.NAMESPACE);
        if (isRegistered(view)) {
            // By an attempt of which nobody knows whether it told of that.
            Announcements.add(EventType.MATERIALIZED_VIEW_CREATED, view.id().stored());
        } else {
            run.phase("naming the view");
            commits.before(run, view.id().stored(), intent);
            rows.commit(view.home(), List.of(RowSteps.declaration(view)));
        }
        own(spec, view.id(), intent, run);
        ViewRefresh refresh = found.refresh();
        if (refresh == null) {
            ObjectNode result = JsonNodeFactory.instance
                    .objectNode()
                    .put(ViewResult.PUBLISHED, found.facts().version());
            if (spec.fill()) {
                result.put(
                        ViewResult.FILLED_BY,
                        jobs.submit(RefreshView.job(view, null, null)).id());
            }
            return result;
        }
        return ViewResult.of(refresh, refresh.rowsVersion());
    }

    /**
     * An attempt that fails here is followed by another. One that finds it done does not do it again: it would take away what others were
     * given on the view since.
     */
    private void own(Spec spec, ObjectId id, ObjectNode intent, JobRun run) {
        ViewMaker maker = spec.maker();
        boolean done =
                run.intended().map(noted -> noted.path(OWNED).asBoolean(false)).orElse(false);
        if (maker == null || done) {
            return;
        }
        Principal principal = ViewMaker.reader(maker, run.askedBy());
        ownership.made(principal, AccessObject.table(id), AccessObject.namespace(id.parent()));
        ownership.made(principal, AccessObject.view(id), AccessObject.table(id));
        run.beforeCommit(intent.put(OWNED, true));
    }

    private boolean isRegistered(PlacedTable view) {
        return tables.find(view.id())
                .filter(there -> there.relativeLocation().equals(view.relativeLocation()))
                .isPresent();
    }

    private void write(Spec spec, PlacedTable view, ObjectNode intent, JobRun run) {
        // A name that is taken is told before the work, and again at the commit.
        rows.declare(view.id(), Map.of());
        SelectQuery query = engine.parse(spec.query());
        List<ObjectId> ids = sources.named(view.id(), query.tables());
        rights.require(ViewMaker.reader(spec.maker(), run.askedBy()), ids, run.jobId());
        List<ViewSources.Source> read = sources.latest(ids);
        ViewDefinition definition = new ViewDefinition(
                ViewDefinition.QUERY,
                spec.query(),
                ids.stream().map(ObjectId::segments).toList(),
                query.rowWise(),
                spec.maker());
        run.phase(spec.withData() ? "running the query" : "looking at the columns of the query");
        writer.create(
                view.location(),
                ViewWork.whole(query, read, null, run::checkpoint, () -> run.beforeCommit(intent)),
                spec.outputSchema(),
                spec.withData(),
                count -> ViewRecords.metadata(
                        definition,
                        spec.withData()
                                ? new ViewRefresh(
                                        run.jobId(), ViewRefresh.FULL, 1, count, clock.millis(), ViewWork.reads(read))
                                : null));
    }
}
