package io.rask.catalog.transaction;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.wire.BatchCommitRequest;
import io.rask.catalog.wire.BatchCommitResponse;
import io.rask.catalog.wire.BatchCreateVersionsRequest;
import io.rask.catalog.wire.BatchCreateVersionsResponse;
import io.rask.catalog.wire.VersionResponse;
import java.util.List;
import java.util.Objects;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors to changes of several tables at once. The tables are named in the body. */
@RestController
class BatchController {
    private final Batches batches;

    BatchController(Batches batches) {
        this.batches = batches;
    }

    @PostMapping("/v1/table/version/batch-create")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.NONE, asks = Asked.BATCH)
    BatchCreateVersionsResponse create(@Body BatchCreateVersionsRequest body, RequestContext context) {
        List<BatchCommitRequest.Operation> operations = body.entries().stream()
                .map(entry -> new BatchCommitRequest.Operation(null, entry, null, null))
                .toList();
        BatchCommitResponse made = batches.commit(operations, context.scope(), context.force(), context.principal());
        return new BatchCreateVersionsResponse(
                made.transactionId(),
                made.results().stream()
                        .map(BatchCommitResponse.Result::createTableVersion)
                        .filter(Objects::nonNull)
                        .map(VersionResponse::version)
                        .toList());
    }

    @PostMapping("/v1/table/batch-commit")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.NONE, asks = Asked.BATCH)
    BatchCommitResponse commit(@Body BatchCommitRequest body, RequestContext context) {
        return batches.commit(body.operations(), context.scope(), context.force(), context.principal());
    }
}
