package io.rask.catalog.version;

import io.rask.catalog.lance.DeletedVersions;
import io.rask.catalog.lance.NamedFiles;
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
import io.rask.catalog.wire.CreateVersionRequest;
import io.rask.catalog.wire.NamingScheme;
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

/** Whether a manifest that a client has written, and that lies ready, may become the next version of a branch. */
@Component
final class ManifestCheck {
    private static final long LARGEST_MANIFEST = 128L << 20;
    private static final int WIDTH = 8;
    private static final int ONE_BY_ONE = 64;

    private final DeletedVersions deleted;
    private final DatasetHeads heads;
    private final StoreFiles files;

    ManifestCheck(DeletedVersions deleted, DatasetHeads heads, StoreFiles files) {
        this.deleted = deleted;
        this.heads = heads;
        this.files = files;
    }

    /**
     * A manifest that may become a version.
     *
     * @param file where it lies ready
     * @param name what it is to be called
     */
    record Checked(VersionManifest manifest, Found file, String name) {}

    /**
     * Checks a manifest.
     *
     * @param staged its name in the folder of the branch's manifests
     * @throws CatalogException code 14 when the number is taken, or was; 13 for another number than the next, and for a file that is
     *     no manifest of that version of that table
     */
    Checked require(
            PlacedTable table, @Nullable String branch, VersionFiles place, String staged, CreateVersionRequest asked) {
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
        return new Checked(manifest, file, VersionFiles.name(scheme(latest, asked), number));
    }

    /** Whether two versions name the same files of rows. */
    boolean holdTheSame(VersionFiles place, long one, long other) {
        Optional<Found> first = place.of(files, one);
        Optional<Found> second = place.of(files, other);
        return first.isPresent()
                && second.isPresent()
                && names(place, first.get()).equals(names(place, second.get()));
    }

    private NamedFiles names(VersionFiles place, Found file) {
        try {
            return heads.names(place.home(), place.location(file.name()), file.size());
        } catch (IOException e) {
            throw CatalogException.unavailable("A version of a table cannot be read.", e);
        }
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

    static CatalogException taken(long number) {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION,
                "The number " + number + " is another version's; read the latest version and commit on top of it.");
    }

    static CatalogException refused(String field, String text) {
        return CatalogException.invalid(text, List.of(new FieldViolation(field, "does not fit")));
    }
}
