package io.rask.catalog.maintenance;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.CommitRounds;
import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobRun;
import io.rask.catalog.job.TableCommits;
import io.rask.catalog.lance.TableCompaction;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lifecycle.KnownTables;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Compacts the main branch of a table. What another writer changed meanwhile is compacted anew, a few times. */
@Component
public final class CompactTable extends JobKind<CompactTable.Spec> {
    static final String NAME = "compact_table";
    private static final String LOCATION = "location";
    private static final String PLANNED_ON = "planned_on";
    private static final String FILES = "files";

    private final KnownTables tables;
    private final TableCompaction compaction;
    private final TableCommits commits;

    public CompactTable(KnownTables tables, TableCompaction compaction, TableCommits commits) {
        super(NAME, Spec.class);
        this.tables = tables;
        this.compaction = compaction;
        this.commits = commits;
    }

    /**
     * Which table.
     *
     * @param table the segments of its id
     * @param targetRows how many rows a fragment should have; null for the library's own choice
     */
    public record Spec(List<String> table, @Nullable Long targetRows) {}

    @Override
    public ObjectNode run(Spec spec, JobRun run) {
        TableLocation location = tables.require(new ObjectId(spec.table()));
        return CommitRounds.of(
                run,
                intent -> intent.flatMap(marks -> committed(location, marks)).map(CompactTable::result),
                () -> result(compact(location, spec.targetRows(), run)));
    }

    /** Whether what an earlier attempt intended has happened; a table made anew lives elsewhere. */
    private Optional<TableCompaction.Outcome> committed(TableLocation location, ObjectNode intent) {
        if (!intent.path(LOCATION).asString("").equals(location.uri())) {
            return Optional.empty();
        }
        Set<String> files = new HashSet<>();
        intent.path(FILES).forEach(file -> files.add(file.asString()));
        return compaction.committed(location, intent.path(PLANNED_ON).asLong(), files);
    }

    private TableCompaction.Outcome compact(TableLocation location, @Nullable Long targetRows, JobRun run) {
        run.phase("planning the compaction");
        try (TableCompaction.Run compacting = compaction.plan(location, targetRows)) {
            if (compacting.tasks() == 0) {
                return compacting.nothing();
            }
            run.phase("compacting the table");
            for (int task = 0; task < compacting.tasks(); task++) {
                run.progress(task, compacting.tasks(), "groups");
                compacting.rewrite(task);
            }
            run.phase("committing the compaction");
            commits.before(run, location, intent(location, compacting));
            return compacting.commit();
        }
    }

    private static ObjectNode intent(TableLocation location, TableCompaction.Run compacting) {
        ObjectNode intent = JsonNodeFactory.instance.objectNode();
        intent.put(LOCATION, location.uri());
        intent.put(PLANNED_ON, compacting.plannedOn());
        ArrayNode files = intent.putArray(FILES);
        compacting.marks().forEach(files::add);
        return intent;
    }

    private static ObjectNode result(TableCompaction.Outcome outcome) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("version", outcome.version());
        result.put("fragments_before", outcome.fragmentsBefore());
        result.put("fragments_after", outcome.fragmentsAfter());
        return result;
    }
}
