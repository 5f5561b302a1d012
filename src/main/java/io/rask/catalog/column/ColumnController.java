package io.rask.catalog.column;

import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.Relation;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.wire.AddColumnsRequest;
import io.rask.catalog.wire.AlterColumnsRequest;
import io.rask.catalog.wire.BranchQuery;
import io.rask.catalog.wire.ColumnsResponse;
import io.rask.catalog.wire.DropColumnsRequest;
import io.rask.catalog.wire.SchemaMetadataRequest;
import io.rask.catalog.wire.UpdateFieldMetadataRequest;
import io.rask.catalog.wire.UpdateFieldMetadataResponse;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors through which the columns of a table change. */
@RestController
class ColumnController {
    private final Columns columns;
    private final Metadata metadata;

    ColumnController(Columns columns, Metadata metadata) {
        this.columns = columns;
        this.metadata = metadata;
    }

    @PostMapping("/v1/table/{id}/add_columns")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE)
    ColumnsResponse add(ObjectId id, @Query BranchQuery query, @Body AddColumnsRequest body) {
        return columns.add(id, query.or(body.branch()), body);
    }

    @PostMapping("/v1/table/{id}/alter_columns")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE)
    ColumnsResponse alter(ObjectId id, @Query BranchQuery query, @Body AlterColumnsRequest body) {
        return columns.alter(id, query.or(body.branch()), body);
    }

    @PostMapping("/v1/table/{id}/drop_columns")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE)
    ColumnsResponse drop(ObjectId id, @Query BranchQuery query, @Body DropColumnsRequest body) {
        return columns.drop(id, query.or(body.branch()), body);
    }

    @PostMapping("/v1/table/{id}/update_field_metadata")
    @Door(relation = Relation.CAN_UPDATE_PROPERTIES, target = Target.TABLE)
    UpdateFieldMetadataResponse fields(ObjectId id, @Query BranchQuery query, @Body UpdateFieldMetadataRequest body) {
        return metadata.updateFields(id, query.or(body.branch()), body);
    }

    @PostMapping("/v1/table/{id}/schema_metadata/update")
    @Door(relation = Relation.CAN_UPDATE_PROPERTIES, target = Target.TABLE)
    Map<String, String> schema(ObjectId id, @Query BranchQuery query, @Body SchemaMetadataRequest body) {
        return metadata.updateSchema(id, query.or(body.branch()), body);
    }
}
