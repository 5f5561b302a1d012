package io.rask.catalog.branch;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.TableBranch;
import io.rask.catalog.lance.TableBranches;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.lifecycle.DeletionCheck;
import io.rask.catalog.lifecycle.DryRuns;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.BranchContents;
import io.rask.catalog.wire.CreateBranchRequest;
import io.rask.catalog.wire.DryRunResponse;
import io.rask.catalog.wire.ListBranchesResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** The branches of tables that the catalog holds. */
@Component
final class Branches {
    private final Tables tables;
    private final TableBranches branches;
    private final DeletionCheck check;

    Branches(Tables tables, TableBranches branches, DeletionCheck check) {
        this.tables = tables;
        this.branches = branches;
        this.check = check;
    }

    ListBranchesResponse list(ObjectId id, PageRequest page) {
        PageRequest.Page<TableBranch> cut =
                page.cut(branches.list(tables.require(id).location()), TableBranch::name);
        Map<String, BranchContents> byName = new TreeMap<>();
        cut.items()
                .forEach(branch -> byName.put(
                        branch.name(),
                        new BranchContents(
                                branch.parentBranch(),
                                branch.parentVersion(),
                                branch.createdAt(),
                                branch.manifestSize(),
                                branch.metadata())));
        return new ListBranchesResponse(byName, cut.next());
    }

    void create(ObjectId id, CreateBranchRequest body) {
        PlacedTable table = tables.require(id);
        branches.create(table.location(), body.name(), new TableVersion(body.fromBranch(), body.fromVersion()));
        tables.requireStill(table);
    }

    /** What {@link #delete} would do; code 22 without the branch. */
    DryRunResponse planDelete(ObjectId id, String name, boolean force) {
        PlacedTable table = tables.require(id);
        branches.require(table.location(), name);
        return DryRuns.of(
                List.of(new DryRunResponse.Planned("branch", name, null)),
                null,
                List.of(() -> check.versions(table.home(), table.entry(), name, any -> true, force)
                        .require()));
    }

    /** A branch that a tag, another branch or a clone holds on to stays: code 19. */
    void delete(ObjectId id, String name, boolean force) {
        PlacedTable table = tables.require(id);
        check.protection(List.of(table.entry()), force).require();
        branches.delete(
                table.location(),
                name,
                () -> check.versions(table.home(), table.entry(), name, any -> true, force)
                        .require());
    }
}
