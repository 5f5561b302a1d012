package io.rask.catalog.door;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.wire.BatchCommitRequest;
import io.rask.catalog.wire.BatchCommitRequest.Operation;
import io.rask.catalog.wire.BatchCreateVersionsRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a caller must be allowed for changes of several objects. A change of which nobody can tell what it is about is denied. */
final class BatchQuestions {
    private BatchQuestions() {}

    static List<Question> of(DoorCall call) {
        List<Question> questions = operations(call).stream()
                .map(operation -> question(call, operation))
                .distinct()
                .toList();
        if (questions.isEmpty()) {
            throw unreadable();
        }
        return questions;
    }

    private static List<Operation> operations(DoorCall call) {
        return switch (call.body().orElse(null)) {
            case BatchCommitRequest batch -> batch.operations();
            case BatchCreateVersionsRequest batch ->
                batch.entries().stream()
                        .map(entry -> new Operation(null, entry, null, null))
                        .toList();
            case null, default -> throw unreadable();
        };
    }

    private static Question question(DoorCall call, Operation operation) {
        if (operation.count() != 1) {
            throw unreadable();
        }
        if (operation.declareTable() != null) {
            ObjectId id = id(call, operation.declareTable().id());
            if (id.depth() < 2) {
                throw unreadable();
            }
            return new Question(call.principal(), Relation.CAN_CREATE_TABLE, AccessObject.namespace(id.parent()));
        }
        if (operation.createTableVersion() != null) {
            return on(
                    call,
                    Relation.CAN_WRITE_DATA,
                    operation.createTableVersion().id());
        }
        if (operation.deleteTableVersions() != null) {
            return on(call, Relation.CAN_DROP, operation.deleteTableVersions().id());
        }
        if (operation.deregisterTable() != null) {
            return on(call, Relation.CAN_DEREGISTER, operation.deregisterTable().id());
        }
        throw unreadable();
    }

    private static Question on(DoorCall call, Relation relation, @Nullable List<@Nullable String> segments) {
        return new Question(call.principal(), relation, AccessObject.table(id(call, segments)));
    }

    private static ObjectId id(DoorCall call, @Nullable List<@Nullable String> segments) {
        if (segments == null || segments.isEmpty()) {
            throw unreadable();
        }
        try {
            return call.context().scope().absolute(ObjectId.ofBody(segments));
        } catch (CatalogException e) {
            throw unreadable();
        }
    }

    private static CatalogException unreadable() {
        return CatalogException.of(
                ErrorCode.PERMISSION_DENIED,
                "The body does not say which tables it is about, so nobody can be asked whether you may do that.");
    }
}
