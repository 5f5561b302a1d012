package io.rask.catalog.column;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.wire.AddColumnsRequest;
import io.rask.catalog.wire.AlterColumnsRequest;
import io.rask.catalog.wire.BackfillColumnRequest;
import io.rask.catalog.wire.ColumnsResponse;
import io.rask.catalog.wire.DropColumnsRequest;
import io.rask.catalog.wire.JobAcceptedResponse;
import io.rask.catalog.wire.SchemaMetadataRequest;
import io.rask.catalog.wire.UpdateFieldMetadataRequest;
import io.rask.catalog.wire.UpdateFieldMetadataResponse;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors through which the columns of a table change. */
@RestController
class ColumnController {
    private final Columns columns;
    private final Backfills backfills;
    private final Metadata metadata;

    ColumnController(Columns columns, Backfills backfills, Metadata metadata) {
        this.columns = columns;
        this.backfills = backfills;
        this.metadata = metadata;
    }

    @PostMapping("/v1/table/{id}/add_columns")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true)
    ColumnsResponse add(ObjectId id, @Body AddColumnsRequest body, RequestContext context) {
        return columns.add(id, context.branch(body.branch()), body);
    }

    @PostMapping("/v1/table/{id}/alter_columns")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true)
    ColumnsResponse alter(ObjectId id, @Body AlterColumnsRequest body, RequestContext context) {
        return columns.alter(id, context.branch(body.branch()), body);
    }

    @PostMapping("/v1/table/{id}/drop_columns")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true)
    ColumnsResponse drop(ObjectId id, @Body DropColumnsRequest body, RequestContext context) {
        return columns.drop(id, context.branch(body.branch()), body);
    }

    /** Work that may take long: always 202 with the job to follow. */
    @PostMapping("/v1/table/{id}/backfill_column")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true)
    ResponseEntity<JobAcceptedResponse> backfill(
            ObjectId id, @Body BackfillColumnRequest body, RequestContext context) {
        Job job = backfills.fill(id, context.branch(body.branch()), body);
        return ResponseEntity.status(HttpStatus.ACCEPTED).body(new JobAcceptedResponse(job.id(), null));
    }

    @PostMapping("/v1/table/{id}/update_field_metadata")
    @Door(relation = Relation.CAN_UPDATE_PROPERTIES, target = Target.TABLE, onBranch = true)
    UpdateFieldMetadataResponse fields(ObjectId id, @Body UpdateFieldMetadataRequest body, RequestContext context) {
        return metadata.updateFields(id, context.branch(body.branch()), body);
    }

    @PostMapping("/v1/table/{id}/schema_metadata/update")
    @Door(relation = Relation.CAN_UPDATE_PROPERTIES, target = Target.TABLE, onBranch = true)
    Map<String, String> schema(ObjectId id, @Body SchemaMetadataRequest body, RequestContext context) {
        return metadata.updateSchema(id, context.branch(body.branch()), body);
    }
}
