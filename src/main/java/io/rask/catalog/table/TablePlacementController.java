package io.rask.catalog.table;

import io.rask.catalog.access.ListFilter;
import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.DatabaseScope;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.DoorCall;
import io.rask.catalog.door.Keyed;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lifecycle.DropWish;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.LanceFormat;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.wire.DropTableResponse;
import io.rask.catalog.wire.ListTablesQuery;
import io.rask.catalog.wire.ListTablesResponse;
import io.rask.catalog.wire.ObjectRequest;
import io.rask.catalog.wire.Properties;
import io.rask.catalog.wire.RegisterMode;
import io.rask.catalog.wire.RegisterTableRequest;
import io.rask.catalog.wire.RegisterTableResponse;
import io.rask.catalog.wire.RenameTableRequest;
import io.rask.catalog.wire.RenameTableResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors that change which name leads to which dataset, and the list of all names. */
@RestController
class TablePlacementController {
    private final Tables tables;
    private final TableListing listing;
    private final TableDescriptions descriptions;
    private final TableRegistration registration;
    private final TableRenaming renaming;
    private final TableDepartures departures;
    private final Delimiter configured;
    private final ListFilter filter;

    TablePlacementController(
            Tables tables,
            TableListing listing,
            TableDescriptions descriptions,
            TableRegistration registration,
            TableRenaming renaming,
            TableDepartures departures,
            ListFilter filter,
            CatalogProperties properties) {
        this.filter = filter;
        this.tables = tables;
        this.listing = listing;
        this.descriptions = descriptions;
        this.registration = registration;
        this.renaming = renaming;
        this.departures = departures;
        this.configured = new Delimiter(properties.ns().delimiter());
    }

    @GetMapping("/v1/table")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NONE, asks = Asked.EACH_ITEM, filtered = true)
    ListTablesResponse list(@Query ListTablesQuery query, RequestContext context) {
        Delimiter delimiter = context.query("delimiter").map(Delimiter::new).orElse(configured);
        DatabaseScope scope = context.scope();
        PageRequest asked = context.page(stored(query.pageToken(), delimiter), query.limit());
        // LanceDB's clients want the tables that a bare name opens.
        boolean flat = context.lanceDbDialect() && !scope.isWhole();
        PageRequest.Page<PlacedTable> page = filter.page(
                context.caller(),
                "all tables",
                asked,
                part -> flat ? tables.list(scope.namespace(), part) : listing.page(part, scope),
                PlacedTable.look(table ->
                        flat ? table.id().name() : scope.relative(table.id()).stored()),
                context::truncated);
        boolean declared = !Boolean.FALSE.equals(query.includeDeclared());
        return new ListTablesResponse(
                page.items().stream()
                        .filter(table -> declared || !descriptions.isOnlyDeclared(table))
                        .map(table -> String.join(
                                delimiter.text(), scope.relative(table.id()).segments()))
                        .toList(),
                page.next());
    }

    /** Our tokens are stored ids; a client may send a name from the list instead, in the delimiter of its own. */
    private static @Nullable String stored(@Nullable String token, Delimiter delimiter) {
        return token == null || token.contains(Delimiter.STORED.text())
                ? token
                : token.replace(delimiter.text(), Delimiter.STORED.text());
    }

    @PostMapping("/v1/table/{id}/register")
    @Keyed(repeatable = true)
    @Door(
            relation = Relation.CAN_CREATE_TABLE,
            target = Target.TABLE,
            parent = Target.NAMESPACE,
            askedOnParent = true,
            mints = true)
    RegisterTableResponse register(ObjectId id, @Body RegisterTableRequest body, RequestContext context) {
        LanceFormat.require(body.properties());
        PlacedTable table = registration.register(
                id,
                new TableRegistration.Wanted(
                        body.location(),
                        Objects.requireNonNullElse(body.mode(), RegisterMode.CREATE),
                        Properties.present(body.properties()),
                        context.force()),
                context.caller());
        return new RegisterTableResponse(table.uri(), table.properties());
    }

    @PostMapping("/v1/table/{id}/rename")
    @Keyed
    @Door(relation = Relation.CAN_DROP, target = Target.TABLE, onDestination = Relation.CAN_CREATE_TABLE)
    RenameTableResponse rename(ObjectId id, @Body RenameTableRequest body, DoorCall call) {
        renaming.rename(id, call.destinationObject());
        return new RenameTableResponse();
    }

    @PostMapping("/v1/table/{id}/drop")
    @Keyed
    @Door(relation = Relation.CAN_DROP, target = Target.TABLE, refusesProtected = true)
    Object drop(ObjectId id, @Body ObjectRequest body, RequestContext context) {
        DropWish wish = new DropWish(
                context.force(), context.purge(), context.principal().subject());
        return context.dryRun() ? departures.planDrop(id, wish) : gone(departures.drop(id, wish), context);
    }

    @PostMapping("/v1/table/{id}/deregister")
    @Keyed
    @Door(relation = Relation.CAN_DEREGISTER, target = Target.TABLE, refusesProtected = true)
    Object deregister(ObjectId id, @Body ObjectRequest body, RequestContext context) {
        return context.dryRun()
                ? departures.planDeregistration(id, context.force())
                : gone(
                        departures.deregister(
                                id, context.force(), context.principal().subject()),
                        context);
    }

    private static DropTableResponse gone(PlacedTable table, RequestContext context) {
        return new DropTableResponse(context.scope().relative(table.id()).segments(), table.uri(), table.properties());
    }
}
