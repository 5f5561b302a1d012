package io.rask.catalog.door;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.wire.AlterTransactionRequest;
import io.rask.catalog.wire.TransactionStatus;
import java.util.List;
import java.util.stream.Stream;

/** What a caller must be allowed to see a transaction or to change it; one of a table is asked for on the table. */
final class TransactionQuestions {
    private TransactionQuestions() {}

    static List<Question> of(DoorCall call) {
        ObjectId id = call.targetObject();
        if (id.depth() == 1) {
            return onTransaction(call)
                    .map(relation -> DoorQuestions.question(call, relation, AccessObject.transaction(id.name())))
                    .distinct()
                    .toList();
        }
        boolean reads = call.door().relation() == Relation.CAN_DESCRIBE;
        return List.of(DoorQuestions.question(
                call,
                reads ? Relation.CAN_GET_METADATA : Relation.CAN_UPDATE_PROPERTIES,
                AccessObject.table(id.parent())));
    }

    /** Each action has a right of its own. */
    private static Stream<Relation> onTransaction(DoorCall call) {
        return call.body().orElse(null) instanceof AlterTransactionRequest alter
                ? alter.actions().stream().map(TransactionQuestions::onTransaction)
                : Stream.of(call.door().relation());
    }

    private static Relation onTransaction(AlterTransactionRequest.Action action) {
        AlterTransactionRequest.SetStatus status = action.setStatusAction();
        if (status == null) {
            return Relation.CAN_SET_PROPERTY;
        }
        return status.status() == TransactionStatus.CANCELED ? Relation.CAN_CANCEL : Relation.CAN_SET_STATUS;
    }
}
