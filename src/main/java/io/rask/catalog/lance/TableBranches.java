package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Ref;
import org.springframework.stereotype.Component;

/** The branches of tables. They make no version of the main branch. */
@Component
public final class TableBranches {
    private static final String MAIN = "main";

    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final DeletedVersions deleted;
    private final RefChanges changes;

    TableBranches(NativeCalls calls, DatasetHandles handles, DeletedVersions deleted, RefChanges changes) {
        this.calls = calls;
        this.handles = handles;
        this.deleted = deleted;
        this.changes = changes;
    }

    /** All branches but the main one, in no order; none while the table is only declared. */
    public List<TableBranch> list(TableLocation location) {
        return calls.metadata(() -> handles.find(location, TableVersion.LATEST)
                .map(lease -> {
                    try (lease) {
                        return list(lease.dataset());
                    }
                })
                .orElse(List.of()));
    }

    private static List<TableBranch> list(Dataset table) {
        return RefLists.branches(table).stream()
                .map(branch -> new TableBranch(
                        branch.getName(),
                        branch.getParentBranch().orElse(null),
                        branch.getParentVersion(),
                        branch.getCreateAt(),
                        branch.getManifestSize(),
                        Objects.requireNonNullElse(branch.getMetadata(), Map.of())))
                .toList();
    }

    /**
     * Begins a branch at a version.
     *
     * @param from where; without a number at the latest version
     * @throws CatalogException code 23 when there is one of the name, 22 and 11 for an unknown branch or version to begin at, 13
     *     for a bad name or one that lies in or around another branch's, 19 when the table holds no data or bytes are in the way,
     *     14 when others change the table's branches for too long, 17 when it cannot be told whether it happened
     */
    public void create(TableLocation location, String name, TableVersion from) {
        if (name.equals(MAIN)) {
            throw exists(name);
        }
        RefNames.branch(name);
        changes.alone(location, turn -> {
            List<TableBranch> present = list(location);
            requireFree(present, name);
            String parent = from.branch();
            try (DatasetLease start = handles.find(location, from).orElseThrow(() -> DatasetHandles.noData(from));
                    DatasetLease main = handles.open(location, TableVersion.LATEST)) {
                long number = start.dataset().version();
                Ref at = parent == null ? Ref.ofMain(number) : Ref.ofBranch(parent, number);
                turn.require();
                boolean known = deleted.isGoing(location, name);
                deleted.forget(location, name);
                return calls.metadata(() -> {
                    clearRemains(main.dataset(), name, known);
                    return begin(location, start.dataset(), name, at, number);
                });
            }
        });
    }

    private static void requireFree(List<TableBranch> present, String name) {
        for (TableBranch branch : present) {
            if (branch.name().equals(name)) {
                throw exists(name);
            }
            if (RefNames.nest(branch.name(), name)) {
                throw CatalogException.invalid("The branches '" + name + "' and '" + branch.name()
                        + "' would lie in each other's files; choose a name that does not continue another's.");
            }
        }
    }

    /**
     * The branch. Asked for a version of another branch, the library looks for it where the dataset is that it was asked on; it takes
     * no empty options, and in a bucket none but those it is given again.
     */
    private static Dataset made(TableLocation location, Dataset start, String name, Ref at) {
        return location.isFolder()
                ? start.createBranch(name, at)
                : start.createBranch(name, at, location.storageOptions());
    }

    private boolean begin(TableLocation location, Dataset start, String name, Ref at, long number) throws Exception {
        try {
            made(location, start, name, at).close();
        } catch (Exception e) {
            // The library throws more than it declares.
            if (NativeErrors.cause(e) == NativeErrors.Cause.EXISTS
                    || NativeErrors.text(e).contains("clone operation")) {
                throw CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "Another program makes a branch of that name at the same time; look and try again.",
                        e);
            }
            if (NativeErrors.isNoDataset(e)) {
                throw DatasetHandles.noVersion(number);
            }
            if (NativeErrors.cause(e) != NativeErrors.Cause.STORE_UNREACHABLE) {
                throw e;
            }
            LostRef.require(
                    e,
                    () -> named(location, name)
                            .filter(branch -> branch.parentVersion() == number)
                            .isPresent());
        }
        return true;
    }

    /**
     * A creation that was cut off leaves the first version of the branch and no branch; a later one would fail on it. What holds
     * more than that was written by somebody and stays, unless it is known to be what a deletion has left.
     */
    private static void clearRemains(Dataset main, String name, boolean known) {
        int versions;
        try (Dataset remains = main.checkout(Ref.ofBranch(name))) {
            versions = remains.listVersions().size();
        } catch (Exception e) {
            // The library throws more than it declares.
            if (NativeErrors.cause(e) == NativeErrors.Cause.ABSENT) {
                return;
            }
            throw NativeErrors.translate(e);
        }
        if (versions > 1 && !known) {
            throw CatalogException.of(
                    ErrorCode.INVALID_TABLE_STATE,
                    "The place of the branch holds versions that no branch names; choose another name.");
        }
        main.branches().delete(name);
    }

    /** Code 22 unless the table has a branch of the name, code 13 for main. */
    public void require(TableLocation location, String name) {
        requireNoMain(name);
        RefNames.branch(name);
        if (named(location, name).isEmpty()) {
            throw DatasetHandles.noBranch(name);
        }
    }

    private static void requireNoMain(String name) {
        if (name.equals(MAIN)) {
            throw CatalogException.invalid("The main branch is the table itself; drop the table to remove it.");
        }
    }

    /**
     * Removes a branch with its versions and what was written on it. Whether that may be is for the caller to ask.
     *
     * @param allowed is asked while nobody changes the table's tags and branches; throws when the branch may not go
     * @throws CatalogException code 22 when there is none of the name, 19 when another branch began on it, 17 when it cannot be
     *     told whether it happened
     */
    public void delete(TableLocation location, String name, Runnable allowed) {
        requireNoMain(name);
        RefNames.branch(name);
        changes.alone(location, turn -> {
            boolean present = named(location, name).isPresent();
            if (!present && !deleted.isGoing(location, name)) {
                throw DatasetHandles.noBranch(name);
            }
            if (present) {
                allowed.run();
                deleted.going(location, name);
            }
            turn.require();
            removeOrStay(location, name);
            handles.invalidate(location.uri());
            deleted.forget(location, name);
            return true;
        });
    }

    private void removeOrStay(TableLocation location, String name) {
        try {
            remove(location, name);
        } catch (CatalogException e) {
            if (!e.mayHaveHappened()) {
                deleted.staying(location, name);
            }
            throw e;
        }
    }

    private void remove(TableLocation location, String name) {
        try (DatasetLease main = handles.open(location, TableVersion.LATEST)) {
            calls.metadata(() -> {
                try {
                    main.dataset().branches().delete(name);
                } catch (Exception e) {
                    // The library throws more than it declares.
                    if (NativeErrors.text(e).contains("ref conflict error")) {
                        throw CatalogException.of(
                                ErrorCode.INVALID_TABLE_STATE,
                                "Another branch began on the branch '" + name + "'; delete that first.",
                                e);
                    }
                    // A deletion that was cut off has left nothing more.
                    if (NativeErrors.cause(e) != NativeErrors.Cause.ABSENT) {
                        throw e;
                    }
                }
                return true;
            });
        }
    }

    private Optional<TableBranch> named(TableLocation location, @Nullable String name) {
        return list(location).stream()
                .filter(branch -> branch.name().equals(name))
                .findFirst();
    }

    private static CatalogException exists(String name) {
        return CatalogException.of(
                ErrorCode.TABLE_BRANCH_ALREADY_EXISTS, "The table has a branch '" + name + "' already.");
    }
}
