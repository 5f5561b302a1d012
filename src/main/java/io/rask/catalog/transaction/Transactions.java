package io.rask.catalog.transaction;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.table.Tables;
import io.rask.catalog.version.VersionTransaction;
import io.rask.catalog.version.VersionTransactions;
import io.rask.catalog.wire.TransactionStatus;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/**
 * Transactions by their ids. An id of one segment is that of a transaction of the catalog; one of more names a table, and after it the
 * number of a version or the id of the transaction that made one.
 */
@Component
final class Transactions {
    private final Tables tables;
    private final VersionTransactions ofVersions;
    private final TransactionRegistry registry;

    Transactions(Tables tables, VersionTransactions ofVersions, TransactionRegistry registry) {
        this.tables = tables;
        this.ofVersions = ofVersions;
        this.registry = registry;
    }

    /** What is known of a transaction; code 10 when there is none. */
    TransactionState describe(ObjectId id) {
        Optional<TransactionState> found = id.depth() == 1
                ? registry.find(id.name())
                : ofTable(id).map(made -> registry.ofTable(made.place(), committed(made)));
        return found.orElseThrow(() -> Absence.transaction(id));
    }

    /**
     * Changes a transaction.
     *
     * @return the transaction after the change
     * @throws io.rask.catalog.problem.CatalogException code 10 when there is none; what stands against the change, see
     *     {@link TransactionChange}
     */
    TransactionState alter(ObjectId id, TransactionChange change) {
        Optional<TransactionState> changed = id.depth() == 1
                ? registry.change(id.name(), change::apply)
                : ofTable(id).map(made -> registry.changeOfTable(made.place(), committed(made), change::apply));
        return changed.orElseThrow(() -> Absence.transaction(id));
    }

    private Optional<VersionTransaction> ofTable(ObjectId id) {
        return tables.find(id.parent()).flatMap(table -> ofVersions.find(table, id.name()));
    }

    /** What a table's own history tells has happened, and nothing changes that. */
    private static TransactionState committed(VersionTransaction made) {
        Map<String, String> told = new TreeMap<>();
        told.put("version", String.valueOf(made.version()));
        told.put("timestamp_millis", String.valueOf(made.timestampMillis()));
        if (made.branch() != null) {
            told.put("branch", made.branch());
        }
        if (made.uuid() != null) {
            told.put("uuid", made.uuid());
        }
        if (made.readVersion() != null) {
            told.put("read_version", String.valueOf(made.readVersion()));
        }
        if (made.operation() != null) {
            told.put("operation", made.operation());
        }
        return new TransactionState(TransactionStatus.SUCCEEDED, Map.of(), told);
    }
}
