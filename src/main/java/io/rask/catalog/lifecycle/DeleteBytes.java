package io.rask.catalog.lifecycle;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobRun;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finishes drops that were begun and not ended: the bytes of tables whose rows are gone. A table whose row is still there was not
 * dropped, and keeps its bytes.
 */
@Component
public final class DeleteBytes implements JobKind<DeleteBytes.Spec> {
    static final String NAME = "delete_bytes";
    private static final int MOST_NAMED = 100;

    private final Locator locator;
    private final Manifests manifests;
    private final TableRemoval removal;

    public DeleteBytes(Locator locator, Manifests manifests, TableRemoval removal) {
        this.locator = locator;
        this.manifests = manifests;
        this.removal = removal;
    }

    /**
     * What a drop was about to delete.
     *
     * @param root the root of the warehouse, as a URI
     */
    public record Spec(String root, List<Dropped> tables) {}

    /** A table: its stored id, and where it lived below the root. */
    public record Dropped(String id, String location) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<Spec> specType() {
        return Spec.class;
    }

    @Override
    public ObjectNode run(Spec spec, JobRun run) {
        StorageProfile home = locator.atRoot(spec.root())
                .orElseThrow(() -> CatalogException.of(
                        ErrorCode.TABLE_NOT_FOUND, "The warehouse of the dropped tables is gone; their bytes stay."));
        run.phase("deleting the bytes of dropped tables");
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        ArrayNode kept = JsonNodeFactory.instance.arrayNode();
        int deleted = 0;
        int notNeeded = 0;
        for (int i = 0; i < spec.tables().size(); i++) {
            Dropped table = spec.tables().get(i);
            run.progress(i, spec.tables().size(), "tables");
            if (isThere(home, table)) {
                notNeeded++;
            } else if (removal.remove(home, table.location())) {
                deleted++;
            } else if (kept.size() < MOST_NAMED) {
                kept.add(table.location());
            }
        }
        result.put("deleted", deleted);
        result.put("not_needed", notNeeded);
        result.set("kept", kept);
        return result;
    }

    private boolean isThere(StorageProfile home, Dropped table) {
        Optional<ManifestEntry> row = manifests.view(home.root()).table(table.id());
        return row.filter(entry -> table.location().equals(entry.location())).isPresent();
    }
}
