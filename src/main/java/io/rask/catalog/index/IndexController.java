package io.rask.catalog.index;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.wire.CreateIndexRequest;
import io.rask.catalog.wire.CreateIndexResponse;
import io.rask.catalog.wire.DropIndexRequest;
import io.rask.catalog.wire.DropIndexResponse;
import io.rask.catalog.wire.IndexStatsRequest;
import io.rask.catalog.wire.IndexStatsResponse;
import io.rask.catalog.wire.ListIndicesRequest;
import io.rask.catalog.wire.ListIndicesResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** The doors to the indices of a table. */
@RestController
class IndexController {
    private final IndexBuilds builds;
    private final Indices indices;

    IndexController(IndexBuilds builds, Indices indices) {
        this.builds = builds;
        this.indices = indices;
    }

    /** Makes an index of any type: some clients ask here for those of single values too. */
    @PostMapping("/v1/table/{id}/create_index")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true, onView = true)
    CreateIndexResponse create(ObjectId id, @Body CreateIndexRequest body, RequestContext context) {
        return builds.create(id, context.branch(body.branch()), body);
    }

    @PostMapping("/v1/table/{id}/create_scalar_index")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true, onView = true)
    CreateIndexResponse createScalar(ObjectId id, @Body CreateIndexRequest body, RequestContext context) {
        return builds.createScalar(id, context.branch(body.branch()), body);
    }

    @PostMapping("/v1/table/{id}/index/list")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE, onBranch = true)
    ListIndicesResponse list(ObjectId id, @Body ListIndicesRequest body, RequestContext context) {
        return indices.list(
                id,
                context.branch(body.branch()),
                body.version(),
                context.page(body.pageToken(), body.limit()),
                told(context));
    }

    /** The library's own reference server has it under GET as well. */
    @RequestMapping(
            path = "/v1/table/{id}/index/{index_name}/stats",
            method = {RequestMethod.GET, RequestMethod.POST})
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE, onBranch = true)
    IndexStatsResponse stats(
            ObjectId id,
            @PathVariable("index_name") String name,
            @Body IndexStatsRequest body,
            RequestContext context) {
        requireSame(name, body.indexName());
        return indices.stats(id, context.branch(body.branch()), body.version(), name, told(context));
    }

    @PostMapping("/v1/table/{id}/index/{index_name}/drop")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true, onView = true)
    DropIndexResponse drop(
            ObjectId id, @PathVariable("index_name") String name, @Body DropIndexRequest body, RequestContext context) {
        requireSame(name, body.indexName());
        return indices.drop(id, context.branch(body.branch()), name);
    }

    private static ToldTypes told(RequestContext context) {
        return context.knowsOnlyItsOwnIndexTypes()
                ? ToldTypes.KNOWN
                : context.lanceDbDialect() ? ToldTypes.KNOWN_OR_UNKNOWN : ToldTypes.ALL;
    }

    private static void requireSame(String inPath, @Nullable String inBody) {
        if (inBody != null && !inBody.isEmpty() && !inBody.equals(inPath)) {
            throw CatalogException.invalid(
                    "The path and the body name two indices.",
                    List.of(new FieldViolation("index_name", "must be that of the path")));
        }
    }
}
