package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.operation.DataReplacement;
import org.lance.operation.DataReplacement.DataReplacementGroup;
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
        try (DetachedVersions aside = new DetachedVersions(files, place);
                Dataset renamed = aside.make(table, renaming(table))) {
            Schema schema = new Schema(shape.fields(), table.getSchema().getCustomMetadata());
            List<FragmentMetadata> fragments = shape.fragments().orElseGet(() -> ColumnFiles.unchanged(table));
            Transaction change = DetachedVersions.transaction(
                    renamed,
                    shape.fragments().isPresent()
                            ? Merge.builder()
                                    .fragments(fragments)
                                    .schema(schema)
                                    .build()
                            : Project.builder().schema(schema).build());
            try (Dataset made = aside.make(renamed, change)) {
                Transaction told = shape.exclusive() ? overwriting(renamed, fragments, schema, aside) : change;
                String transaction = Long.toUnsignedString(renamed.version()) + "-" + told.uuid() + ".txn";
                byte[] file = VersionFile.as(
                        files.read(place, DetachedVersions.name(made)), table.version() + 1, transaction);
                publish(
                        table,
                        place,
                        file,
                        failure -> commits.landed(location, branch, table.version(), told.uuid(), failure));
                handles.requireAhead(location, branch, table.version() + 1);
                return new ColumnsResult(table.version() + 1, told.uuid());
            }
        }
    }

    /**
     * Gives a column new files, and makes that the next version of the table. Who began on top of the latest and made an index of the
     * column, or changed the same fragments, is told of the change and does not end after it.
     *
     * @param table the latest version of the branch
     * @param change files that stand for the new ones in place of the old ones
     * @param files the new files, which hold nothing else, by fragment
     * @param transaction the id of the commit
     * @return the new version
     * @throws CatalogException as {@link #commit}
     */
    long replace(
            Dataset table,
            TableLocation location,
            TableVersion branch,
            Operation change,
            List<DataReplacementGroup> files,
            String transaction)
            throws Exception {
        TableLocation place = branch.place(location);
        try (DetachedVersions aside = new DetachedVersions(this.files, place);
                Dataset made = aside.make(table, DetachedVersions.transaction(table, change))) {
            // The library lets an index that began before a change of columns end after it, with the old values
            // (measured).
            Transaction told = new Transaction.Builder()
                    .readVersion(made.version())
                    .uuid(transaction)
                    .operation(DataReplacement.builder().replacements(files).build())
                    .build();
            String replaced = aside.added(made, told);
            String file = Long.toUnsignedString(made.version()) + "-" + transaction + ".txn";
            publish(
                    table,
                    place,
                    VersionFile.as(this.files.read(place, replaced), table.version() + 1, file),
                    failure -> commits.landed(location, branch, table.version(), transaction, failure));
            handles.requireAhead(location, branch, table.version() + 1);
            return table.version() + 1;
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
        try (DetachedVersions aside = new DetachedVersions(files, place)) {
            Transaction told = overwriting(table, ColumnFiles.unchanged(table), table.getSchema(), aside);
            String transaction = Long.toUnsignedString(table.version()) + "-" + told.uuid() + ".txn";
            byte[] before = files.read(place, Long.toUnsignedString(~earlier) + SUFFIX);
            publish(
                    table,
                    place,
                    VersionFile.as(before, table.version() + 1, transaction),
                    failure -> commits.landed(location, branch, table.version(), told.uuid(), failure));
            return table.version() + 1;
        }
    }

    /**
     * Whether a transaction of {@link #replace} made the version it was for, which is the one after the version it read and no other,
     * whatever came since; empty too when that version is gone.
     *
     * @throws CatalogException code 22 for an unknown branch, 17 when the store does not answer
     */
    Optional<Long> landed(TableLocation location, TableVersion branch, long readVersion, String transaction) {
        long version = readVersion + 1;
        try (DatasetLease there = handles.open(location, new TableVersion(branch.branch(), version))) {
            byte[] file = files.read(branch.place(location), Long.toUnsignedString(~version) + SUFFIX);
            // The library ends the process when it is asked for the transaction of the first version of a branch.
            String made = VersionManifest.of(file).transaction();
            return made.endsWith("-" + transaction + ".txn")
                    ? Optional.of(there.dataset().version())
                    : Optional.empty();
        } catch (CatalogException e) {
            if (e.code() != ErrorCode.TABLE_VERSION_NOT_FOUND) {
                throw e;
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new IllegalStateException("the manifest file of version " + version + " is damaged", e);
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
        return DetachedVersions.transaction(
                table, Project.builder().schema(schema).build());
    }

    private static Transaction overwriting(
            Dataset table, List<FragmentMetadata> fragments, Schema schema, DetachedVersions aside) {
        Transaction announced = DetachedVersions.transaction(
                table, Overwrite.builder().fragments(fragments).schema(schema).build());
        aside.added(table, announced);
        return announced;
    }
}
