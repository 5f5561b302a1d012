package io.rask.catalog.version;

import io.rask.catalog.lance.DatasetHandles;
import io.rask.catalog.lance.DeletedVersions;
import io.rask.catalog.lance.NumberRange;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.lance.TableVersions;
import io.rask.catalog.lance.VersionWithdrawal;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.storage.StoreFiles.Found;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.wire.CreateVersionRequest;
import io.rask.catalog.wire.NamingScheme;
import io.rask.catalog.wire.VersionEntry;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Versions that are made together with other changes: each is checked first, then takes its number, and is taken back when another
 * of them fails. Every step may be repeated after a crash; all of them need the right to change the table's versions.
 */
@Component
public final class VersionSteps {
    private static final Logger log = LoggerFactory.getLogger(VersionSteps.class);

    private final TableVersions versions;
    private final ManifestCheck check;
    private final DeletedVersions deleted;
    private final VersionWithdrawal withdrawal;
    private final DatasetHandles handles;
    private final StoreFiles files;

    VersionSteps(
            TableVersions versions,
            ManifestCheck check,
            DeletedVersions deleted,
            VersionWithdrawal withdrawal,
            DatasetHandles handles,
            StoreFiles files) {
        this.versions = versions;
        this.check = check;
        this.deleted = deleted;
        this.withdrawal = withdrawal;
        this.handles = handles;
        this.files = files;
    }

    /** Whether a branch has no version yet, so that making one needs another right as well. */
    public boolean isFirst(PlacedTable table, CreateVersionRequest asked) {
        String branch = TableVersion.ofBranch(asked.branch()).branch();
        return branch == null && VersionFiles.of(table, null).all(files).isEmpty();
    }

    /**
     * Checks a version that is to be made.
     *
     * @throws CatalogException code 14 when the number is taken, or was; 13 for another number than the next, and for a file that is
     *     no manifest of that version of that table; 22 for an unknown branch; 19 when the versions of the table are named in the
     *     old way, in which none can be taken back
     */
    public VersionStep prepare(PlacedTable table, CreateVersionRequest asked) {
        if (asked.version() < 1) {
            throw ManifestCheck.refused("version", "The first version of a table is 1.");
        }
        String branch = TableVersion.ofBranch(asked.branch()).branch();
        if (branch != null) {
            versions.describe(table.location(), TableVersion.ofBranch(branch));
        }
        VersionFiles place = VersionFiles.of(table, branch);
        String staged = StagedManifest.name(place, asked.manifestPath());
        ManifestCheck.Checked checked = check.require(table, branch, place, staged, asked);
        if (VersionFiles.scheme(checked.name()) == NamingScheme.V1) {
            throw CatalogException.of(
                    ErrorCode.INVALID_TABLE_STATE,
                    "The versions of the table '" + table.id()
                            + "' are named in the old way, in which none can be made together with others.");
        }
        return new VersionStep(
                table.home().place().external(),
                table.id().stored(),
                table.relativeLocation(),
                branch,
                asked.version(),
                staged,
                checked.name(),
                digest(place, checked.file()),
                checked.manifest().timestampMillis());
    }

    private String digest(VersionFiles place, Found file) {
        try (DigestInputStream content = new DigestInputStream(
                files.open(place.home(), place.location(file.name()), 0, file.size()), sha256())) {
            content.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(content.getMessageDigest().digest());
        } catch (IOException e) {
            throw CatalogException.unavailable("The storage of a warehouse cannot be read; try again.", e);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Gives the manifest its number; does nothing when it has it.
     *
     * @throws CatalogException code 14 when another writer has taken the number
     */
    public void make(StorageProfile home, VersionStep step) {
        VersionFiles place = place(home, step);
        if (made(place, step).isPresent()) {
            return;
        }
        NavigableMap<Long, Found> present = place.all(files);
        boolean isNext = (present.isEmpty() ? 0 : present.lastKey()) == step.version() - 1;
        if (!isNext || files.file(home, place.location(step.staged())).isEmpty()) {
            throw ManifestCheck.taken(step.version());
        }
        if (!files.copyIfAbsent(home, place.location(step.staged()), place.location(step.name()))
                && made(place, step).isEmpty()) {
            throw ManifestCheck.taken(step.version());
        }
    }

    /** The file of the version, if it is the one that was to be made. */
    private Optional<Found> made(VersionFiles place, VersionStep step) {
        return files.file(place.home(), place.location(step.name()))
                .filter(file -> digest(place, file).equals(step.digest()));
    }

    /** Removes the manifest under the name it lay ready with: it is a version now. */
    public void finish(StorageProfile home, VersionStep step) {
        VersionFiles place = place(home, step);
        files.delete(home, place.location(step.staged()));
    }

    /** The version as clients are told it. */
    public VersionEntry entry(StorageProfile home, VersionStep step) {
        VersionFiles place = place(home, step);
        Found file = files.file(home, place.location(step.name())).orElse(new Found(step.name(), "", 0));
        return Versions.entry(place, step.version(), file, step.timestampMillis(), null);
    }

    /** Takes the version back if it was made; the manifest lies ready again. A writer that has built on it keeps it. */
    public void undo(StorageProfile home, VersionStep step) {
        VersionFiles place = place(home, step);
        if (made(place, step).isEmpty()) {
            return;
        }
        TableLocation location = location(home, step);
        if (!step.makesFirst()) {
            boolean withdrawn = withdrawal.withdraw(location, new TableVersion(step.branch(), step.version()));
            if (!withdrawn && !isWithdrawn(place, step)) {
                log.warn("Version {} of {} stays: another writer has built on it.", step.version(), location);
                return;
            }
            deleted.add(location, step.branch(), List.of(new NumberRange(step.version(), step.version())));
        }
        handles.invalidate(location.uri());
        files.delete(home, place.location(step.name()));
    }

    /** Whether the version behind is the one that took it back before a crash: it holds what the version before holds. */
    private boolean isWithdrawn(VersionFiles place, VersionStep step) {
        return check.holdTheSame(place, step.version() - 1, step.version() + 1);
    }

    private static VersionFiles place(StorageProfile home, VersionStep step) {
        return VersionFiles.of(home, step.location(), step.branch());
    }

    private static TableLocation location(StorageProfile home, VersionStep step) {
        return new TableLocation(home.root().resolve(step.location()), home.serverOptions());
    }
}
