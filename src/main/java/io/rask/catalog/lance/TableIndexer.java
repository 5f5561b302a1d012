package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Transaction;
import org.lance.index.Index;
import org.lance.index.IndexDescription;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.scalar.ScalarIndexParams;
import org.springframework.stereotype.Component;

/**
 * Makes indices. The library reads the rows, writes the files and commits in one call, which may take hours and can end the process;
 * so it is called by workers alone, and what it commits carries an id that was chosen before.
 */
@Component
public final class TableIndexer {
    private final NativeCalls calls;
    private final DatasetHandles handles;

    TableIndexer(NativeCalls calls, DatasetHandles handles) {
        this.calls = calls;
        this.handles = handles;
    }

    /**
     * An index that was made.
     *
     * @param uuid the id that was chosen for it
     * @param version the version of the table that has it
     * @param transaction what committed it; null when that is not known
     */
    public record Made(String uuid, long version, @Nullable String transaction) {}

    /**
     * Checks that an index can be made of the table as it is, and chooses its name where there is none.
     *
     * @param branch null or {@code main} for the main branch
     * @throws CatalogException code 13 or 12 when settings, type or column do not go together, or there are too few rows; 7 when the
     *     name is taken, or without a name when the column has such an index; 22 for an unknown branch, 19 when the table is only
     *     declared
     */
    public NewIndex planned(TableLocation location, @Nullable String branch, NewIndex asked) {
        asked.require();
        return calls.metadata(() -> {
            try (DatasetLease lease = handles.open(location, TableVersion.ofBranch(branch))) {
                Dataset table = lease.dataset();
                IndexedColumn column = IndexedColumn.of(asked, table.getSchema());
                if (asked.kind().isVector()) {
                    plan(asked, column, table.countRows()).require();
                }
                TableIndices indices = new TableIndices(table);
                if (asked.name() == null) {
                    return asked.named(chosen(indices, asked.kind(), column));
                }
                if (indices.named(asked.name()).isPresent()) {
                    throw exists(asked.name());
                }
                return asked;
            }
        });
    }

    private static String chosen(TableIndices indices, IndexKind kind, IndexedColumn column) {
        String base = column.path().canonical() + "_idx";
        String name = base;
        for (int number = 2; ; number++) {
            Optional<IndexDescription> taken = indices.named(name);
            if (taken.isEmpty()) {
                NewIndex.requireName(name);
                return name;
            }
            boolean sameKind = IndexKind.wireName(taken.get().getIndexType()).equals(kind.name());
            boolean sameColumn = taken.get().getFieldIds().stream()
                    .anyMatch(id -> column.path().equals(indices.paths().get(id)));
            if (sameKind && sameColumn) {
                throw exists(name);
            }
            name = base + "_" + number;
        }
    }

    /** Code 7. */
    public static CatalogException exists(String name) {
        return CatalogException.of(
                ErrorCode.TABLE_INDEX_ALREADY_EXISTS,
                "The table has an index '" + name + "' already; drop it first, or use another name.");
    }

    /** The index of a name, if the latest version of the branch has one. */
    public Optional<Made> find(TableLocation location, @Nullable String branch, String name) {
        return calls.metadata(() -> {
            try (DatasetLease lease = handles.open(location, TableVersion.ofBranch(branch))) {
                Dataset table = lease.dataset();
                return new TableIndices(table)
                        .named(name)
                        .flatMap(index -> index.getSegments().stream().findFirst())
                        .map(segment -> new Made(segment.uuid().toString(), table.version(), null));
            }
        });
    }

    /**
     * Makes an index and commits it.
     *
     * @param index with a name
     * @param mark the id it gets, which nothing else has
     * @throws CatalogException as {@link #planned}; code 14 when others changed the same rows or made an index of that name meanwhile,
     *     17 when it cannot be told whether it happened
     */
    public Made build(TableLocation location, @Nullable String branch, NewIndex index, UUID mark) {
        return build(location, branch, mark, table -> index);
    }

    /**
     * As {@link #build}, for an index that went when its column got another type: of the field that the note in the table means,
     * whatever that is called by now.
     *
     * @throws CatalogException as {@link #build}; code 14 when its note has gone meanwhile
     */
    public Made rebuild(TableLocation location, @Nullable String branch, String name, UUID mark) {
        return build(
                location,
                branch,
                mark,
                table -> LostIndices.of(table).stream()
                        .filter(lost -> lost.name().equals(name))
                        .findFirst()
                        .map(LostIndex::wanted)
                        .orElseThrow(() -> CatalogException.of(
                                ErrorCode.CONCURRENT_MODIFICATION,
                                "The index was made, or given up, at the same time.")));
    }

    private Made build(TableLocation location, @Nullable String branch, UUID mark, Function<Dataset, NewIndex> wanted) {
        TableVersion target = TableVersion.ofBranch(branch);
        return calls.stream(() -> {
            try (DatasetLease lease = handles.open(location, target);
                    Dataset own = RowCommits.at(
                            lease.dataset(), target.branch(), lease.dataset().version())) {
                return build(location, target, own, wanted.apply(own), mark);
            }
        });
    }

    private Made build(TableLocation location, TableVersion target, Dataset own, NewIndex index, UUID mark) {
        String name = Objects.requireNonNull(index.name());
        IndexedColumn column = IndexedColumn.of(index, own.getSchema());
        IndexParams parameters = parameters(own, index, column);
        try {
            Index made = own.createIndex(IndexOptions.builder(
                            List.of(column.path().canonical()), index.kind().type(), parameters)
                    .withIndexName(name)
                    .withIndexUUID(mark.toString())
                    .replace(false)
                    .build());
            if (!made.uuid().equals(mark)) {
                throw new IllegalStateException("the library gave the index an id of its own");
            }
        } catch (Exception e) {
            return landed(location, target, name, mark).orElseThrow(() -> refused(e));
        }
        handles.requireAhead(location, target, own.version());
        return new Made(mark.toString(), own.version(), transaction(own));
    }

    private static IndexParams parameters(Dataset table, NewIndex index, IndexedColumn column) {
        IndexParams.Builder parameters = IndexParams.builder();
        if (index.kind().isVector()) {
            VectorIndexPlan plan = plan(index, column, vectors(table, column));
            plan.require();
            return parameters.setVectorIndexParams(plan.parameters()).build();
        }
        ScalarIndexParams scalar = index.kind() == IndexKind.FTS
                ? TextIndexPlan.parameters(index.text())
                : ScalarIndexParams.create(index.kind().engineName());
        return parameters.setScalarIndexParams(scalar).build();
    }

    private static VectorIndexPlan plan(NewIndex index, IndexedColumn column, long rows) {
        return new VectorIndexPlan(index.kind(), index.vectors(), column.dimensions(), rows);
    }

    /** Nothing can be learned from rows without a vector. */
    private static long vectors(Dataset table, IndexedColumn column) {
        return column.field().isNullable() ? table.countRows(column.path().sql() + " IS NOT NULL") : table.countRows();
    }

    private static @Nullable String transaction(Dataset table) {
        Optional<Transaction> made = table.readTransaction();
        if (made.isEmpty()) {
            return null;
        }
        try (Transaction transaction = made.get()) {
            return transaction.uuid();
        }
    }

    /** Whether the index is there all the same: the answer to its commit may have been lost. */
    private Optional<Made> landed(TableLocation location, TableVersion target, String name, UUID mark) {
        return find(location, target.branch(), name)
                .filter(found -> found.uuid().equals(mark.toString()));
    }

    private static CatalogException refused(Exception failure) {
        if (NativeErrors.cause(failure) == NativeErrors.Cause.STORE_UNREACHABLE) {
            return NativeErrors.unknownOutcome(failure);
        }
        String text = NativeErrors.text(failure);
        if (text.contains("index name") && text.contains("already exists")) {
            return CatalogException.of(
                    ErrorCode.CONCURRENT_MODIFICATION,
                    "Another index of that name was made at the same time.",
                    failure);
        }
        return SqlErrors.translate(failure, "The index");
    }
}
