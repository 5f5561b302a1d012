package io.rask.catalog.transaction;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.access.Principal;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * What several changes that happen together mean for rights: tables come, and whoever made them may look at the transaction. Whoever brings
 * the changes to their end tells the permission engine, for the maker that the journal names.
 */
@Component
final class BatchRights {
    private static final Logger log = LoggerFactory.getLogger(BatchRights.class);

    private final Ownership ownership;

    BatchRights(Ownership ownership) {
        this.ownership = ownership;
    }

    /** The maker as journals note it; null where no rights are kept. */
    @Nullable
    String noted(Principal maker) {
        return ownership.isKept() ? maker.subject() : null;
    }

    /**
     * Gives the tables that come their owner, before anybody sees them. Those of a journal that names none are tied to their namespaces.
     *
     * @throws CatalogException code 17 when the engine does not take it: the changes stay decided, and whoever comes next goes on
     */
    void own(Batch batch, Collection<ObjectId> coming) {
        String maker = batch.maker();
        try {
            if (maker == null) {
                ownership.tied(coming.stream()
                        .collect(Collectors.toMap(AccessObject::table, id -> AccessObject.namespace(id.parent()))));
                return;
            }
            for (ObjectId id : coming) {
                ownership.made(principal(maker), AccessObject.table(id), AccessObject.namespace(id.parent()));
            }
        } catch (CatalogException e) {
            throw CatalogException.unavailable(
                    "The changes are decided, and happen as soon as the permission engine can be told of the new tables.",
                    e);
        }
    }

    private static Principal principal(String maker) {
        return Principal.of(maker, Principal.Means.TOKEN);
    }

    /** Lets the maker look at the transaction. */
    void show(Batch batch) {
        String maker = batch.maker();
        if (maker == null) {
            return;
        }
        try {
            ownership.made(principal(maker), AccessObject.transaction(batch.id()), holder(batch.plan()));
        } catch (CatalogException e) {
            log.warn("Nobody but administrators can look at the transaction {}.", batch.id(), e);
        }
    }

    /** The namespace that all tables lie in, if there is one: whoever reads it may look at the transaction. */
    private static AccessObject holder(Batch.Plan plan) {
        List<ObjectId> parents = plan.tables().stream()
                .map(table -> Delimiter.STORED.split(table).parent())
                .distinct()
                .toList();
        return parents.size() == 1 ? AccessObject.namespace(parents.getFirst()) : AccessObject.ESTATE;
    }
}
