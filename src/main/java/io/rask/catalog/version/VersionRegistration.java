package io.rask.catalog.version;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.DeletedVersions;
import io.rask.catalog.lance.NamedFiles;
import io.rask.catalog.lance.RefChanges;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.lance.TableVersions;
import io.rask.catalog.lance.VersionManifest;
import io.rask.catalog.lifecycle.DatasetHeads;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.storage.StoreFiles.Found;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.CreateVersionRequest;
import io.rask.catalog.wire.NamingScheme;
import io.rask.catalog.wire.VersionEntry;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Makes versions of manifests that clients have written and that lie ready. Of several for one number the first wins, against
 * writers of every kind: the file gets its final name only while nothing has it.
 */
@Component
final class VersionRegistration {
    private static final long LARGEST_MANIFEST = 128L << 20;
    private static final int WIDTH = 8;
    private static final int ONE_BY_ONE = 64;

    private final Tables tables;
    private final TableVersions versions;
    private final RefChanges changes;
    private final DeletedVersions deleted;
    private final DatasetHeads heads;
    private final StoreFiles files;

    VersionRegistration(
            Tables tables,
            TableVersions versions,
            RefChanges changes,
            DeletedVersions deleted,
            DatasetHeads heads,
            StoreFiles files) {
        this.tables = tables;
        this.versions = versions;
        this.changes = changes;
        this.deleted = deleted;
        this.heads = heads;
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
            throw refused("version", "The first version of a table is 1.");
        }
        PlacedTable table = tables.require(id);
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
        NavigableMap<Long, Found> present = place.all(files);
        long number = asked.version();
        long next = present.isEmpty() ? 1 : present.lastKey() + 1;
        if (number < next || deleted.of(table.location(), branch).contains(number)) {
            throw taken(number);
        }
        if (number > next) {
            throw refused("version", "The next version of the branch is " + next + ", not " + number + ".");
        }
        Found latest = present.isEmpty() ? null : present.lastEntry().getValue();
        Found file = staged(place, staged, asked);
        VersionManifest manifest = checked(place, branch, latest, file, number);
        String name = VersionFiles.name(scheme(latest, asked), number);
        turn.require();
        if (!files.copyIfAbsent(place.home(), place.location(staged), place.location(name))) {
            throw taken(number);
        }
        files.delete(place.home(), place.location(staged));
        Found made = files.file(place.home(), place.location(name)).orElse(new Found(name, file.tag(), file.size()));
        return Versions.entry(place, number, made, manifest.timestampMillis(), null);
    }

    private Found staged(VersionFiles place, String name, CreateVersionRequest asked) {
        Found file = files.file(place.home(), place.location(name))
                .orElseThrow(() -> refused("manifest_path", "There is no manifest at the path."));
        if (file.size() > LARGEST_MANIFEST) {
            throw refused("manifest_path", "The manifest has more than " + LARGEST_MANIFEST + " bytes.");
        }
        if (asked.manifestSize() != null && asked.manifestSize() != file.size()) {
            throw refused("manifest_size", "The manifest has " + file.size() + " bytes.");
        }
        boolean tagged = place.home().place() instanceof StoreUri.Bucket;
        if (tagged && asked.eTag() != null && !bare(asked.eTag()).equals(bare(file.tag()))) {
            throw refused("e_tag", "The manifest has another tag; it was written again.");
        }
        return file;
    }

    private static String bare(String tag) {
        return tag.replace("\"", "");
    }

    private static NamingScheme scheme(@Nullable Found latest, CreateVersionRequest asked) {
        NamingScheme wanted = Objects.requireNonNullElse(asked.namingScheme(), NamingScheme.V2);
        if (latest == null) {
            return wanted;
        }
        NamingScheme present = VersionFiles.scheme(latest.name());
        if (asked.namingScheme() != null && wanted != present) {
            throw refused("naming_scheme", "The manifests of the table are named by the scheme " + present + ".");
        }
        return present;
    }

    /** Reads the manifest, which must be of this version of this branch and name only files the table has. */
    private VersionManifest checked(
            VersionFiles place, @Nullable String branch, @Nullable Found latest, Found file, long number) {
        try {
            String at = place.location(file.name());
            VersionManifest manifest = heads.claimed(place.home(), at, file.size());
            if (manifest.number() != number
                    || !manifest.branch().equals(branch == null ? "" : branch)
                    || !manifest.isSupported()) {
                throw refused("manifest_path", "The manifest is not one of version " + number + " of this branch.");
            }
            List<String> bases = latest == null
                    ? List.of()
                    : heads.read(place.home(), place.location(latest.name()), latest)
                            .bases();
            NamedFiles before = latest == null
                    ? NamedFiles.NONE
                    : heads.names(place.home(), place.location(latest.name()), latest.size());
            NamedFiles named = heads.names(place.home(), at, file.size());
            if (!new HashSet<>(bases).containsAll(manifest.bases())
                    || !before.elsewhere().containsAll(named.elsewhere())
                    || !present(place, added(named, before))) {
                throw refused("manifest_path", "The manifest names files that are not the table's.");
            }
            return manifest;
        } catch (IOException e) {
            throw refused("manifest_path", "The file at the path is no manifest of a version.");
        }
    }

    private static Set<String> added(NamedFiles named, NamedFiles before) {
        Set<String> added = new TreeSet<>(named.own());
        added.removeAll(before.own());
        return added;
    }

    private boolean present(VersionFiles place, Set<String> names) {
        if (names.stream().anyMatch(name -> name.contains("..") || name.indexOf('/') != name.lastIndexOf('/'))) {
            return false;
        }
        String dataset = place.folder().substring(0, place.folder().lastIndexOf('/'));
        if (names.size() <= ONE_BY_ONE) {
            return Fanout.map(List.copyOf(names), WIDTH, name -> files.file(place.home(), dataset + "/" + name))
                    .stream()
                    .allMatch(Optional::isPresent);
        }
        Set<String> found = new HashSet<>();
        for (String folder : List.of("data", "_deletions")) {
            files.files(place.home(), dataset + "/" + folder, Integer.MAX_VALUE)
                    .forEach(file -> found.add(folder + "/" + file.name()));
        }
        return found.containsAll(names);
    }

    private static CatalogException taken(long number) {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION,
                "The number " + number + " is another version's; read the latest version and commit on top of it.");
    }

    private static CatalogException refused(String field, String text) {
        return CatalogException.invalid(text, List.of(new FieldViolation(field, "does not fit")));
    }
}
