package io.rask.catalog.lifecycle;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ancestry;
import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.Caller;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.wire.WireJson;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Who may give a name to bytes that were a table's before. Whoever registers them gains all their rows, so knowing where they lie and
 * being allowed to make tables is not enough: he took the table out himself, or owns what it lay in.
 */
@Component
public final class RegistrationRights {
    private final Authorization authorization;
    private final Ancestry ancestry;
    private final KeptBytes kept;
    private final JobRegistry jobs;
    private final Manifests manifests;

    RegistrationRights(
            Authorization authorization, Ancestry ancestry, KeptBytes kept, JobRegistry jobs, Manifests manifests) {
        this.authorization = authorization;
        this.ancestry = ancestry;
        this.kept = kept;
        this.jobs = jobs;
        this.manifests = manifests;
    }

    /**
     * Refuses who may not register what lies at a place. To be asked when the place was seen to be free: a mark is written before a
     * place is.
     *
     * @param id the name it is to get
     * @throws CatalogException code 15 when he may not; code 17 when it cannot be told
     */
    public void require(Caller caller, ObjectId id, StorageProfile home, String location) {
        if (!authorization.isOn()) {
            return;
        }
        for (int end = location.length(); end > 0; end = location.lastIndexOf('/', end - 1)) {
            // What lies within a dataset, such as a branch of it, reads its files.
            String place = location.substring(0, end);
            kept.find(home, place).ifPresent(mark -> require(caller, id, home, mark));
        }
        beingDropped(home, location).ifPresent(table -> requireOwner(caller, id, home, table));
    }

    private void require(Caller caller, ObjectId id, StorageProfile home, KeptBytes.Mark mark) {
        if (!caller.principal().subject().equals(mark.by())) {
            requireOwner(caller, id, home, mark.namespaceGone() ? null : mark.table());
        }
    }

    /** The table whose bytes are there because the drop of it is not at its end yet. */
    private Optional<String> beingDropped(StorageProfile home, String location) {
        String root = home.place().external();
        return jobs.open().stream()
                .filter(job -> job.kind().equals(DeleteBytes.NAME))
                .map(RegistrationRights::spec)
                .filter(spec -> spec.root().equals(root))
                .flatMap(spec -> spec.tables().stream())
                .filter(table -> location.equals(table.location()) || location.startsWith(table.location() + "/"))
                .map(DeleteBytes.Dropped::id)
                .findFirst();
    }

    private static DeleteBytes.Spec spec(Job job) {
        return WireJson.mapper().treeToValue(job.spec(), DeleteBytes.Spec.class);
    }

    /** @param table the stored id of the table it was; null where the namespace it lay in is not known, or no longer the same */
    private void requireOwner(Caller caller, ObjectId id, StorageProfile home, @Nullable String table) {
        Question question = new Question(caller.principal(), Relation.CAN_DELETE, around(id, home, table));
        if (question.object().kind() == AccessObject.Kind.WAREHOUSE) {
            // Of the actions on a warehouse this one is its owners' and nobody else's.
            question = new Question(caller.principal(), Relation.CAN_SET_PROTECTION, question.object());
        }
        if (!authorization.verdicts(caller, List.of(question), List.of()).getFirst()) {
            throw CatalogException.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The location holds the rows of a table that was taken out of the catalog. Whoever took it out, or owns"
                            + " what it lay in, can register it.");
        }
    }

    /** What the table lay in; the warehouse where that is gone. */
    private AccessObject around(ObjectId id, StorageProfile home, @Nullable String table) {
        String namespace =
                table == null ? "" : ManifestEntry.table(table, "", null).parent();
        boolean isThere = manifests
                .view(home.root())
                .find(namespace)
                .filter(row -> row.restored().isNamespace() && !row.isEnding())
                .isPresent();
        return isThere
                ? AccessObject.namespace(Delimiter.STORED.split(namespace))
                : ancestry.parent(ObjectId.of(id.segments().getFirst())).orElse(AccessObject.ESTATE);
    }
}
