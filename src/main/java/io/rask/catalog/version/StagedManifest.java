package io.rask.catalog.version;

import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import java.util.List;
import java.util.regex.Pattern;

/** Where a manifest lies that is to become a version: beside those of its branch, under a name that none of them has. */
final class StagedManifest {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}");

    private StagedManifest() {}

    /**
     * The name of the file in the folder of the branch's manifests.
     *
     * @param path below the table, below the branch, in the bucket or file system, or as a URI
     * @throws CatalogException code 13 for any other place, another table's above all
     */
    static String name(VersionFiles place, String path) {
        int slash = path.lastIndexOf('/');
        String name = path.substring(slash + 1);
        boolean ours = slash > 0 && folders(place).contains(path.substring(0, slash));
        if (!ours || !NAME.matcher(name).matches() || VersionFiles.isManifest(name)) {
            throw CatalogException.invalid(
                    "The manifest path names no file that lies ready in the _versions folder of the table, or of the branch"
                            + " that is named; a version takes over no other manifest.",
                    List.of(new FieldViolation("manifest_path", "must lie in the table's own folder of versions")));
        }
        return name;
    }

    private static List<String> folders(VersionFiles place) {
        StoreUri root = place.home().place();
        String inStore = switch (root) {
            case StoreUri.Bucket bucket ->
                bucket.prefix().isEmpty() ? place.folder() : bucket.prefix() + "/" + place.folder();
            case StoreUri.Folder folder -> folder.path().toString().substring(1) + "/" + place.folder();
        };
        return List.of(
                "_versions",
                place.folder().substring(place.tableFolder().length() + 1),
                inStore,
                root.location() + "/" + place.folder(),
                root.external() + "/" + place.folder());
    }
}
