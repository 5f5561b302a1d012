package io.rask.catalog.version;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.DeletedVersions;
import io.rask.catalog.lance.NumberRanges;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.lance.TableVersions;
import io.rask.catalog.lance.VersionFacts;
import io.rask.catalog.lifecycle.DatasetHeads;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.storage.StoreFiles.Found;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.ListVersionsResponse;
import io.rask.catalog.wire.VersionEntry;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Tells which versions tables have. */
@Component
final class Versions {
    private static final int WIDTH = 8;

    private final Tables tables;
    private final TableVersions versions;
    private final DeletedVersions deleted;
    private final DatasetHeads heads;
    private final StoreFiles files;

    Versions(Tables tables, TableVersions versions, DeletedVersions deleted, DatasetHeads heads, StoreFiles files) {
        this.tables = tables;
        this.versions = versions;
        this.deleted = deleted;
        this.heads = heads;
        this.files = files;
    }

    /**
     * A page of a branch's versions; none while the table is only declared.
     *
     * @param page its token is the number of the last version of the page before
     * @throws CatalogException code 22 for an unknown branch, 13 for a token that is no number
     */
    ListVersionsResponse list(ObjectId id, @Nullable String named, boolean descending, PageRequest page) {
        Long after = after(page);
        PlacedTable table = tables.require(id);
        String branch = TableVersion.ofBranch(named).branch();
        if (branch != null) {
            versions.describe(table.location(), TableVersion.ofBranch(branch));
        }
        VersionFiles place = VersionFiles.of(table, branch);
        NavigableMap<Long, Found> present = present(table, branch, place);
        NavigableMap<Long, Found> ordered = descending ? present.descendingMap() : present;
        NavigableMap<Long, Found> rest = after == null ? ordered : ordered.tailMap(after, false);
        List<Map.Entry<Long, Found>> cut =
                rest.entrySet().stream().limit(page.limit()).toList();
        List<VersionEntry> entries =
                Fanout.map(cut, WIDTH, found -> entry(place, found.getKey(), found.getValue())).stream()
                        .flatMap(Optional::stream)
                        .toList();
        boolean more = cut.size() < rest.size();
        return new ListVersionsResponse(
                entries, more ? String.valueOf(cut.getLast().getKey()) : null);
    }

    private static @Nullable Long after(PageRequest page) {
        String token = page.after();
        try {
            return token == null ? null : Long.valueOf(token);
        } catch (NumberFormatException e) {
            throw CatalogException.invalid("The page token is none of this listing; leave it out to begin anew.");
        }
    }

    /** The versions that were not deleted, even where a deletion was cut off and their files are still there. */
    private NavigableMap<Long, Found> present(PlacedTable table, @Nullable String branch, VersionFiles place) {
        NavigableMap<Long, Found> all = place.all(files);
        NumberRanges gone = deleted.of(table.location(), branch);
        all.keySet().removeIf(gone::contains);
        return all;
    }

    /** Nothing when the version was deleted since the files were listed. */
    private Optional<VersionEntry> entry(VersionFiles place, long number, Found file) {
        try {
            long timestamp =
                    heads.read(place.home(), place.location(file.name()), file).timestampMillis();
            // LanceDB's older clients read no list without it.
            return Optional.of(entry(place, number, file, timestamp, Map.of()));
        } catch (CatalogException e) {
            if (files.file(place.home(), place.location(file.name())).isEmpty()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    static VersionEntry entry(
            VersionFiles place, long number, Found file, long timestamp, @Nullable Map<String, String> metadata) {
        // A folder has no tags of its own; what is ours is nobody else's.
        String tag = place.home().place() instanceof StoreUri.Bucket ? file.tag() : null;
        return new VersionEntry(number, place.told(file.name()), file.size(), tag, timestamp, metadata);
    }

    /**
     * One version.
     *
     * @param number null for the latest of the branch
     * @throws CatalogException code 22 for an unknown branch, 11 for an unknown version, 19 when the table is only declared
     */
    VersionEntry describe(ObjectId id, @Nullable String branch, @Nullable Long number) {
        TableVersion wanted = new TableVersion(branch, number);
        PlacedTable table = tables.require(id);
        VersionFacts facts = versions.describe(table.location(), wanted);
        VersionFiles place = VersionFiles.of(table, wanted.branch());
        return place.of(files, facts.number())
                .map(file -> entry(place, facts.number(), file, facts.timestampMillis(), facts.metadata()))
                .orElseThrow(() -> CatalogException.of(
                        ErrorCode.TABLE_VERSION_NOT_FOUND,
                        "The table has no version " + facts.number() + " on this branch."));
    }

    /**
     * Returns to a version, by a new one.
     *
     * @param number null for the latest, where nothing is to be done
     * @param mayLack whether the number may be null; otherwise that is code 13
     * @return the latest version then
     */
    long restore(ObjectId id, @Nullable String branch, @Nullable Long number, boolean mayLack) {
        if (number == null && !mayLack) {
            throw CatalogException.invalid(
                    "The body does not say which version to return to.",
                    List.of(new FieldViolation("version", "must be present")));
        }
        TableVersion wanted = new TableVersion(branch, number);
        PlacedTable table = tables.requireWritable(id);
        if (number == null) {
            return versions.describe(table.location(), wanted).number();
        }
        long made = versions.restore(table.location(), wanted);
        tables.requireStill(table);
        return made;
    }
}
