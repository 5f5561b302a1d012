package io.rask.catalog.version;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.RefChanges;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.lance.TableVersions;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.storage.StoreFiles.Found;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.CreateVersionRequest;
import io.rask.catalog.wire.VersionEntry;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Makes versions of manifests that clients have written and that lie ready. Of several for one number the first wins, against
 * writers of every kind: the file gets its final name only while nothing has it.
 */
@Component
final class VersionRegistration {
    private final Tables tables;
    private final TableVersions versions;
    private final RefChanges changes;
    private final ManifestCheck check;
    private final StoreFiles files;

    VersionRegistration(
            Tables tables, TableVersions versions, RefChanges changes, ManifestCheck check, StoreFiles files) {
        this.tables = tables;
        this.versions = versions;
        this.changes = changes;
        this.check = check;
        this.files = files;
    }

    /**
     * Makes the version.
     *
     * @param named the branch; null for the main branch
     * @throws CatalogException code 14 when the number is taken, or was; 13 for another number than the next, and for a file that is
     *     no manifest of that version of that table; 22 for an unknown branch
     */
    VersionEntry create(ObjectId id, @Nullable String named, CreateVersionRequest asked) {
        if (asked.version() < 1) {
            throw ManifestCheck.refused("version", "The first version of a table is 1.");
        }
        PlacedTable table = tables.requireWritable(id);
        String branch = TableVersion.ofBranch(named).branch();
        if (branch != null) {
            versions.describe(table.location(), TableVersion.ofBranch(branch));
        }
        VersionFiles place = VersionFiles.of(table, branch);
        String staged = StagedManifest.name(place, asked.manifestPath());
        VersionEntry made = changes.alone(
                table.location(),
                turn -> place.all(files).isEmpty()
                        ? changes.first(table.location(), first -> create(table, branch, place, staged, asked, first))
                        : create(table, branch, place, staged, asked, turn));
        tables.requireStill(table);
        return made;
    }

    private VersionEntry create(
            PlacedTable table,
            @Nullable String branch,
            VersionFiles place,
            String staged,
            CreateVersionRequest asked,
            RefChanges.Turn turn) {
        ManifestCheck.Checked checked = check.require(table, branch, place, staged, asked);
        String name = checked.name();
        turn.require();
        if (!files.copyIfAbsent(place.home(), place.location(staged), place.location(name))) {
            throw ManifestCheck.taken(asked.version());
        }
        files.delete(place.home(), place.location(staged));
        Found made = files.file(place.home(), place.location(name))
                .orElse(new Found(name, checked.file().tag(), checked.file().size()));
        return Versions.entry(place, asked.version(), made, checked.manifest().timestampMillis(), null);
    }
}
