package io.rask.catalog.transaction;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.access.Principal;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** What several changes that have happened together mean for rights: tables have come, and whoever made them may look at the transaction. */
@Component
final class BatchRights {
    private static final Logger log = LoggerFactory.getLogger(BatchRights.class);

    private final Ownership ownership;
    private final Authorization authorization;

    BatchRights(Ownership ownership, Authorization authorization) {
        this.ownership = ownership;
        this.authorization = authorization;
    }

    /**
     * Tells the permission engine. The changes have happened and other changes with them, so nothing is undone where that fails.
     *
     * @throws CatalogException code 17 when a table has got no owner: whoever owns its namespace can see to it
     */
    void settle(Principal maker, List<Batches.Asked> asked, @Nullable String transaction) {
        if (!authorization.isOn()) {
            return;
        }
        try {
            for (Batches.Asked each : asked) {
                if (each.operation().declareTable() != null) {
                    ObjectId id = each.id();
                    ownership.made(maker, AccessObject.table(id), AccessObject.namespace(id.parent()));
                }
            }
        } catch (CatalogException e) {
            throw CatalogException.unavailable(
                    "The changes have happened, but the permission engine does not know the owner of a new table yet.",
                    e);
        }
        if (transaction != null) {
            own(maker, transaction, asked);
        }
    }

    private void own(Principal maker, String transaction, List<Batches.Asked> asked) {
        try {
            ownership.made(maker, AccessObject.transaction(transaction), holder(asked));
        } catch (CatalogException e) {
            log.warn("Nobody but administrators can look at the transaction {}.", transaction, e);
        }
    }

    /** The namespace that all tables lie in, if there is one: whoever reads it may look at the transaction. */
    private static AccessObject holder(List<Batches.Asked> asked) {
        ObjectId first = asked.getFirst().id().parent();
        boolean same = asked.stream().allMatch(each -> each.id().parent().equals(first));
        return same ? AccessObject.namespace(first) : AccessObject.ESTATE;
    }
}
