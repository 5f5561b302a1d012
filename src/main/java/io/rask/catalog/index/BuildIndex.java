package io.rask.catalog.index;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.CommitRounds;
import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobRun;
import io.rask.catalog.job.TableCommits;
import io.rask.catalog.lance.NewIndex;
import io.rask.catalog.lance.TableIndexer;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lifecycle.KnownTables;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes an index. Reading, writing and the commit are one native call, so what will identify the commit is written down before the
 * call: an id that the index gets. An index of the wanted name with one of the job's ids is its own; with any other it is another's.
 */
@Component
public final class BuildIndex extends JobKind<BuildIndex.Spec> {
    static final String NAME = "build_index";
    static final String TRANSACTION = "transaction_id";
    private static final String LOCATION = "location";
    private static final String MARKS = "index_uuids";

    private final KnownTables tables;
    private final TableIndexer indexer;
    private final LostIndexBuilds lost;
    private final TableCommits commits;

    public BuildIndex(KnownTables tables, TableIndexer indexer, LostIndexBuilds lost, TableCommits commits) {
        super(NAME, Spec.class);
        this.tables = tables;
        this.indexer = indexer;
        this.lost = lost;
        this.commits = commits;
    }

    /**
     * Which index.
     *
     * @param table the segments of the table's id
     * @param location where the table lived when the index was asked for: another table may get its id
     * @param branch null or {@code main} for the main branch
     * @param index with its name
     * @param lost whether it is one that went when its column got another type, and is made anew for as long as a note in the table
     *     says so
     */
    public record Spec(
            List<String> table,
            String location,
            @Nullable String branch,
            NewIndex index,
            @Nullable Boolean lost) {
        boolean isLost() {
            return Boolean.TRUE.equals(lost);
        }
    }

    @Override
    public ObjectNode run(Spec spec, JobRun run) {
        run.phase("looking at the table");
        TableLocation location = tables.require(new ObjectId(spec.table()), spec.location());
        ObjectNode result = CommitRounds.of(
                run,
                intent -> find(location, spec, intent.map(BuildIndex::marks).orElseGet(Set::of)),
                () -> result(spec, build(location, spec, run)));
        // Whoever made it: with the index there, its note has done its work.
        lost.forget(location, spec.branch(), name(spec));
        return result;
    }

    /** The index, if it is there and this job's; code 7 when it is another's. Who makes a lost index does not matter. */
    private Optional<ObjectNode> find(TableLocation location, Spec spec, Set<String> marks) {
        String name = name(spec);
        Optional<TableIndexer.Made> there = indexer.find(location, spec.branch(), name);
        if (there.isPresent() && !spec.isLost() && !marks.contains(there.get().uuid())) {
            throw TableIndexer.exists(name);
        }
        if (there.isEmpty() && spec.isLost() && !lost.isWanted(location, spec.branch(), name)) {
            return Optional.of(JsonNodeFactory.instance.objectNode().put("index_name", name));
        }
        return there.map(made -> result(spec, made));
    }

    private static String name(Spec spec) {
        return Objects.requireNonNull(spec.index().name());
    }

    private TableIndexer.Made build(TableLocation location, Spec spec, JobRun run) {
        UUID mark = UUID.randomUUID();
        Set<String> marks = run.intended().map(BuildIndex::marks).orElseGet(LinkedHashSet::new);
        marks.add(mark.toString());
        run.phase("building the index");
        commits.before(run, location, intent(spec, marks));
        return spec.isLost()
                ? indexer.rebuild(location, spec.branch(), name(spec), mark)
                : indexer.build(location, spec.branch(), spec.index(), mark);
    }

    private static ObjectNode intent(Spec spec, Set<String> marks) {
        ObjectNode intent = JsonNodeFactory.instance.objectNode();
        intent.put(LOCATION, spec.location());
        ArrayNode ids = intent.putArray(MARKS);
        marks.forEach(ids::add);
        return intent;
    }

    /** The ids of every attempt: the commit of one that was given up may still be under way. */
    private static Set<String> marks(ObjectNode intent) {
        Set<String> marks = new LinkedHashSet<>();
        intent.path(MARKS).forEach(mark -> marks.add(mark.asString()));
        return marks;
    }

    private static ObjectNode result(Spec spec, TableIndexer.Made made) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("index_name", spec.index().name());
        result.put("index_uuid", made.uuid());
        result.put("version", made.version());
        if (made.transaction() != null) {
            result.put(TRANSACTION, made.transaction());
        }
        return result;
    }
}
