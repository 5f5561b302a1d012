package io.rask.catalog.version;

import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.storage.StoreFiles.Found;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.wire.NamingScheme;
import java.math.BigInteger;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The manifest files of one branch, one for each version.
 *
 * @param folder where they are, below the root of the warehouse
 * @param tableFolder where the table is
 */
record VersionFiles(StorageProfile home, String tableFolder, String folder) {
    private static final BigInteger LARGEST = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    private static final Pattern V1 = Pattern.compile("[0-9]{1,19}\\.manifest");
    private static final Pattern V2 = Pattern.compile("[0-9]{20}\\.manifest");

    /** @param branch null for the main branch */
    static VersionFiles of(PlacedTable table, @Nullable String branch) {
        return of(table.home(), table.relativeLocation(), branch);
    }

    /**
     * The files of a table at a place below the root.
     *
     * @param branch null for the main branch
     */
    static VersionFiles of(StorageProfile home, String table, @Nullable String branch) {
        String dataset = table + (branch == null ? "" : "/tree/" + branch);
        return new VersionFiles(home, table, dataset + "/_versions");
    }

    /** Whether a name is that of a version's manifest, and not of one that lies ready. */
    static boolean isManifest(String name) {
        return V1.matcher(name).matches() || V2.matcher(name).matches();
    }

    static NamingScheme scheme(String name) {
        return V2.matcher(name).matches() ? NamingScheme.V2 : NamingScheme.V1;
    }

    static String name(NamingScheme scheme, long number) {
        return scheme == NamingScheme.V1
                ? number + ".manifest"
                : "%020d.manifest".formatted(LARGEST.subtract(BigInteger.valueOf(number)));
    }

    /** All there are, by the number of their version. */
    NavigableMap<Long, Found> all(StoreFiles files) {
        NavigableMap<Long, Found> all = new TreeMap<>();
        for (Found found : files.files(home, folder, Integer.MAX_VALUE)) {
            if (isManifest(found.name())) {
                all.put(number(found.name()), found);
            }
        }
        return all;
    }

    Optional<Found> of(StoreFiles files, long number) {
        return files.file(home, location(name(NamingScheme.V2, number)))
                .or(() -> files.file(home, location(name(NamingScheme.V1, number))));
    }

    /** The place of a file below the root. */
    String location(String name) {
        return folder + "/" + name;
    }

    /** The place of a file below the table, as clients are told it. */
    String told(String name) {
        return location(name).substring(tableFolder.length() + 1);
    }

    private static long number(String name) {
        BigInteger number = new BigInteger(name.substring(0, name.indexOf('.')));
        return (scheme(name) == NamingScheme.V2 ? LARGEST.subtract(number) : number).longValue();
    }
}
