package io.rask.catalog.warehouse;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ListFilter;
import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.hierarchy.Binding;
import io.rask.catalog.hierarchy.BindingRegistry;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lifecycle.Endings;
import io.rask.catalog.lifecycle.Protections;
import io.rask.catalog.lifecycle.TopLevelRights;
import io.rask.catalog.platform.LanceFormat;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.wire.BindNamespaceRequest;
import io.rask.catalog.wire.BindNamespaceResponse;
import io.rask.catalog.wire.BindingsResponse;
import io.rask.catalog.wire.ListNamespacesResponse;
import io.rask.catalog.wire.PageQuery;
import io.rask.catalog.wire.Properties;
import io.rask.catalog.wire.UnbindResponse;
import java.util.List;
import java.util.Optional;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The only doors that bind and unbind a top-level namespace. */
@RestController
class BindingController {
    private final WarehouseRegistry warehouses;
    private final BindingRegistry bindings;
    private final TopLevelNamespaces topLevel;
    private final Protections protections;
    private final Endings endings;
    private final ListFilter filter;
    private final TopLevelRights rights;

    BindingController(
            WarehouseRegistry warehouses,
            BindingRegistry bindings,
            TopLevelNamespaces topLevel,
            Protections protections,
            Endings endings,
            ListFilter filter,
            TopLevelRights rights) {
        this.filter = filter;
        this.rights = rights;
        this.endings = endings;
        this.protections = protections;
        this.warehouses = warehouses;
        this.bindings = bindings;
        this.topLevel = topLevel;
    }

    @PostMapping("/v1/warehouses/{id}/namespaces")
    @Door(
            relation = Relation.CAN_CREATE_NAMESPACE,
            target = Target.NAMESPACE,
            parent = Target.WAREHOUSE,
            askedOnParent = true,
            mints = true)
    BindNamespaceResponse create(
            @PathVariable("id") String warehouse,
            ObjectId namespace,
            @Body BindNamespaceRequest body,
            RequestContext context) {
        LanceFormat.require(body.properties());
        topLevel.home(warehouse).ifPresent(home -> protections.clearEnded(home, namespace));
        boolean adopt = Boolean.TRUE.equals(body.adoptExisting());
        boolean made =
                rights.create(context.principal(), warehouse, namespace, Properties.present(body.properties()), adopt);
        return new BindNamespaceResponse(
                namespace.name(), warehouse, made, topLevel.describe(warehouse, namespace.name()));
    }

    @GetMapping("/v1/warehouses/{id}/namespaces")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.WAREHOUSE, filtered = true)
    ListNamespacesResponse list(@PathVariable("id") String warehouse, @Query PageQuery query, RequestContext context) {
        warehouses.require(warehouse);
        List<String> all = bindings.namespacesOf(warehouse);
        ListFilter.Look<String> look = new ListFilter.Look<>(
                Relation.CAN_GET_METADATA,
                name -> AccessObject.namespace(ObjectId.of(name)),
                name -> Optional.of(AccessObject.warehouse(warehouse)),
                name -> name);
        PageRequest.Page<String> page = filter.page(
                context.caller(),
                "the namespaces of warehouse " + warehouse,
                PageRequest.of(query.pageToken(), query.limit()),
                asked -> asked.cut(all, name -> name),
                look,
                context::truncated);
        return new ListNamespacesResponse(page.items(), page.next());
    }

    @DeleteMapping("/v1/warehouses/{id}/namespaces/{namespace}")
    @Door(
            relation = Relation.CAN_ADMINISTER,
            target = Target.NAMESPACE,
            parent = Target.WAREHOUSE,
            askedOnParent = true,
            destructive = true)
    UnbindResponse unbind(@PathVariable("id") String warehouse, ObjectId namespace) {
        topLevel.unbind(
                warehouse,
                namespace.name(),
                view -> endings.revokeBelow(view, namespace.stored()),
                view -> rights.tieAgain(warehouse, namespace, view));
        return new UnbindResponse(namespace.name(), warehouse);
    }

    @GetMapping("/v1/warehouses/-/bindings")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.ESTATE, asks = Asked.EACH_ITEM, filtered = true)
    BindingsResponse all(@Query PageQuery query, RequestContext context) {
        List<Binding> all = bindings.all();
        ListFilter.Look<Binding> look = new ListFilter.Look<>(
                Relation.CAN_GET_METADATA,
                binding -> AccessObject.namespace(ObjectId.of(binding.namespace())),
                binding -> Optional.of(AccessObject.warehouse(binding.warehouse())),
                Binding::namespace);
        PageRequest.Page<Binding> page = filter.page(
                context.caller(),
                "all bindings",
                PageRequest.of(query.pageToken(), query.limit()),
                asked -> asked.cut(all, Binding::namespace),
                look,
                context::truncated);
        return new BindingsResponse(
                page.items().stream()
                        .map(binding -> new BindingsResponse.Entry(binding.namespace(), binding.warehouse()))
                        .toList(),
                page.next());
    }
}
