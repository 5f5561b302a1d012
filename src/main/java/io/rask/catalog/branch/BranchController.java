package io.rask.catalog.branch;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.wire.BranchRequest;
import io.rask.catalog.wire.CreateBranchRequest;
import io.rask.catalog.wire.DoneResponse;
import io.rask.catalog.wire.ListBranchesResponse;
import io.rask.catalog.wire.PageQuery;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors to the branches of a table. */
@RestController
class BranchController {
    private final Branches branches;

    BranchController(Branches branches) {
        this.branches = branches;
    }

    @PostMapping("/v1/table/{id}/branches/list")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE)
    ListBranchesResponse list(ObjectId id, @Query PageQuery query, RequestContext context) {
        return branches.list(id, context.page(query.pageToken(), query.limit()));
    }

    @PostMapping("/v1/table/{id}/branches/create")
    @Door(relation = Relation.CAN_CREATE_BRANCH, target = Target.TABLE)
    DoneResponse create(ObjectId id, @Body CreateBranchRequest body) {
        branches.create(id, body);
        return new DoneResponse();
    }

    @PostMapping("/v1/table/{id}/branches/delete")
    @Door(relation = Relation.CAN_DROP, target = Target.TABLE, refusesProtected = true)
    Object delete(ObjectId id, @Body BranchRequest body, RequestContext context) {
        if (context.dryRun()) {
            return branches.planDelete(id, body.name(), context.force());
        }
        branches.delete(id, body.name(), context.force());
        return new DoneResponse();
    }
}
