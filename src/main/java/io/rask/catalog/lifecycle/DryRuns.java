package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.wire.DryRunResponse;
import io.rask.catalog.wire.DryRunResponse.Planned;
import io.rask.catalog.wire.DryRunResponse.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Tells what a destructive request would do, by asking all that it would ask and doing nothing. */
@Component
public final class DryRuns {
    /** What stands in the way of a deletion. Any other failure is one of the request, dry or not. */
    private static final Set<ErrorCode> REFUSALS =
            Set.of(ErrorCode.NAMESPACE_NOT_EMPTY, ErrorCode.INVALID_TABLE_STATE, ErrorCode.CONCURRENT_MODIFICATION);

    private final Manifests manifests;
    private final DeletionCheck check;

    DryRuns(Manifests manifests, DeletionCheck check) {
        this.manifests = manifests;
        this.check = check;
    }

    /** Something that would be asked before anything is done. */
    @FunctionalInterface
    public interface Question {
        /** Throws what would be answered. */
        void ask();
    }

    /** Nothing would go, and that would be a success. */
    public DryRunResponse nothing() {
        return new DryRunResponse(true, false, null, List.of(), List.of());
    }

    /**
     * What would go.
     *
     * @param shown finds the rows that are told
     * @param selection finds the rows that go, and throws what stands against that
     * @param until from when on their bytes could go; null when they would go at once
     */
    public DryRunResponse of(
            StorageProfile home,
            Function<ManifestView, List<ManifestEntry>> shown,
            Function<ManifestView, List<ManifestEntry>> selection,
            boolean force,
            @Nullable Instant until) {
        ManifestView view = manifests.view(home.root());
        List<ManifestEntry> rows = shown.apply(view);
        return of(
                rows.stream().map(DryRuns::planned).toList(),
                until,
                List.of(
                        () -> Objects.requireNonNull(selection.apply(view)),
                        () -> check.drop(home, rows, force).require()));
    }

    /** What would go, and which of the questions stand against it. */
    public static DryRunResponse of(List<Planned> objects, @Nullable Instant until, List<Question> questions) {
        List<Refusal> refusals = new ArrayList<>();
        for (Question question : questions) {
            try {
                question.ask();
            } catch (CatalogException e) {
                if (!REFUSALS.contains(e.code())) {
                    throw e;
                }
                refusals.add(new Refusal(e.code().number(), e.text()));
            }
        }
        return new DryRunResponse(
                true, until != null, until == null ? null : until.toString(), objects, List.copyOf(refusals));
    }

    /** A row as it is told. */
    public static Planned planned(ManifestEntry row) {
        return new Planned(TrashRecord.kindOf(row), row.id(), row.location());
    }
}
