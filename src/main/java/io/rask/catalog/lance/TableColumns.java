package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.springframework.stereotype.Component;

/**
 * Adds, changes and drops columns, each request in one commit. When others wrote rows meanwhile, the work is done anew on what they
 * left; when they changed columns, the request is refused, because it was made for other columns.
 */
@Component
public final class TableColumns {
    private static final int ATTEMPTS = 20;
    private static final int MOST_DROPPED = 10_000;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;

    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final ShapeCommits commits;
    private final ColumnFiles files;

    TableColumns(NativeCalls calls, DatasetHandles handles, ShapeCommits commits, ColumnFiles files) {
        this.calls = calls;
        this.handles = handles;
        this.commits = commits;
        this.files = files;
    }

    private interface Plan {
        /** Nothing when the table is that way already. */
        Optional<ShapeCommits.Shape> of(Dataset table) throws Exception;
    }

    /**
     * Adds columns.
     *
     * @param branch null or {@code main} for the main branch
     * @throws CatalogException code 13 or 12 when a name or an expression is wrong, 20 for a type that cannot be stored, 22 for an
     *     unknown branch, 19 when the table is only declared, 14 when another writer changed the columns or was faster each time
     */
    public ColumnsResult add(TableLocation location, @Nullable String branch, List<NewColumn> columns) {
        return change(location, branch, "The new column", table -> {
            NewColumns added = NewColumns.of(table, columns, files);
            int first = ColumnIds.next(table);
            ColumnIds.Numbering numbering = new ColumnIds.Numbering(first);
            List<Field> fields = new ArrayList<>(ColumnIds.of(table));
            added.fields().forEach(field -> fields.add(numbering.number(field)));
            List<FragmentMetadata> fragments = added.computed().isEmpty()
                    ? ColumnFiles.unchanged(table)
                    : files.write(location, table, added.computed(), first);
            return Optional.of(new ShapeCommits.Shape(fields, Optional.of(fragments), false));
        });
    }

    /**
     * Changes columns: names, types with their values, whether they may be null.
     *
     * @throws CatalogException as {@link #add}; code 13 also when a value does not fit the new type, or a null is in a column that
     *     is to have none; code 0 for columns that cannot be cast
     */
    public ColumnsResult alter(TableLocation location, @Nullable String branch, List<ColumnChange> changes) {
        return change(location, branch, "The change of columns", table -> {
            ColumnChanges plan = ColumnChanges.of(table, changes);
            plan.required().forEach(path -> requireNoNull(table, path));
            if (plan.fields().equals(ColumnIds.of(table))) {
                return Optional.empty();
            }
            if (plan.computed().isEmpty()) {
                boolean narrower = !plan.required().isEmpty();
                return Optional.of(new ShapeCommits.Shape(plan.fields(), Optional.empty(), narrower));
            }
            List<FragmentMetadata> written = files.write(location, table, plan.computed(), ColumnIds.next(table));
            List<Field> fields = LostIndices.noted(table, plan.fields());
            return Optional.of(new ShapeCommits.Shape(
                    fields, Optional.of(ColumnFiles.pruned(written, ColumnFiles.ids(fields))), true));
        });
    }

    /**
     * Drops columns, or fields inside structs.
     *
     * @throws CatalogException as {@link #add}; code 12 for a path that leads nowhere, 13 when nothing would be left, 19 when another
     *     column is filled from one of them
     */
    public ColumnsResult drop(TableLocation location, @Nullable String branch, List<String> paths) {
        return change(location, branch, "The drop of columns", table -> {
            if (paths.isEmpty() || paths.size() > MOST_DROPPED) {
                throw CatalogException.invalid("Between 1 and " + MOST_DROPPED + " columns can be dropped at a time.");
            }
            Schema schema = table.getSchema();
            List<FieldPath> dropped = paths.stream().map(FieldPath::of).toList();
            List<Field> fields = ColumnIds.of(table);
            for (FieldPath path : dropped) {
                path.in(schema);
                fields = without(fields, path.segments());
            }
            for (FieldPath path : dropped) {
                ColumnBindings.requireFree(fields, path);
            }
            return Optional.of(new ShapeCommits.Shape(fields, Optional.empty(), false));
        });
    }

    private static List<Field> without(List<Field> fields, List<String> path) {
        List<Field> left = new ArrayList<>();
        for (Field field : fields) {
            if (!field.getName().equals(path.get(0))) {
                left.add(field);
            } else if (path.size() > 1) {
                if (!(field.getType() instanceof ArrowType.Struct)) {
                    throw CatalogException.invalid(
                            "Column '" + field.getName() + "' is no struct; it can be dropped as a whole.");
                }
                List<Field> children = without(field.getChildren(), path.subList(1, path.size()));
                left.add(new Field(field.getName(), field.getFieldType(), children));
            }
        }
        if (left.isEmpty()) {
            throw CatalogException.invalid("The last column of a table, or field of a struct, cannot be dropped.");
        }
        return left;
    }

    private static void requireNoNull(Dataset table, FieldPath path) {
        long nulls = table.countRows(path.sql() + " IS NULL");
        if (nulls > 0) {
            throw CatalogException.invalid("Column '" + path.canonical() + "' holds " + nulls
                    + " nulls; give them a value before it is made to hold none.");
        }
    }

    private ColumnsResult change(TableLocation location, @Nullable String branch, String subject, Plan plan) {
        TableVersion target = TableVersion.ofBranch(branch);
        return calls.stream(() -> {
            List<Field> seen = null;
            for (int attempt = 1; ; attempt++) {
                try (DatasetLease lease = handles.open(location, target)) {
                    List<Field> columns = ColumnIds.of(lease.dataset());
                    if (seen != null && !seen.equals(columns)) {
                        throw changed();
                    }
                    seen = columns;
                    Optional<ColumnsResult> done = tried(location, target, lease.dataset(), subject, plan);
                    if (done.isPresent()) {
                        return done.get();
                    }
                }
                if (attempt == ATTEMPTS) {
                    throw changed();
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
            }
        });
    }

    /** Nothing when another writer was faster. */
    private Optional<ColumnsResult> tried(
            TableLocation location, TableVersion target, Dataset table, String subject, Plan plan) {
        try {
            Optional<ShapeCommits.Shape> shape = plan.of(table);
            return Optional.of(
                    shape.isEmpty()
                            ? new ColumnsResult(table.version(), null)
                            : commits.commit(table, location, target, shape.get()));
        } catch (Exception e) {
            CatalogException failure = SqlErrors.translate(e, subject);
            if (failure.code() == ErrorCode.CONCURRENT_MODIFICATION) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private static CatalogException changed() {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION,
                "Another writer changed the table at the same time; look at its columns and try again.");
    }
}
