package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.TableFiles;
import io.rask.catalog.lance.TableInspector;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lance.TablePin;
import io.rask.catalog.lifecycle.BaseReferences.Dependent;
import io.rask.catalog.lifecycle.BaseReferences.Look;
import io.rask.catalog.lifecycle.BaseReferences.Seen;
import io.rask.catalog.lifecycle.DeletionAnswer.Reason;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.storage.StorageProfiles;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * May I delete this? The one question that everything destructive asks: before a drop, before bytes go, before versions go. What
 * cannot be read is not known, and what is not known is refused.
 */
@Component
public final class DeletionCheck {
    private final Manifests manifests;
    private final StorageProfiles profiles;
    private final Protections protections;
    private final KeptBytes kept;
    private final BaseReferences references;
    private final TableInspector inspector;

    DeletionCheck(
            Manifests manifests,
            StorageProfiles profiles,
            Protections protections,
            KeptBytes kept,
            BaseReferences references,
            TableInspector inspector) {
        this.manifests = manifests;
        this.profiles = profiles;
        this.protections = protections;
        this.kept = kept;
        this.references = references;
        this.inspector = inspector;
    }

    /** Whether objects may lose their data or their name as far as their protection goes; force lifts it. */
    public DeletionAnswer protection(Collection<ManifestEntry> objects, boolean force) {
        if (force) {
            return DeletionAnswer.ALLOWED;
        }
        return known(() -> protection(protections.find(objects), false));
    }

    /** The same by records that were read before. */
    public static DeletionAnswer protection(Protections.Found found, boolean force) {
        return force
                ? DeletionAnswer.ALLOWED
                : found.firstProtected().map(DeletionCheck::isProtected).orElse(DeletionAnswer.ALLOWED);
    }

    /**
     * Whether objects of one root may be dropped together. Datasets that go in the same drop do not count as based on each other.
     * Another dataset that cannot be read now does not stand against a drop; it will keep the bytes.
     *
     * @param force lifts the protection and nothing else
     */
    public DeletionAnswer drop(StorageProfile home, Collection<ManifestEntry> objects, boolean force) {
        DeletionAnswer unprotected = protection(objects, force);
        return unprotected instanceof DeletionAnswer.Refused ? unprotected : clones(home, objects);
    }

    /** As {@link #drop} whatever protection there is: whether no dataset that stays reads files of these. */
    DeletionAnswer clones(StorageProfile home, Collection<ManifestEntry> objects) {
        Set<String> going = objects.stream()
                .map(ManifestEntry::location)
                .filter(Objects::nonNull)
                .map(location -> home.root().resolve(location))
                .collect(Collectors.toSet());
        return going.isEmpty()
                ? DeletionAnswer.ALLOWED
                : dependent(references.look(home, Look.ONCE), going).orElse(DeletionAnswer.ALLOWED);
    }

    /**
     * Whether the bytes at a location may be deleted now, as those of a table that has left the catalog. The answer holds for the
     * moment: nobody is told the location any more, so nothing new comes to depend on it.
     */
    public DeletionAnswer bytes(StorageProfile home, String location) {
        return bytes(home, Set.of(location)).getOrDefault(location, DeletionAnswer.ALLOWED);
    }

    /** As {@link #bytes(StorageProfile, String)} for several locations at the price of one look. */
    Map<String, DeletionAnswer> bytes(StorageProfile home, Collection<String> locations) {
        Map<String, DeletionAnswer> answers = new HashMap<>();
        Seen seen = references.look(home, Look.NOW);
        locations.forEach(location -> answers.put(location, known(() -> {
            DeletionAnswer unused = unused(home, location);
            return unused instanceof DeletionAnswer.Refused
                    ? unused
                    : based(seen, home.root().resolve(location));
        })));
        return answers;
    }

    /**
     * Whether all bytes below a root may be deleted, which nobody's table is in any more: not while a dataset in another root reads
     * some of them, or cannot be read itself.
     */
    public DeletionAnswer root(StorageProfile home) {
        return known(() -> based(references.lookElsewhere(home), home.root().uri()));
    }

    /** Whether bytes may be deleted that their writer has just written, at a location that nobody else was ever told. */
    public DeletionAnswer ownBytes(StorageProfile home, String location) {
        return known(() -> unused(home, location));
    }

    /**
     * Whether versions of a table may be deleted.
     *
     * @param branch null for the main branch
     * @param doomed which versions would go
     * @param force lifts the protection and nothing else
     */
    public DeletionAnswer versions(
            StorageProfile home, ManifestEntry table, @Nullable String branch, Predicate<Long> doomed, boolean force) {
        DeletionAnswer unprotected = protection(Set.of(table), force);
        String location = table.location();
        if (unprotected instanceof DeletionAnswer.Refused || location == null) {
            return unprotected;
        }
        return known(() -> {
            String place = home.root().resolve(location);
            Optional<TablePin> pin = inspector.pins(new TableLocation(place, home.serverOptions())).stream()
                    .filter(held -> Objects.equals(held.branch(), branch) && doomed.test(held.version()))
                    .findFirst();
            return pin.isPresent()
                    ? refused(
                            Reason.PINNED,
                            ErrorCode.INVALID_TABLE_STATE,
                            "The " + pin.get().kind().wireName() + " '"
                                    + pin.get().name() + "' holds version "
                                    + pin.get().version() + "; delete it first.")
                    : based(references.look(home, Look.NOW), place);
        });
    }

    /** Whether a location is one of a table, and no table of the catalog lives at it, in it or around it. */
    private DeletionAnswer unused(StorageProfile home, String location) {
        if (!TableFiles.isInside(location) || profiles.touchesRecords(home, location)) {
            return refused(Reason.OUT_OF_BOUNDS, ErrorCode.INVALID_INPUT, "The location is no place of a table.");
        }
        ManifestView view = manifests.view(home.root());
        if (view.isLocationInUse(location)) {
            return refused(
                    Reason.REGISTERED,
                    ErrorCode.INVALID_TABLE_STATE,
                    "Another table of the catalog uses the location.");
        }
        return kept.isKept(home, location)
                ? refused(
                        Reason.KEPT,
                        ErrorCode.INVALID_TABLE_STATE,
                        "The table was deregistered, which keeps its bytes; register it again to drop it.")
                : DeletionAnswer.ALLOWED;
    }

    /** A dependent refuses, and so does whatever could not be read and might be one. */
    private static DeletionAnswer based(Seen seen, String place) {
        return dependent(seen, Set.of(place))
                .or(() -> seen.unread().map(DeletionCheck::unknown))
                .orElse(DeletionAnswer.ALLOWED);
    }

    private static Optional<DeletionAnswer> dependent(Seen seen, Set<String> going) {
        return going.stream()
                .flatMap(place -> seen.basedOn(place, going).stream())
                .findFirst()
                .map(found -> refused(
                        Reason.BASE_OF_ANOTHER,
                        ErrorCode.INVALID_TABLE_STATE,
                        "The table is the source of a shallow clone: " + name(seen, found)
                                + " reads its files. Drop that first."));
    }

    /** What belongs to another project is not named. */
    private static String name(Seen seen, Dependent dependent) {
        if (!Objects.equals(seen.project(), dependent.project())) {
            return "a table of another project";
        }
        return dependent.table() != null
                ? "the table '" + dependent.table() + "'"
                : "the unregistered dataset '" + dependent.location() + "'";
    }

    private static DeletionAnswer isProtected(ManifestEntry object) {
        ErrorCode code = object.restored().isTable() ? ErrorCode.INVALID_TABLE_STATE : ErrorCode.NAMESPACE_NOT_EMPTY;
        return refused(
                Reason.PROTECTED,
                code,
                "The " + (object.restored().isTable() ? "table" : "namespace") + " '" + object.id()
                        + "' is protected against deletion; force=true lifts the protection.");
    }

    private interface Question {
        DeletionAnswer ask();
    }

    private static DeletionAnswer known(Question question) {
        try {
            return question.ask();
        } catch (RuntimeException e) {
            return unknown(e);
        }
    }

    private static DeletionAnswer unknown(RuntimeException failure) {
        return new DeletionAnswer.Refused(
                Reason.UNKNOWN,
                CatalogException.unavailable(
                        "It cannot be told now whether this may be deleted, so it is not; try again.", failure));
    }

    private static DeletionAnswer refused(Reason reason, ErrorCode code, String text) {
        return new DeletionAnswer.Refused(reason, CatalogException.of(code, text));
    }
}
