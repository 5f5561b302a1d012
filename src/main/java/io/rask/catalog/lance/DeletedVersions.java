package io.rask.catalog.lance;

import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import java.util.Collection;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which versions of tables were deleted by number, as one record for each table that lost any. It is written before the first
 * manifest file goes, so a deletion that is cut off has happened all the same; and it keeps the numbers taken: the store lets a
 * writer that stalled put its commit under a number that has become free, behind the latest, where nobody would ever see it.
 */
@Component
public final class DeletedVersions {
    private static final String FOLDER = "_deleted-versions";
    private static final String BRANCHES = "branches";
    private static final String GOING = "going";
    private static final String MAIN = "main";

    private final Records records;

    public DeletedVersions(Records records) {
        this.records = records;
    }

    /**
     * The numbers deleted on a branch.
     *
     * @param branch null for the main branch
     */
    public NumberRanges of(TableLocation location, @Nullable String branch) {
        return records.readFresh(key(location))
                .map(CatalogRecord::content)
                .map(content -> read(content.path(BRANCHES).path(name(branch))))
                .orElse(NumberRanges.NONE);
    }

    /** Notes numbers as deleted; while {@link RefChanges} gives the right to. */
    public void add(TableLocation location, @Nullable String branch, Collection<NumberRange> numbers) {
        write(location, content -> with(content, branch, numbers));
    }

    private void write(TableLocation location, UnaryOperator<ObjectNode> change) {
        ObjectNode fresh = JsonNodeFactory.instance.objectNode();
        fresh.put("location", location.uri());
        if (records.mutate(key(location), change).isEmpty()) {
            records.create(key(location), change.apply(fresh));
        }
    }

    /** Notes that a branch is about to be deleted, so that what a deletion leaves that is cut off is known for what it is. */
    public void going(TableLocation location, String branch) {
        write(location, content -> {
            ObjectNode going = content.path(GOING) instanceof ObjectNode present ? present : content.putObject(GOING);
            going.put(branch, true);
            return content;
        });
    }

    /** Whether a deletion of the branch was begun and not brought to its end. */
    boolean isGoing(TableLocation location, String branch) {
        return records.readFresh(key(location))
                .map(CatalogRecord::content)
                .filter(content -> content.path(GOING).path(branch).asBoolean(false))
                .isPresent();
    }

    /** Takes back what {@link #going} noted: the branch stays. */
    void staying(TableLocation location, String branch) {
        records.mutate(key(location), content -> {
            if (content.path(GOING) instanceof ObjectNode going) {
                going.remove(branch);
            }
            return content;
        });
    }

    /** Forgets a branch that is deleted, or about to be made. */
    void forget(TableLocation location, String branch) {
        records.mutate(key(location), content -> {
            if (content.path(BRANCHES) instanceof ObjectNode branches) {
                branches.remove(branch);
            }
            if (content.path(GOING) instanceof ObjectNode going) {
                going.remove(branch);
            }
            return content;
        });
    }

    /** Forgets a table whose bytes are deleted. */
    void forget(TableLocation location) {
        if (records.readFresh(key(location)).isPresent()) {
            records.tombstone(key(location), any -> true);
        }
    }

    private static ObjectNode with(ObjectNode content, @Nullable String branch, Collection<NumberRange> numbers) {
        ObjectNode branches =
                content.path(BRANCHES) instanceof ObjectNode present ? present : content.putObject(BRANCHES);
        ArrayNode ranges = JsonNodeFactory.instance.arrayNode();
        read(branches.path(name(branch)))
                .with(numbers)
                .ranges()
                .forEach(range -> ranges.addArray().add(range.first()).add(range.last()));
        branches.set(name(branch), ranges);
        return content;
    }

    private static NumberRanges read(JsonNode ranges) {
        return NumberRanges.NONE.with(ranges.valueStream()
                .map(range ->
                        new NumberRange(range.path(0).longValue(), range.path(1).longValue()))
                .toList());
    }

    private static String name(@Nullable String branch) {
        return branch == null ? MAIN : branch;
    }

    private static RecordKey key(TableLocation location) {
        return RecordKey.of(FOLDER, RecordKey.hashed("table", location.uri()));
    }
}
