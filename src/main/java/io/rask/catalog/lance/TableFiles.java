package io.rask.catalog.lance;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.lance.Dataset;
import org.springframework.stereotype.Component;

/** The folders in which tables live, below the root of their warehouse. */
@Component
public final class TableFiles {
    private static final int NAME_CHARACTERS = 100;

    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final DeletedVersions deleted;

    public TableFiles(NativeCalls calls, DatasetHandles handles, DeletedVersions deleted) {
        this.calls = calls;
        this.handles = handles;
        this.deleted = deleted;
    }

    /**
     * A location nobody has used: eight random hex digits and the id, as Lance's own catalog names them, with what a folder name
     * or an object key takes badly replaced. The id in it is for people; only the manifest says what lives where.
     */
    public static String newLocation(String storedId) {
        String readable = storedId.replaceAll("[^A-Za-z0-9._$-]", "_");
        String shortened = readable.substring(0, Math.min(readable.length(), NAME_CHARACTERS));
        return "%08x_%s".formatted(ThreadLocalRandom.current().nextInt(), shortened);
    }

    /** Whether a location lies below the root and is no place of the catalog's own. */
    public static boolean isInside(String location) {
        return !location.isBlank()
                && !location.contains("\\")
                && !location.startsWith("/")
                && !location.contains(":")
                && Arrays.stream(location.split("/", -1))
                        .noneMatch(segment -> segment.isEmpty()
                                || segment.equals(".")
                                || segment.equals("..")
                                || segment.startsWith("_"));
    }

    /** Deletes everything at a location below the root; nothing there is no failure. */
    public void delete(CatalogRoot root, String location) {
        if (!isInside(location)) {
            throw new IllegalArgumentException("not a place of a table: " + location);
        }
        handles.invalidate(root.resolve(location));
        calls.metadata(() -> {
            try {
                Dataset.drop(root.resolve(location), TableLocation.repeating(root.storageOptions()));
            } catch (Exception e) {
                if (NativeErrors.cause(e) != NativeErrors.Cause.ABSENT) {
                    throw e;
                }
            }
            return true;
        });
        deleted.forget(new TableLocation(root.resolve(location), root.storageOptions()));
    }
}
