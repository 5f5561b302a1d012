package io.rask.catalog.index;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.DoneResponse;
import io.rask.catalog.wire.StatsRequest;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The doors by which LanceDB's clients ask for data to be read ahead. What is named must be there; nothing is read, because the
 * caches fill with what queries use.
 */
@RestController
class PrewarmController {
    private final Tables tables;
    private final Indices indices;

    PrewarmController(Tables tables, Indices indices) {
        this.tables = tables;
        this.indices = indices;
    }

    @PostMapping("/v1/table/{id}/index/{index_name}/prewarm")
    @Door(relation = Relation.CAN_READ_DATA, target = Target.TABLE, onBranch = true)
    DoneResponse index(
            ObjectId id, @PathVariable("index_name") String name, @Body StatsRequest body, RequestContext context) {
        indices.require(id, context.branch(body.branch()), name);
        return new DoneResponse();
    }

    @PostMapping("/v1/table/{id}/page_cache/prewarm")
    @Door(relation = Relation.CAN_READ_DATA, target = Target.TABLE)
    DoneResponse pages(ObjectId id) {
        tables.require(id);
        return new DoneResponse();
    }
}
