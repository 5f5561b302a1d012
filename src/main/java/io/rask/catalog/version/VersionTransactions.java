package io.rask.catalog.version;

import io.rask.catalog.lance.DeletedVersions;
import io.rask.catalog.lance.NumberRanges;
import io.rask.catalog.lance.TableBranch;
import io.rask.catalog.lance.TableBranches;
import io.rask.catalog.lance.TransactionFile;
import io.rask.catalog.lance.VersionManifest;
import io.rask.catalog.lifecycle.DatasetHeads;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.storage.StoreFiles.Found;
import io.rask.catalog.table.PlacedTable;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The transactions that made the versions of tables, from the files of the table alone: the library ends the process when it is asked
 * for the transaction of a version that a branch or a shallow clone begins with.
 */
@Component
public final class VersionTransactions {
    private static final int WIDTH = 8;
    private static final int BATCH = 64;
    private static final int LONGEST_NUMBER = 18;
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,17}");
    private static final Pattern UUID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern FILE = Pattern.compile("(?<read>[0-9]{1,20})-(?<uuid>[0-9a-fA-F-]{36})\\.txn");

    private final TableBranches branches;
    private final DeletedVersions deleted;
    private final DatasetHeads heads;
    private final StoreFiles files;

    VersionTransactions(TableBranches branches, DeletedVersions deleted, DatasetHeads heads, StoreFiles files) {
        this.branches = branches;
        this.deleted = deleted;
        this.heads = heads;
        this.files = files;
    }

    /**
     * The transaction of a table.
     *
     * @param name the number of a version of the main branch, or the id of the transaction that made a version of any branch
     */
    public Optional<VersionTransaction> find(PlacedTable table, String name) {
        if (NUMBER.matcher(name).matches()) {
            long number = Long.parseLong(name);
            VersionFiles place = VersionFiles.of(table, null);
            return deleted.of(table.location(), null).contains(number)
                    ? Optional.empty()
                    : place.of(files, number).map(file -> transaction(place, null, number, file, true));
        }
        return UUID.matcher(name).matches() ? ofUuid(table, name) : Optional.empty();
    }

    private Optional<VersionTransaction> ofUuid(PlacedTable table, String uuid) {
        Optional<VersionTransaction> onMain = onBranch(table, null, uuid);
        if (onMain.isPresent() || VersionFiles.of(table, null).all(files).isEmpty()) {
            return onMain;
        }
        return branches.list(table.location()).stream()
                .map(TableBranch::name)
                .flatMap(branch -> onBranch(table, branch, uuid).stream())
                .findFirst();
    }

    private Optional<VersionTransaction> onBranch(PlacedTable table, @Nullable String branch, String uuid) {
        VersionFiles place = VersionFiles.of(table, branch);
        NavigableMap<Long, Found> present = place.all(files);
        NumberRanges gone = deleted.of(table.location(), branch);
        present.keySet().removeIf(gone::contains);
        // The newest first: that is what is asked for.
        List<Map.Entry<Long, Found>> all =
                new ArrayList<>(present.descendingMap().entrySet());
        for (int from = 0; from < all.size(); from += BATCH) {
            List<Map.Entry<Long, Found>> batch = all.subList(from, Math.min(all.size(), from + BATCH));
            Optional<VersionTransaction> found = Fanout.map(
                            batch, WIDTH, each -> transaction(place, branch, each.getKey(), each.getValue(), false))
                    .stream()
                    .filter(made -> uuid.equalsIgnoreCase(made.uuid()))
                    .findFirst();
            if (found.isPresent()) {
                long number = found.get().version();
                return place.of(files, number).map(file -> transaction(place, branch, number, file, true));
            }
        }
        return Optional.empty();
    }

    private VersionTransaction transaction(
            VersionFiles place, @Nullable String branch, long number, Found file, boolean whole) {
        VersionManifest manifest = heads.read(place.home(), place.location(file.name()), file);
        Matcher name = FILE.matcher(manifest.transaction());
        boolean told = name.matches();
        return new VersionTransaction(
                place.home().root().resolve(place.folder()) + "/" + number,
                branch,
                number,
                told ? name.group("uuid") : null,
                told ? readVersion(name.group("read"), number) : null,
                told && whole ? operation(place, manifest.transaction()) : null,
                manifest.timestampMillis());
    }

    /** What was made aside was made for the version before, under a number that is none of the table's. */
    private static long readVersion(String told, long number) {
        return told.length() > LONGEST_NUMBER ? number - 1 : Long.parseLong(told);
    }

    private @Nullable String operation(VersionFiles place, String name) {
        String dataset = place.folder().substring(0, place.folder().lastIndexOf('/'));
        String location = dataset + "/_transactions/" + name;
        Optional<Found> file = files.file(place.home(), location);
        if (file.isEmpty() || file.get().size() == 0) {
            return null;
        }
        try (InputStream content = new BufferedInputStream(
                files.open(place.home(), location, 0, file.get().size()))) {
            return TransactionFile.operation(content, file.get().size());
        } catch (IOException e) {
            throw CatalogException.unavailable("The transaction of a version cannot be read.", e);
        }
    }
}
