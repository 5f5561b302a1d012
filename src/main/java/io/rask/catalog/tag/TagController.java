package io.rask.catalog.tag;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.wire.DoneResponse;
import io.rask.catalog.wire.PageQuery;
import io.rask.catalog.wire.PutTagRequest;
import io.rask.catalog.wire.TagRequest;
import io.rask.catalog.wire.TagVersionResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** The doors to the tags of a table. */
@RestController
class TagController {
    private final Tags tags;

    TagController(Tags tags) {
        this.tags = tags;
    }

    /** Clients of the namespace library ask by GET, all others by POST; LanceDB's own read the bare map, and know no pages. */
    @RequestMapping(
            path = "/v1/table/{id}/tags/list",
            method = {RequestMethod.GET, RequestMethod.POST})
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE)
    Object list(ObjectId id, @Query PageQuery query, RequestContext context) {
        if (context.lanceDbDialect()) {
            return tags.all(id);
        }
        return tags.list(id, PageRequest.of(query.pageToken(), query.limit()));
    }

    @PostMapping("/v1/table/{id}/tags/version")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE, onBranch = true)
    TagVersionResponse version(ObjectId id, @Body TagRequest body, RequestContext context) {
        return tags.version(id, body.tag(), context.branch(body.branch()));
    }

    @PostMapping("/v1/table/{id}/tags/create")
    @Door(relation = Relation.CAN_CREATE_TAG, target = Target.TABLE, onBranch = true)
    DoneResponse create(ObjectId id, @Body PutTagRequest body, RequestContext context) {
        tags.create(id, body.tag(), context.branch(body.branch()), body.version());
        return new DoneResponse();
    }

    @PostMapping("/v1/table/{id}/tags/update")
    @Door(relation = Relation.CAN_UPDATE_TAG, target = Target.TABLE, onBranch = true)
    DoneResponse update(ObjectId id, @Body PutTagRequest body, RequestContext context) {
        tags.update(id, body.tag(), context.branch(body.branch()), body.version());
        return new DoneResponse();
    }

    @PostMapping("/v1/table/{id}/tags/delete")
    @Door(relation = Relation.CAN_DROP, target = Target.TABLE, refusesProtected = true, onBranch = true)
    Object delete(ObjectId id, @Body TagRequest body, RequestContext context) {
        String branch = context.branch(body.branch());
        if (context.dryRun()) {
            return tags.planDelete(id, body.tag(), branch, context.force());
        }
        tags.delete(id, body.tag(), branch, context.force());
        return new DoneResponse();
    }
}
