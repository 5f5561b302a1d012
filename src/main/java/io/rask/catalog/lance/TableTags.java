package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.lance.Dataset;
import org.lance.Ref;
import org.lance.Tag;
import org.springframework.stereotype.Component;

/** The tags of tables. They make no version of the table. */
@Component
public final class TableTags {
    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final RefChanges changes;

    TableTags(NativeCalls calls, DatasetHandles handles, RefChanges changes) {
        this.calls = calls;
        this.handles = handles;
        this.changes = changes;
    }

    /** All tags, in no order; none while the table is only declared. */
    public List<TableTag> list(TableLocation location) {
        return calls.metadata(() -> handles.find(location, TableVersion.LATEST)
                .map(lease -> {
                    try (lease) {
                        return RefLists.tags(lease.dataset()).stream()
                                .map(TableTags::told)
                                .toList();
                    }
                })
                .orElse(List.of()));
    }

    /**
     * The tag of a name.
     *
     * @throws CatalogException code 8 when the table has none
     */
    public TableTag require(TableLocation location, String name) {
        return named(location, name).orElseThrow(() -> absent(name));
    }

    private Optional<TableTag> named(TableLocation location, String name) {
        return list(location).stream().filter(tag -> tag.name().equals(name)).findFirst();
    }

    /**
     * Puts a new tag on a version.
     *
     * @throws CatalogException code 9 when there is one of the name, 11 and 22 for an unknown version or branch, 13 for a bad
     *     name, 14 when others change the table's tags for too long, 17 when it cannot be told whether it happened
     */
    public void create(TableLocation location, String name, TableVersion version) {
        RefNames.tag(name);
        changes.alone(location, turn -> {
            if (named(location, name).isPresent()) {
                throw CatalogException.of(
                        ErrorCode.TABLE_TAG_ALREADY_EXISTS,
                        "The table has a tag '" + name + "' already; update it to move it.");
            }
            return put(location, name, version, turn, Dataset.Tags::create);
        });
    }

    /**
     * Moves a tag to another version.
     *
     * @throws CatalogException code 8 when there is none of the name, and otherwise as {@link #create}
     */
    public void update(TableLocation location, String name, TableVersion version) {
        RefNames.tag(name);
        changes.alone(location, turn -> {
            require(location, name);
            return put(location, name, version, turn, Dataset.Tags::update);
        });
    }

    /**
     * Removes a tag.
     *
     * @throws CatalogException code 8 when there is none of the name, 17 when it cannot be told whether it happened
     */
    public void delete(TableLocation location, String name) {
        RefNames.tag(name);
        changes.alone(location, turn -> {
            require(location, name);
            turn.require();
            return changed(
                    location,
                    tags -> tags.delete(name),
                    () -> named(location, name).isEmpty());
        });
    }

    private interface Put {
        void at(Dataset.Tags tags, String name, Ref version);
    }

    private boolean put(TableLocation location, String name, TableVersion version, RefChanges.Turn turn, Put put) {
        long number = existing(location, version);
        String branch = version.branch();
        Ref ref = branch == null ? Ref.ofMain(number) : Ref.ofBranch(branch, number);
        turn.require();
        return changed(
                location,
                tags -> put.at(tags, name, ref),
                () -> named(location, name)
                        .filter(tag -> tag.version() == number && Objects.equals(tag.branch(), branch))
                        .isPresent());
    }

    private long existing(TableLocation location, TableVersion version) {
        try (DatasetLease lease = handles.find(location, version).orElseThrow(() -> DatasetHandles.noData(version))) {
            return lease.dataset().version();
        }
    }

    private interface Change {
        void on(Dataset.Tags tags) throws Exception;
    }

    private interface Look {
        boolean happened();
    }

    /** A change whose answer was lost is looked for; nobody else changes tags meanwhile. */
    private boolean changed(TableLocation location, Change change, Look look) {
        try (DatasetLease lease = handles.open(location, TableVersion.LATEST)) {
            return calls.metadata(() -> {
                try {
                    change.on(lease.dataset().tags());
                } catch (Exception e) {
                    if (NativeErrors.cause(e) != NativeErrors.Cause.STORE_UNREACHABLE) {
                        throw met(e);
                    }
                    LostRef.require(e, look::happened);
                }
                return true;
            });
        }
    }

    /** What is wrong when all was right a moment ago: another program has changed the tags or versions. */
    private static Exception met(Exception e) {
        String text = NativeErrors.text(e);
        boolean changed = text.contains("ref conflict error")
                || text.contains("ref not found error")
                || text.contains("version not found error");
        return changed
                ? CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "Another program changed the tags or versions of the table at the same time; try again.",
                        e)
                : e;
    }

    private static TableTag told(Tag tag) {
        return new TableTag(tag.getName(), tag.getBranch().orElse(null), tag.getVersion(), tag.getManifestSize());
    }

    /** Code 8. */
    public static CatalogException absent(String name) {
        return CatalogException.of(ErrorCode.TABLE_TAG_NOT_FOUND, "The table has no tag '" + name + "'.");
    }
}
