package io.rask.catalog.tag;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.RefNames;
import io.rask.catalog.lance.TableTag;
import io.rask.catalog.lance.TableTags;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.lifecycle.DeletionCheck;
import io.rask.catalog.lifecycle.DryRuns;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.DryRunResponse;
import io.rask.catalog.wire.ListTagsResponse;
import io.rask.catalog.wire.TagContents;
import io.rask.catalog.wire.TagVersionResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The tags of tables that the catalog holds. */
@Component
final class Tags {
    private final Tables tables;
    private final TableTags tags;
    private final DeletionCheck check;

    Tags(Tables tables, TableTags tags, DeletionCheck check) {
        this.tables = tables;
        this.tags = tags;
        this.check = check;
    }

    /** All tags by name. */
    Map<String, TagContents> all(ObjectId id) {
        return byName(tags.list(tables.require(id).location()));
    }

    ListTagsResponse list(ObjectId id, PageRequest page) {
        PageRequest.Page<TableTag> cut = page.cut(tags.list(tables.require(id).location()), TableTag::name);
        return new ListTagsResponse(byName(cut.items()), cut.next());
    }

    private static Map<String, TagContents> byName(List<TableTag> tags) {
        Map<String, TagContents> byName = new TreeMap<>();
        tags.forEach(tag -> byName.put(tag.name(), new TagContents(tag.branch(), tag.version(), tag.manifestSize())));
        return byName;
    }

    /** The version a tag holds; code 8 without the tag, or when it is not on the branch that is named. */
    TagVersionResponse version(ObjectId id, String name, @Nullable String branch) {
        PlacedTable table = tables.require(id);
        TableTag tag = require(table, name, branch);
        return new TagVersionResponse(tag.version(), tag.branch());
    }

    private TableTag require(PlacedTable table, String name, @Nullable String branch) {
        RefNames.tag(name);
        TableTag tag = tags.require(table.location(), name);
        if (branch != null && !Objects.equals(TableVersion.ofBranch(branch).branch(), tag.branch())) {
            throw TableTags.absent(name);
        }
        return tag;
    }

    void create(ObjectId id, String name, @Nullable String branch, long version) {
        PlacedTable table = tables.require(id);
        tags.create(table.location(), name, new TableVersion(branch, version));
        tables.requireStill(table);
    }

    void update(ObjectId id, String name, @Nullable String branch, long version) {
        PlacedTable table = tables.require(id);
        tags.update(table.location(), name, new TableVersion(branch, version));
        tables.requireStill(table);
    }

    /** What {@link #delete} would do. */
    DryRunResponse planDelete(ObjectId id, String name, @Nullable String branch, boolean force) {
        PlacedTable table = tables.require(id);
        require(table, name, branch);
        return DryRuns.of(
                List.of(new DryRunResponse.Planned("tag", name, null)),
                null,
                List.of(() -> check.protection(List.of(table.entry()), force).require()));
    }

    void delete(ObjectId id, String name, @Nullable String branch, boolean force) {
        PlacedTable table = tables.require(id);
        check.protection(List.of(table.entry()), force).require();
        require(table, name, branch);
        tags.delete(table.location(), name);
    }
}
