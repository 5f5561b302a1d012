package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.operation.Merge;
import org.lance.operation.Operation;
import org.lance.operation.Overwrite;
import org.lance.operation.Project;
import org.springframework.stereotype.Component;

/**
 * Commits a new shape of a table: its columns, their names, types and metadata. The library's own commit of a shape has three gaps
 * (measured: {@code docs/decisions/0012}): it puts the shape over what another writer changed in the metadata meanwhile; it lets an
 * append that began before a change of type end after it, whose values are lost then; and it refuses to give a column another type
 * under the same name. So the new version is made beside the line of versions, where nobody sees it, and takes the next number if
 * that is free. A crash before this last step leaves the table as it was.
 */
@Component
final class ShapeCommits {
    private static final String SUFFIX = ".manifest";

    private final RowCommits commits;
    private final DatasetHandles handles;
    private final ManifestFiles files;

    ShapeCommits(RowCommits commits, DatasetHandles handles, ManifestFiles files) {
        this.commits = commits;
        this.handles = handles;
        this.files = files;
    }

    /**
     * A shape.
     *
     * @param fields the columns, each with its id
     * @param fragments the rows, where they get new files
     * @param exclusive whether writers that began before the change must not end after it: they are told that the table was
     *     overwritten, which they never rebase on
     */
    record Shape(List<Field> fields, Optional<List<FragmentMetadata>> fragments, boolean exclusive) {}

    /**
     * Makes the shape the next version of the table.
     *
     * @param table the latest version of the branch
     * @return the new version
     * @throws CatalogException code 14 when another writer was first, 17 when it cannot be told whether it happened, 0 when the
     *     table's versions are named in the old way
     */
    ColumnsResult commit(Dataset table, TableLocation location, TableVersion branch, Shape shape) throws Exception {
        TableLocation place = branch.place(location);
        List<String> aside = new ArrayList<>();
        try (Dataset renamed = detached(table, renaming(table), aside)) {
            Schema schema = new Schema(shape.fields(), table.getSchema().getCustomMetadata());
            List<FragmentMetadata> fragments = shape.fragments().orElseGet(() -> ColumnFiles.unchanged(table));
            Transaction change = transaction(
                    renamed,
                    shape.fragments().isPresent()
                            ? Merge.builder()
                                    .fragments(fragments)
                                    .schema(schema)
                                    .build()
                            : Project.builder().schema(schema).build());
            try (Dataset made = detached(renamed, change, aside)) {
                Transaction told = shape.exclusive() ? overwriting(renamed, fragments, schema, aside) : change;
                String transaction = Long.toUnsignedString(renamed.version()) + "-" + told.uuid() + ".txn";
                byte[] file = VersionFile.as(files.read(place, name(made)), table.version() + 1, transaction);
                publish(
                        table,
                        place,
                        file,
                        failure -> commits.landed(location, branch, table.version(), told.uuid(), failure));
                handles.requireAhead(location, branch, table.version() + 1);
                return new ColumnsResult(table.version() + 1, told.uuid());
            }
        } finally {
            aside.forEach(name -> files.discard(place, name));
        }
    }

    /**
     * Makes what an earlier version holds the next one. Writers that began on top of the latest are told that the table was
     * overwritten.
     *
     * @param table the latest version of the branch
     * @return the new version
     * @throws CatalogException code 14 when another writer was first, 17 when it cannot be told whether it happened
     */
    long back(Dataset table, TableLocation location, TableVersion branch, long earlier) throws Exception {
        TableLocation place = branch.place(location);
        List<String> aside = new ArrayList<>();
        try {
            Transaction told = overwriting(table, ColumnFiles.unchanged(table), table.getSchema(), aside);
            String transaction = Long.toUnsignedString(table.version()) + "-" + told.uuid() + ".txn";
            byte[] before = files.read(place, Long.toUnsignedString(~earlier) + SUFFIX);
            publish(
                    table,
                    place,
                    VersionFile.as(before, table.version() + 1, transaction),
                    failure -> commits.landed(location, branch, table.version(), told.uuid(), failure));
            return table.version() + 1;
        } finally {
            aside.forEach(name -> files.discard(place, name));
        }
    }

    private interface Look {
        Optional<Long> landed(Exception failure);
    }

    private void publish(Dataset table, TableLocation place, byte[] file, Look look) {
        long version = table.version() + 1;
        // A number below the latest one may be free again when its version was cleaned away.
        if (table.latestVersion() >= version) {
            throw lost();
        }
        try {
            if (files.create(place, Long.toUnsignedString(~version) + SUFFIX, file)) {
                return;
            }
        } catch (CatalogException e) {
            if (look.landed(e).isEmpty()) {
                throw NativeErrors.unknownOutcome(e);
            }
            return;
        }
        CatalogException lost = lost();
        if (look.landed(lost).isEmpty()) {
            throw lost;
        }
    }

    private static CatalogException lost() {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION, "Another writer changed the table at the same time; try again.");
    }

    /** Every column under a name of its own, so that any name can come back with any type. */
    private static Transaction renaming(Dataset table) {
        List<Field> fields = new ArrayList<>();
        for (Field field : ColumnIds.of(table)) {
            fields.add(new Field("was_" + ColumnIds.id(field), field.getFieldType(), field.getChildren()));
        }
        Schema schema = new Schema(fields, table.getSchema().getCustomMetadata());
        return transaction(table, Project.builder().schema(schema).build());
    }

    private static Transaction overwriting(
            Dataset table, List<FragmentMetadata> fragments, Schema schema, List<String> aside) {
        Transaction announced = transaction(
                table, Overwrite.builder().fragments(fragments).schema(schema).build());
        detached(table, announced, aside).close();
        return announced;
    }

    private static Transaction transaction(Dataset table, Operation change) {
        return new Transaction.Builder()
                .readVersion(table.version())
                .operation(change)
                .build();
    }

    private static Dataset detached(Dataset table, Transaction transaction, List<String> aside) {
        try (transaction) {
            Dataset made = new CommitBuilder(table).detached(true).execute(transaction);
            aside.add(name(made));
            return made;
        } catch (RuntimeException e) {
            if (NativeErrors.text(e).contains("v1 manifest paths")) {
                throw CatalogException.of(
                        ErrorCode.UNSUPPORTED,
                        "The versions of the table are named in the old way, in which its columns cannot be changed here.",
                        e);
            }
            throw e;
        }
    }

    private static String name(Dataset detached) {
        return "d" + Long.toUnsignedString(detached.version()) + SUFFIX;
    }
}
