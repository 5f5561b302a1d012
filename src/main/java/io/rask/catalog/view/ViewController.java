package io.rask.catalog.view;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ListFilter;
import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lifecycle.DropWish;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.wire.CreateViewRequest;
import io.rask.catalog.wire.CreateViewResponse;
import io.rask.catalog.wire.DescribeViewResponse;
import io.rask.catalog.wire.ListViewsResponse;
import io.rask.catalog.wire.ObjectRequest;
import io.rask.catalog.wire.PageQuery;
import io.rask.catalog.wire.RefreshViewRequest;
import io.rask.catalog.wire.ViewJobResponse;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors to materialized views. */
@RestController
class ViewController {
    private final Views views;
    private final ViewDescriptions descriptions;
    private final ListFilter filter;

    ViewController(Views views, ViewDescriptions descriptions, ListFilter filter) {
        this.filter = filter;
        this.views = views;
        this.descriptions = descriptions;
    }

    /** A body with a {@code kind} is the specification's, answered by 201; one with a {@code query} is LanceDB's, answered by 202. */
    @PostMapping("/v1/materialized_view/{id}/create")
    @Door(
            relation = Relation.CAN_CREATE_MATERIALIZED_VIEW,
            target = Target.MATERIALIZED_VIEW,
            parent = Target.NAMESPACE,
            askedOnParent = true,
            mints = true)
    ResponseEntity<CreateViewResponse> create(ObjectId id, @Body CreateViewRequest body, RequestContext context) {
        ViewRequests.NewView wanted = ViewRequests.create(body);
        return wanted.ofSpec()
                ? ResponseEntity.status(HttpStatus.CREATED).body(views.create(id, wanted, context.principal()))
                : ResponseEntity.accepted()
                        .body(new CreateViewResponse(null, views.begin(id, wanted, context.principal())));
    }

    @PostMapping("/v1/materialized_view/{id}/refresh")
    @Door(relation = Relation.CAN_REFRESH, target = Target.MATERIALIZED_VIEW)
    ResponseEntity<ViewJobResponse> refresh(ObjectId id, @Body RefreshViewRequest body, RequestContext context) {
        ViewRequests.check(body);
        String job = views.refresh(id, body.srcVersion(), body.maxRowsPerFragment());
        return ResponseEntity.accepted().body(new ViewJobResponse(job));
    }

    @PostMapping("/v1/materialized_view/{id}/describe")
    @Door(relation = Relation.CAN_READ, target = Target.MATERIALIZED_VIEW)
    DescribeViewResponse describe(ObjectId id, @Body ObjectRequest body) {
        return descriptions.describe(id);
    }

    @PostMapping("/v1/materialized_view/{id}/drop")
    @Door(relation = Relation.CAN_DROP, target = Target.MATERIALIZED_VIEW, refusesProtected = true)
    ResponseEntity<?> drop(ObjectId id, @Body ObjectRequest body, RequestContext context) {
        DropWish wish = new DropWish(
                context.force(), context.purge(), context.principal().subject());
        return context.dryRun()
                ? ResponseEntity.ok(views.planDrop(id, wish))
                : ResponseEntity.accepted().body(new ViewJobResponse(views.drop(id, wish)));
    }

    @GetMapping("/v1/namespace/{id}/materialized_view/list")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NAMESPACE, filtered = true)
    ListViewsResponse list(ObjectId id, @Query PageQuery query, RequestContext context) {
        ListFilter.Look<String> look = new ListFilter.Look<>(
                Relation.CAN_GET_METADATA,
                name -> AccessObject.view(id.child(name)),
                name -> Optional.of(AccessObject.namespace(id)),
                name -> name);
        PageRequest.Page<String> page = filter.page(
                context.caller(),
                "the views of " + id,
                PageRequest.of(query.pageToken(), query.limit()),
                asked -> descriptions.list(id, asked),
                look,
                context::truncated);
        return new ListViewsResponse(page.items(), page.next());
    }
}
