package io.rask.catalog.transaction;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.wire.AlterTransactionRequest;
import io.rask.catalog.wire.DropMode;
import io.rask.catalog.wire.SetPropertyMode;
import io.rask.catalog.wire.TransactionStatus;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What a client wants of a transaction: all of it, or nothing when one of the actions cannot be. */
final class TransactionChange {
    private static final int MOST_PROPERTIES = 1000;
    private static final int LONGEST_KEY = 256;
    private static final int LONGEST_VALUE = 16 << 10;

    private final List<AlterTransactionRequest.Action> actions;

    /** @throws CatalogException code 13 for an action that is none or several */
    TransactionChange(List<AlterTransactionRequest.Action> actions) {
        this.actions = List.copyOf(actions);
        if (actions.stream().anyMatch(action -> action.count() != 1)) {
            throw refused("Each action sets a status, sets a property or unsets one.");
        }
    }

    /**
     * The transaction after all actions, in their order.
     *
     * @throws CatalogException code 14 for a status that cannot follow, and where a property is or is not there against what its
     *     action demands; 13 for a property that is the catalog's own, or too large
     */
    TransactionState apply(TransactionState before) {
        TransactionStatus status = before.status();
        Map<String, String> properties = new TreeMap<>(before.properties());
        for (AlterTransactionRequest.Action action : actions) {
            if (action.setStatusAction() != null) {
                status = moved(before, status, action.setStatusAction().status());
            }
            if (action.setPropertyAction() != null) {
                set(before, properties, action.setPropertyAction());
            }
            if (action.unsetPropertyAction() != null) {
                unset(before, properties, action.unsetPropertyAction());
            }
        }
        if (properties.size() > MOST_PROPERTIES) {
            throw refused("A transaction has at most " + MOST_PROPERTIES + " properties.");
        }
        return new TransactionState(status, properties, before.told());
    }

    /** How it ends is for the catalog to say; until that is decided, a client may cancel it. */
    private static TransactionStatus moved(TransactionState before, TransactionStatus from, TransactionStatus to) {
        if (from == to || (to == TransactionStatus.CANCELED && !before.isDecided())) {
            return to;
        }
        throw conflict("A transaction that is " + from.wireName() + " cannot be made " + to.wireName() + ".");
    }

    private static void set(
            TransactionState before, Map<String, String> properties, AlterTransactionRequest.SetProperty wanted) {
        requireFree(before, wanted.key());
        if (wanted.value().length() > LONGEST_VALUE) {
            throw refused("The value of a property has at most " + LONGEST_VALUE + " characters.");
        }
        SetPropertyMode mode = Objects.requireNonNullElse(wanted.mode(), SetPropertyMode.OVERWRITE);
        if (mode == SetPropertyMode.OVERWRITE || !properties.containsKey(wanted.key())) {
            properties.put(wanted.key(), wanted.value());
        } else if (mode == SetPropertyMode.FAIL) {
            throw conflict("The transaction has a property '" + wanted.key() + "' already.");
        }
    }

    private static void unset(
            TransactionState before, Map<String, String> properties, AlterTransactionRequest.UnsetProperty wanted) {
        requireFree(before, wanted.key());
        if (properties.remove(wanted.key()) == null && wanted.mode() == DropMode.FAIL) {
            throw conflict("The transaction has no property '" + wanted.key() + "'.");
        }
    }

    private static void requireFree(TransactionState before, String key) {
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            throw refused("The key of a property has 1 to " + LONGEST_KEY + " characters.");
        }
        if (before.told().containsKey(key)) {
            throw refused("The property '" + key + "' is the catalog's own.");
        }
    }

    private static CatalogException refused(String text) {
        return CatalogException.invalid(text, List.of(new FieldViolation("actions", "cannot be done")));
    }

    private static CatalogException conflict(String text) {
        return CatalogException.of(ErrorCode.CONCURRENT_MODIFICATION, text);
    }
}
