package io.rask.catalog.lance;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.Ref;

/** Opens branches and versions of tables anew, by the store alone. Whoever asks closes what is opened. */
final class DatasetOpening {
    private final NativeRuntime runtime;

    DatasetOpening(NativeRuntime runtime) {
        this.runtime = runtime;
    }

    /** The latest version of a branch; nothing while the table is only declared. Code 22 when the branch is gone. */
    Optional<SharedDataset> latest(BranchKey key) {
        Optional<Dataset> main = main(key.location());
        if (main.isEmpty() || key.branch() == null) {
            return main.map(SharedDataset::new);
        }
        try (Dataset from = main.get()) {
            return Optional.of(new SharedDataset(branch(from, key.branch())));
        }
    }

    private Optional<Dataset> main(TableLocation location) {
        ReadOptions options = new ReadOptions.Builder()
                .setStorageOptions(location.storageOptions())
                .build();
        try {
            return Optional.of(Dataset.open()
                    .allocator(runtime.allocator())
                    .uri(location.uri())
                    .readOptions(options)
                    .session(runtime.session())
                    .build());
        } catch (Exception e) {
            if (NativeErrors.isNoDataset(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Dataset branch(Dataset main, String branch) {
        try {
            return main.checkout(Ref.ofBranch(branch));
        } catch (Exception e) {
            throw NativeErrors.cause(e) == NativeErrors.Cause.ABSENT
                    ? DatasetHandles.noBranch(branch)
                    : NativeErrors.translate(e);
        }
    }

    /**
     * A numbered version of a branch; code 11 when there is none.
     *
     * @param latest the latest version of that branch
     * @param branch null for the main branch
     */
    static SharedDataset version(Dataset latest, @Nullable String branch, long number) {
        if (number < 1 || number > latest.version()) {
            throw DatasetHandles.noVersion(number);
        }
        try {
            return new SharedDataset(RowCommits.at(latest, branch, number));
        } catch (Exception e) {
            throw NativeErrors.cause(e) == NativeErrors.Cause.ABSENT
                    ? DatasetHandles.noVersion(number)
                    : NativeErrors.translate(e);
        }
    }
}
