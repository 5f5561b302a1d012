package io.rask.catalog.lifecycle;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobRun;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finishes drops that were begun and not ended: takes the rights back that are still held on what is gone, and deletes the bytes of
 * tables whose rows are gone. A table whose row is still there was not dropped, or is in the trash, and keeps its bytes.
 */
@Component
public final class DeleteBytes extends JobKind<DeleteBytes.Spec> {
    static final String NAME = "delete_bytes";
    private static final int MOST_NAMED = 100;
    private static final int BATCH = 100;

    private final Locator locator;
    private final Manifests manifests;
    private final TableRemoval removal;
    private final Endings endings;
    private final TopLevelNamespaces topLevel;
    private final Protections protections;
    private final TrashRecords trash;

    public DeleteBytes(
            Locator locator,
            Manifests manifests,
            TableRemoval removal,
            Endings endings,
            TopLevelNamespaces topLevel,
            Protections protections,
            TrashRecords trash) {
        super(NAME, Spec.class);
        this.endings = endings;
        this.topLevel = topLevel;
        this.protections = protections;
        this.trash = trash;
        this.locator = locator;
        this.manifests = manifests;
        this.removal = removal;
    }

    /**
     * What a drop was about to delete.
     *
     * @param root the root of the warehouse, as a URI
     * @param namespaces the stored ids of those whose names are to be freed, among them tables whose bytes stay and names between which
     *     a table was moved; absent in older records
     */
    public record Spec(
            String root, List<Dropped> tables, @Nullable List<String> namespaces) {}

    /** A table: its stored id, and where it lived below the root. */
    public record Dropped(String id, String location) {}

    @Override
    public ObjectNode run(Spec spec, JobRun run) {
        StorageProfile home = locator.atRoot(spec.root())
                .orElseThrow(() -> CatalogException.of(
                        ErrorCode.TABLE_NOT_FOUND, "The warehouse of the dropped tables is gone; their bytes stay."));
        run.phase("taking back the rights on what was dropped");
        end(home, spec, run.jobId());
        unbind(home, spec);
        run.phase("deleting the bytes of dropped tables");
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        ArrayNode kept = JsonNodeFactory.instance.arrayNode();
        List<ManifestEntry> gone = spec.tables().stream()
                .filter(table -> !isThere(home, table))
                .map(table -> ManifestEntry.table(table.id(), table.location(), null))
                .toList();
        int done = 0;
        int stayed = 0;
        for (int from = 0; from < gone.size(); from += BATCH) {
            run.progress(from, gone.size(), "tables");
            List<ManifestEntry> batch = gone.subList(from, Math.min(gone.size(), from + BATCH));
            Map<String, DeletionAnswer.Refused> refusals = removal.removeBytes(home, batch);
            requireKnown(refusals);
            done += batch.size() - refusals.size();
            stayed += refusals.size();
            refusals.keySet().stream().limit(MOST_NAMED - (long) kept.size()).forEach(kept::add);
        }
        result.put("deleted", done);
        result.put("not_needed", spec.tables().size() - gone.size());
        result.put("stayed", stayed);
        result.set("kept", kept);
        return result;
    }

    /** Frees the names of what is gone. */
    private void end(StorageProfile home, Spec spec, String job) {
        ManifestView view = manifests.view(home.root());
        Stream<String> tables = spec.tables().stream()
                .filter(table -> Endings.isEnding(view, ManifestEntry.table(table.id(), table.location(), null)))
                .map(Dropped::id);
        List<ManifestEntry> ending = Stream.concat(tables, names(spec).stream())
                .flatMap(id -> view.find(id).stream())
                .filter(ManifestEntry::isEnding)
                .filter(row -> !row.isHeldByOther(job))
                .toList();
        if (ending.isEmpty()) {
            return;
        }
        // While their names are taken, what is said of them is about nothing else. Of a name that is held it is about a
        // table that has another name and lives on.
        List<ManifestEntry> gone = ending.stream()
                .filter(row -> !row.isHeld())
                .map(ManifestEntry::restored)
                .toList();
        protections.forget(protections.find(gone));
        trash.forgetFound(trash.find(gone));
        endings.finish(home, ending);
    }

    /** An attempt before may have freed the names and not come to this. */
    private void unbind(StorageProfile home, Spec spec) {
        if (!locator.hasWarehouses()) {
            return;
        }
        ManifestView view = manifests.view(home.root());
        names(spec).stream()
                .filter(name -> ManifestEntry.namespace(name, null).parent().isEmpty())
                .filter(name -> view.find(name).isEmpty())
                .forEach(topLevel::forget);
    }

    private static List<String> names(Spec spec) {
        return Objects.requireNonNullElse(spec.namespaces(), List.of());
    }

    /** What could not be looked at is tried again; what was refused stays. */
    private static void requireKnown(Map<String, DeletionAnswer.Refused> refusals) {
        refusals.values().stream()
                .filter(refused -> refused.reason() == DeletionAnswer.Reason.UNKNOWN)
                .findFirst()
                .ifPresent(DeletionAnswer::require);
    }

    private boolean isThere(StorageProfile home, Dropped table) {
        Optional<ManifestEntry> row = manifests.view(home.root()).find(table.id());
        return row.filter(entry -> table.location().equals(entry.location())).isPresent();
    }
}
