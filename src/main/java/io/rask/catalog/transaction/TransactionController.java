package io.rask.catalog.transaction;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.wire.AlterTransactionRequest;
import io.rask.catalog.wire.ObjectRequest;
import io.rask.catalog.wire.TransactionResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors to transactions. */
@RestController
class TransactionController {
    private final Transactions transactions;

    TransactionController(Transactions transactions) {
        this.transactions = transactions;
    }

    @PostMapping("/v1/transaction/{id}/describe")
    @Door(relation = Relation.CAN_DESCRIBE, target = Target.TRANSACTION)
    TransactionResponse describe(ObjectId id, @Body ObjectRequest body) {
        return transactions.describe(id).response();
    }

    @PostMapping("/v1/transaction/{id}/alter")
    @Door(relation = Relation.CAN_SET_STATUS, target = Target.TRANSACTION)
    TransactionResponse alter(ObjectId id, @Body AlterTransactionRequest body) {
        return transactions.alter(id, new TransactionChange(body.actions())).response();
    }
}
