package io.rask.catalog.namespace;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ancestry;
import io.rask.catalog.access.ListFilter;
import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Keyed;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lifecycle.DropWish;
import io.rask.catalog.platform.LanceFormat;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.wire.CreateMode;
import io.rask.catalog.wire.CreateNamespaceRequest;
import io.rask.catalog.wire.DropBehavior;
import io.rask.catalog.wire.DropMode;
import io.rask.catalog.wire.DropNamespaceRequest;
import io.rask.catalog.wire.ListNamespacesResponse;
import io.rask.catalog.wire.NamespaceResponse;
import io.rask.catalog.wire.ObjectRequest;
import io.rask.catalog.wire.PageQuery;
import io.rask.catalog.wire.Properties;
import java.util.Objects;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The namespace operations of the specification. */
@RestController
class NamespaceController {
    private final Namespaces namespaces;
    private final ListFilter filter;
    private final Ancestry ancestry;

    NamespaceController(Namespaces namespaces, ListFilter filter, Ancestry ancestry) {
        this.namespaces = namespaces;
        this.filter = filter;
        this.ancestry = ancestry;
    }

    @PostMapping("/v1/namespace/{id}/create")
    @Keyed(repeatable = true)
    @Door(
            relation = Relation.CAN_CREATE_NAMESPACE,
            target = Target.NAMESPACE,
            parent = Target.NAMESPACE,
            askedOnParent = true,
            mints = true)
    NamespaceResponse create(ObjectId id, @Body CreateNamespaceRequest body, RequestContext context) {
        LanceFormat.require(body.properties());
        CreateMode mode = Objects.requireNonNullElse(body.mode(), CreateMode.CREATE);
        return new NamespaceResponse(
                namespaces.create(id, mode, Properties.present(body.properties()), context.principal()));
    }

    @GetMapping("/v1/namespace/{id}/list")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NAMESPACE, filtered = true)
    ListNamespacesResponse list(ObjectId id, @Query PageQuery query, RequestContext context) {
        ListFilter.Look<String> look = new ListFilter.Look<>(
                Relation.CAN_GET_METADATA,
                name -> AccessObject.namespace(id.child(name)),
                name -> ancestry.parent(id.child(name)),
                name -> name);
        PageRequest.Page<String> page = filter.page(
                context.caller(),
                "the namespaces of " + id,
                PageRequest.of(query.pageToken(), query.limit()),
                asked -> namespaces.list(id, asked),
                look,
                context::truncated);
        return new ListNamespacesResponse(page.items(), page.next());
    }

    @PostMapping("/v1/namespace/{id}/describe")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NAMESPACE)
    NamespaceResponse describe(ObjectId id, @Body ObjectRequest body) {
        return new NamespaceResponse(namespaces.describe(id));
    }

    @PostMapping("/v1/namespace/{id}/exists")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NAMESPACE)
    void exists(ObjectId id, @Body ObjectRequest body) {
        namespaces.requireExists(id);
    }

    @PostMapping("/v1/namespace/{id}/drop")
    @Keyed
    @Door(relation = Relation.CAN_DELETE, target = Target.NAMESPACE, refusesProtected = true)
    Object drop(ObjectId id, @Body DropNamespaceRequest body, RequestContext context) {
        DropMode mode = Objects.requireNonNullElse(body.mode(), DropMode.FAIL);
        DropBehavior behavior = Objects.requireNonNullElse(body.behavior(), DropBehavior.RESTRICT);
        DropWish wish = new DropWish(
                context.force(), context.purge(), context.principal().subject());
        if (context.seen().isNothing()) {
            return context.dryRun() ? namespaces.planNothing() : new NamespaceResponse(namespaces.forget(id));
        }
        return context.dryRun()
                ? namespaces.plan(id, mode, behavior, wish)
                : new NamespaceResponse(namespaces.drop(id, mode, behavior, wish));
    }
}
