package io.rask.catalog.lifecycle;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rask.catalog.lance.NamedFiles;
import io.rask.catalog.lance.VersionManifest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.storage.StoreFiles;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/**
 * Reads the manifest file of the newest version on the main line and on each branch of a dataset. A manifest file never changes,
 * so one that was read once is not read again.
 */
@Component
public final class DatasetHeads {
    private static final String VERSIONS = "_versions";
    private static final String BRANCHES = "tree";
    private static final Set<String> NO_BRANCHES =
            Set.of(VERSIONS, "_transactions", "_indices", "_deletions", "_refs", "_mem_wal", "data");
    private static final int DEEPEST_BRANCH = 16;

    private static final Pattern NEWEST_FIRST = Pattern.compile("[0-9]{20}\\.manifest");
    private static final Pattern OLDEST_FIRST = Pattern.compile("[0-9]{1,19}\\.manifest");
    private static final int FIRST_LOOK = 100;
    private static final long WHOLE = 1 << 16;

    private final StoreFiles files;
    private final Cache<Key, VersionManifest> read =
            Caffeine.newBuilder().maximumSize(200_000).build();

    private record Key(String place, String tag) {}

    public DatasetHeads(StoreFiles files) {
        this.files = files;
    }

    /**
     * The heads of the dataset at a location below a root; none where there is no dataset.
     *
     * @throws CatalogException code 17 when a file cannot be read or is no manifest
     */
    public List<VersionManifest> of(StorageProfile home, String location) {
        List<VersionManifest> heads = new ArrayList<>();
        head(home, location).ifPresent(heads::add);
        branches(home, location + "/" + BRANCHES, 1, heads);
        return heads;
    }

    /** Whether the folder holds versions of a dataset. */
    public boolean isDataset(StorageProfile home, String location) {
        return !files.files(home, location + "/" + VERSIONS, 1).isEmpty();
    }

    private void branches(StorageProfile home, String folder, int depth, List<VersionManifest> heads) {
        for (String name : files.folders(home, folder)) {
            if (NO_BRANCHES.contains(name)) {
                continue;
            }
            if (depth == DEEPEST_BRANCH) {
                throw unreadable(folder, new IOException("branches nest too deep"));
            }
            String branch = folder + "/" + name;
            head(home, branch).ifPresent(heads::add);
            branches(home, branch, depth + 1, heads);
        }
    }

    private Optional<VersionManifest> head(StorageProfile home, String dataset) {
        String folder = dataset + "/" + VERSIONS;
        List<StoreFiles.Found> found = files.files(home, folder, FIRST_LOOK);
        Optional<StoreFiles.Found> newest = found.stream()
                .filter(file -> NEWEST_FIRST.matcher(file.name()).matches())
                .min(Comparator.comparing(StoreFiles.Found::name));
        if (newest.isEmpty() && !found.isEmpty()) {
            newest = files.files(home, folder, Integer.MAX_VALUE).stream()
                    .filter(file -> OLDEST_FIRST.matcher(file.name()).matches())
                    .max(Comparator.comparing(file -> number(file.name())));
        }
        return newest.map(file -> read(home, folder + "/" + file.name(), file));
    }

    private static long number(String name) {
        return Long.parseLong(name.substring(0, name.indexOf('.')));
    }

    /**
     * What a manifest file says.
     *
     * @throws CatalogException code 17 when it cannot be read or is no manifest
     */
    public VersionManifest read(StorageProfile home, String location, StoreFiles.Found file) {
        return read.get(new Key(home.root().resolve(location), file.tag()), any -> {
            try {
                return claimed(home, location, file.size());
            } catch (IOException e) {
                throw unreadable(location, e);
            }
        });
    }

    /**
     * What a file says that somebody claims to be a manifest.
     *
     * @throws IOException when it is none
     */
    public VersionManifest claimed(StorageProfile home, String location, long size) throws IOException {
        return message(home, location, size, VersionManifest::read);
    }

    /**
     * The files that a manifest file names.
     *
     * @throws IOException when it is none
     */
    public NamedFiles names(StorageProfile home, String location, long size) throws IOException {
        return message(home, location, size, NamedFiles::read);
    }

    private interface Reading<T> {
        T of(InputStream message) throws IOException;
    }

    private <T> T message(StorageProfile home, String location, long size, Reading<T> reading) throws IOException {
        long from = Math.max(0, size - WHOLE);
        byte[] tail;
        try (InputStream end = files.open(home, location, from, size)) {
            tail = end.readAllBytes();
        }
        if (tail.length < VersionManifest.FOOTER) {
            throw new IOException("the manifest file is cut off");
        }
        byte[] footer = Arrays.copyOfRange(tail, tail.length - VersionManifest.FOOTER, tail.length);
        long begin = VersionManifest.begin(footer);
        if (begin < 0 || begin >= size) {
            throw new IOException("the manifest file is damaged");
        }
        if (begin >= from) {
            int at = (int) (begin - from);
            return reading.of(new ByteArrayInputStream(tail, at, tail.length - at));
        }
        try (InputStream message = new BufferedInputStream(files.open(home, location, begin, size))) {
            return reading.of(message);
        }
    }

    private static CatalogException unreadable(String place, IOException e) {
        return CatalogException.unavailable(
                "A dataset in the storage of a warehouse cannot be read.", new IOException(place, e));
    }
}
