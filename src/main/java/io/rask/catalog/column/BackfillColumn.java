package io.rask.catalog.column;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.CommitRounds;
import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobRun;
import io.rask.catalog.job.TableCommits;
import io.rask.catalog.lance.ColumnBackfill;
import io.rask.catalog.lance.FillRun;
import io.rask.catalog.lance.FilledFragment;
import io.rask.catalog.lance.Filling;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lifecycle.KnownTables;
import io.rask.catalog.wire.WireJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fills a computed column. What is computed is kept step by step, so that an attempt after a crash goes on where the one before
 * ended; the table shows nothing of it before one commit at the end. Rows that come meanwhile are filled as well, as far as the work
 * catches up with them.
 */
@Component
public final class BackfillColumn extends JobKind<BackfillColumn.Spec> {
    static final String NAME = "backfill_column";
    private static final JsonMapper JSON = WireJson.mapper();
    /** How often the work looks whether rows have come that it has not computed. */
    private static final int LOOKS = 5;
    /** How often it is taken up again when others were faster; what is computed stays. */
    private static final int ROUNDS = 50;

    private static final String FRAGMENTS = "fragments";
    private static final String LOCATION = "location";
    private static final String TRANSACTION = "transaction_id";
    private static final String SOURCE = "source_version";
    private static final String PUBLISHED = "published_version";
    private static final String COMMITS = "commits";

    private final KnownTables tables;
    private final ColumnBackfill backfill;
    private final TableCommits commits;

    public BackfillColumn(KnownTables tables, ColumnBackfill backfill, TableCommits commits) {
        super(NAME, Spec.class);
        this.tables = tables;
        this.backfill = backfill;
        this.commits = commits;
    }

    /**
     * Which column.
     *
     * @param table the segments of the table's id
     * @param location where the table lived when the work was asked for: another table may get its id
     * @param branch null or {@code main} for the main branch
     */
    public record Spec(
            List<String> table, String location, @Nullable String branch, Filling filling) {}

    @Override
    public ObjectNode run(Spec spec, JobRun run) {
        run.phase("looking at the table");
        TableLocation location = tables.require(new ObjectId(spec.table()), spec.location());
        List<FilledFragment> kept = kept(run);
        return CommitRounds.of(
                run,
                ROUNDS,
                intent -> intent.flatMap(written -> committed(location, spec, written)),
                () -> filled(location, spec, kept, run));
    }

    private Optional<ObjectNode> committed(TableLocation location, Spec spec, ObjectNode intent) {
        for (ObjectNode result : results(intent)) {
            OptionalLong version = backfill.landed(
                    location,
                    spec.branch(),
                    result.path(SOURCE).asLong(),
                    result.path(TRANSACTION).asString());
            if (version.isPresent()) {
                return Optional.of(result.put(PUBLISHED, version.getAsLong()));
            }
        }
        return Optional.empty();
    }

    /** What each commit that was tried would come to: the answer to any may have been lost. */
    private static List<ObjectNode> results(ObjectNode intent) {
        List<ObjectNode> results = new ArrayList<>();
        for (JsonNode result : intent.path(COMMITS)) {
            if (result instanceof ObjectNode known) {
                results.add(known.deepCopy());
            }
        }
        return results;
    }

    /** @param kept what was computed so far; what is computed now is added */
    private ObjectNode filled(TableLocation location, Spec spec, List<FilledFragment> kept, JobRun run) {
        for (int look = 1; ; look++) {
            run.phase("computing the values");
            try (FillRun filling = backfill.begin(location, spec.branch(), spec.filling(), kept)) {
                if (filling.isDone() || look > LOOKS) {
                    return committed(location, spec, filling, run);
                }
                compute(filling, kept, run);
            }
        }
    }

    private static void compute(FillRun filling, List<FilledFragment> kept, JobRun run) {
        long all = filling.rowsWaiting();
        while (!filling.isDone()) {
            run.progress(all - filling.rowsWaiting(), all, "rows");
            List<FilledFragment> made = filling.step();
            kept.addAll(made);
            ObjectNode work = JsonNodeFactory.instance.objectNode();
            ArrayNode fragments = work.putArray(FRAGMENTS);
            made.forEach(fragment -> fragments.add(JSON.<JsonNode>valueToTree(fragment)));
            run.keep(work);
            run.tell("progress", all - filling.rowsWaiting(), "Values of " + made.size() + " fragments are computed.");
        }
        run.progress(all, all, "rows");
    }

    private ObjectNode committed(TableLocation location, Spec spec, FillRun filling, JobRun run) {
        // A commit that was on its way when this attempt began may have arrived while it computed.
        Optional<ObjectNode> there = run.intended().flatMap(intent -> committed(location, spec, intent));
        if (there.isPresent()) {
            return there.get();
        }
        FillRun.Outcome now = filling.unchanged();
        ObjectNode result = result(spec, filling.version(), now);
        if (!filling.changesRows()) {
            return result;
        }
        String transaction = UUID.randomUUID().toString();
        run.phase("committing the values");
        ObjectNode intent = JsonNodeFactory.instance.objectNode();
        intent.put(LOCATION, spec.location());
        ArrayNode tried = intent.putArray(COMMITS);
        run.intended().map(BackfillColumn::results).ifPresent(tried::addAll);
        tried.add(result.put(TRANSACTION, transaction));
        commits.before(run, location, intent);
        return result(spec, filling.version(), filling.commit(transaction)).put(TRANSACTION, transaction);
    }

    private static ObjectNode result(Spec spec, long source, FillRun.Outcome outcome) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("column", spec.filling().column());
        result.put("rows_assigned", outcome.assigned());
        // A value that cannot be computed fails the whole job.
        result.put("rows_failed", 0);
        result.put("rows_remaining", outcome.remaining());
        result.put(SOURCE, source);
        if (outcome.version() != null) {
            result.put(PUBLISHED, outcome.version());
        }
        return result;
    }

    private static List<FilledFragment> kept(JobRun run) {
        List<FilledFragment> kept = new ArrayList<>();
        for (ObjectNode work : run.kept()) {
            work.path(FRAGMENTS).forEach(fragment -> kept.add(JSON.treeToValue(fragment, FilledFragment.class)));
        }
        return kept;
    }
}
