package io.rask.catalog.transaction;

import io.rask.catalog.door.DatabaseScope;
import io.rask.catalog.id.NameRules;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.platform.LanceFormat;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.wire.BatchCommitRequest.Operation;
import io.rask.catalog.wire.DeclareTableRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must hold of a batch by itself, before anything is looked up. */
final class BatchShape {
    private BatchShape() {}

    /**
     * Reads which tables the operations name.
     *
     * @param scope what their ids are relative to
     * @throws CatalogException code 13 for an operation that is none or several, names no table, or one that another names too
     */
    static List<Batches.Asked> read(List<Operation> operations, DatabaseScope scope) {
        List<Batches.Asked> asked = new ArrayList<>();
        for (int at = 0; at < operations.size(); at++) {
            Operation operation = operations.get(at);
            if (operation.count() != 1) {
                throw refused(
                        at,
                        "Each operation is exactly one of declare_table, create_table_version,"
                                + " delete_table_versions and deregister_table.");
            }
            List<@Nullable String> segments = segments(operation);
            if (segments == null || segments.isEmpty()) {
                throw refused(at, "Each operation names its table by an id.");
            }
            ObjectId id = scope.absolute(ObjectId.ofBody(segments));
            if (operation.declareTable() != null) {
                requireDeclarable(at, id, operation.declareTable());
            }
            asked.add(new Batches.Asked(id, operation));
        }
        requireDistinct(asked);
        return asked;
    }

    private static @Nullable List<@Nullable String> segments(Operation operation) {
        if (operation.declareTable() != null) {
            return operation.declareTable().id();
        }
        if (operation.createTableVersion() != null) {
            return operation.createTableVersion().id();
        }
        if (operation.deleteTableVersions() != null) {
            return operation.deleteTableVersions().id();
        }
        return Objects.requireNonNull(operation.deregisterTable()).id();
    }

    private static void requireDeclarable(int at, ObjectId id, DeclareTableRequest declared) {
        NameRules.newTable(id);
        LanceFormat.require(declared.properties());
        if (declared.location() != null) {
            throw refused(at, "The catalog chooses the location of a table; leave it out.");
        }
    }

    /** A table is changed once; or the versions of several of its branches are. */
    private static void requireDistinct(List<Batches.Asked> asked) {
        Map<ObjectId, Set<String>> seen = new HashMap<>();
        for (int at = 0; at < asked.size(); at++) {
            Batches.Asked each = asked.get(at);
            Set<String> before = seen.computeIfAbsent(each.id(), any -> new HashSet<>());
            String branch = TableVersion.ofBranch(each.branch()).branch();
            String what = each.changesVersions() ? "branch " + (branch == null ? "main" : branch) : "table";
            if (before.contains("table") || (!before.isEmpty() && what.equals("table")) || !before.add(what)) {
                throw refused(
                        at,
                        "The table '" + each.id() + "' is changed twice; send one operation for each table"
                                + " or branch.");
            }
        }
    }

    private static CatalogException refused(int at, String text) {
        return CatalogException.invalid(text, List.of(new FieldViolation("operations[" + at + "]", "cannot be read")));
    }
}
