package io.rask.catalog.trash;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lifecycle.DryRuns;
import io.rask.catalog.lifecycle.Purges;
import io.rask.catalog.lifecycle.Undrops;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.wire.PurgeResponse;
import io.rask.catalog.wire.UndropResponse;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/** The two ways out of the trash: back into the catalog, and away for good. */
@Component
final class TrashExits {
    private final Undrops undrops;
    private final Purges purges;
    private final DryRuns dryRuns;

    TrashExits(Undrops undrops, Purges purges, DryRuns dryRuns) {
        this.undrops = undrops;
        this.purges = purges;
        this.dryRuns = dryRuns;
    }

    UndropResponse undropTable(ObjectId id, ObjectId to) {
        return told(to, undrops.table(id, to));
    }

    UndropResponse undropNamespace(ObjectId id) {
        requireNoRoot(id);
        return told(id, undrops.namespace(id));
    }

    private static UndropResponse told(ObjectId id, Undrops.Undropped undropped) {
        List<String> warnings = new ArrayList<>();
        undropped
                .empty()
                .forEach(table -> warnings.add("The table '" + table
                        + "' holds no rows: it was only declared, or its files have gone since."));
        return new UndropResponse(id.stored(), ids(undropped.restored()), warnings);
    }

    private static List<String> ids(List<ManifestEntry> rows) {
        return rows.stream().map(ManifestEntry::id).toList();
    }

    Object purgeTable(ObjectId id, boolean force, boolean dry) {
        return purge(id, purges.table(id), force, dry);
    }

    Object purgeNamespace(ObjectId id, boolean force, boolean dry) {
        requireNoRoot(id);
        return purge(id, purges.namespace(id), force, dry);
    }

    private Object purge(ObjectId id, Purges.Doomed doomed, boolean force, boolean dry) {
        return dry
                ? dryRuns.of(doomed.home(), doomed::rows, doomed::rows, force, null)
                : new PurgeResponse(id.stored(), ids(purges.purge(doomed, force)));
    }

    private static void requireNoRoot(ObjectId id) {
        if (id.isRoot()) {
            throw CatalogException.invalid("The root is never in the trash.");
        }
    }
}
