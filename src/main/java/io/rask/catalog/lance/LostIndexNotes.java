package io.rask.catalog.lance;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.operation.UpdateConfig;
import org.lance.operation.UpdateMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** The notes of indices that went when their columns got another type. A note is there until its index is, or nobody wants it. */
@Component
public final class LostIndexNotes {
    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final TableMetadata metadata;
    private final ObjectProvider<UnfinishedChanges> unfinished;

    LostIndexNotes(
            NativeCalls calls,
            DatasetHandles handles,
            TableMetadata metadata,
            ObjectProvider<UnfinishedChanges> unfinished) {
        this.calls = calls;
        this.handles = handles;
        this.metadata = metadata;
        this.unfinished = unfinished;
    }

    /**
     * The indices that the latest version of a branch has lost; none while the table is only declared.
     *
     * @param branch null or {@code main} for the main branch
     * @throws io.rask.catalog.problem.CatalogException code 22 for an unknown branch
     */
    public List<LostIndex> list(TableLocation location, @Nullable String branch) {
        return calls.metadata(() -> handles.find(location, TableVersion.ofBranch(branch))
                .map(lease -> {
                    try (lease) {
                        return LostIndices.of(lease.dataset());
                    }
                })
                .orElse(List.of()));
    }

    /**
     * Takes the notes of an index away, in one commit; without any there is none.
     *
     * @throws io.rask.catalog.problem.CatalogException code 14 when other writers were faster each time
     */
    public void forget(TableLocation location, @Nullable String branch, String name) {
        if (list(location, branch).stream().noneMatch(lost -> lost.name().equals(name))) {
            return;
        }
        // Whoever looks at indices or makes one comes here too, past the door of those who change tables.
        unfinished.ifAvailable(open -> open.settle(location));
        metadata.change(location, branch, (table, after) -> change(table, name));
    }

    private static Optional<UpdateConfig> change(Dataset table, String name) {
        Map<Integer, UpdateMap> changes = new HashMap<>();
        for (Field column : ColumnIds.of(table)) {
            String notes = column.getMetadata().get(ColumnBindings.LOST_INDICES);
            String left = LostIndices.without(column, name);
            if (notes != null && !notes.equals(left)) {
                Map<String, @Nullable String> change = new HashMap<>();
                change.put(ColumnBindings.LOST_INDICES, left);
                changes.put(ColumnIds.id(column), TableMetadata.map(change));
            }
        }
        return changes.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        UpdateConfig.builder().fieldMetadataUpdates(changes).build());
    }
}
