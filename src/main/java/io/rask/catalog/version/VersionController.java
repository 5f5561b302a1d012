package io.rask.catalog.version;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.wire.CreateVersionRequest;
import io.rask.catalog.wire.DeleteVersionsRequest;
import io.rask.catalog.wire.DeleteVersionsResponse;
import io.rask.catalog.wire.ListVersionsQuery;
import io.rask.catalog.wire.ListVersionsRequest;
import io.rask.catalog.wire.ListVersionsResponse;
import io.rask.catalog.wire.RestoreResponse;
import io.rask.catalog.wire.VersionRequest;
import io.rask.catalog.wire.VersionResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors to the versions of a table. */
@RestController
class VersionController {
    private final Versions versions;
    private final VersionRegistration registration;
    private final VersionDeletion deletion;

    VersionController(Versions versions, VersionRegistration registration, VersionDeletion deletion) {
        this.versions = versions;
        this.registration = registration;
        this.deletion = deletion;
    }

    @PostMapping("/v1/table/{id}/version/list")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE, onBranch = true)
    ListVersionsResponse list(
            ObjectId id, @Body ListVersionsRequest body, @Query ListVersionsQuery query, RequestContext context) {
        boolean descending = Boolean.TRUE.equals(chosen(body.descending(), query.descending()));
        PageRequest page =
                context.page(chosen(body.pageToken(), query.pageToken()), chosen(body.limit(), query.limit()));
        return versions.list(id, context.branch(body.branch()), descending, page);
    }

    private static <T> @Nullable T chosen(@Nullable T body, @Nullable T query) {
        return body != null ? body : query;
    }

    @PostMapping("/v1/table/{id}/version/describe")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE, onBranch = true)
    VersionResponse describe(ObjectId id, @Body VersionRequest body, RequestContext context) {
        return new VersionResponse(versions.describe(id, context.branch(body.branch()), body.version()));
    }

    @PostMapping("/v1/table/{id}/version/create")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true)
    VersionResponse create(ObjectId id, @Body CreateVersionRequest body, RequestContext context) {
        return new VersionResponse(registration.create(id, context.branch(body.branch()), body));
    }

    @PostMapping("/v1/table/{id}/version/delete")
    @Door(relation = Relation.CAN_DROP, target = Target.TABLE, refusesProtected = true, onBranch = true)
    Object delete(ObjectId id, @Body DeleteVersionsRequest body, RequestContext context) {
        String branch = context.branch(body.branch());
        return context.dryRun()
                ? deletion.planDelete(id, branch, body.ranges(), context.force())
                : new DeleteVersionsResponse(deletion.delete(id, branch, body.ranges(), context.force()));
    }

    /** LanceDB's own clients send no version for the current one; all others have to say which they mean. */
    @PostMapping("/v1/table/{id}/restore")
    @Door(relation = Relation.CAN_RESTORE, target = Target.TABLE, onBranch = true)
    RestoreResponse restore(ObjectId id, @Body VersionRequest body, RequestContext context) {
        return new RestoreResponse(
                versions.restore(id, context.branch(body.branch()), body.version(), context.lanceDbDialect()));
    }
}
