package io.rask.catalog.table;

import io.rask.catalog.access.ListFilter;
import io.rask.catalog.access.Relation;
import io.rask.catalog.door.ArrowBody;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Keyed;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.platform.LanceFormat;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.wire.CreateMode;
import io.rask.catalog.wire.CreateTableQuery;
import io.rask.catalog.wire.CreateTableResponse;
import io.rask.catalog.wire.DeclareTableRequest;
import io.rask.catalog.wire.DeclareTableResponse;
import io.rask.catalog.wire.DescribeTableQuery;
import io.rask.catalog.wire.DescribeTableRequest;
import io.rask.catalog.wire.DescribeTableResponse;
import io.rask.catalog.wire.ListTablesQuery;
import io.rask.catalog.wire.ListTablesResponse;
import io.rask.catalog.wire.Properties;
import io.rask.catalog.wire.TableExistsRequest;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors through which tables are made and looked at. */
@RestController
class TableController {
    private final Tables tables;
    private final TableCreation creation;
    private final TableDescriptions descriptions;
    private final TableProperties properties;
    private final ListFilter filter;

    TableController(
            Tables tables,
            TableCreation creation,
            TableDescriptions descriptions,
            TableProperties properties,
            ListFilter filter) {
        this.filter = filter;
        this.tables = tables;
        this.creation = creation;
        this.descriptions = descriptions;
        this.properties = properties;
    }

    @GetMapping("/v1/namespace/{id}/table/list")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NAMESPACE, filtered = true)
    ListTablesResponse list(ObjectId id, @Query ListTablesQuery query, RequestContext context) {
        PageRequest.Page<PlacedTable> page = filter.page(
                context.caller(),
                "the tables of " + id,
                PageRequest.of(query.pageToken(), query.limit()),
                asked -> tables.list(id, asked),
                PlacedTable.look(table -> table.id().name()),
                context::truncated);
        boolean declared = !Boolean.FALSE.equals(query.includeDeclared());
        return new ListTablesResponse(
                page.items().stream()
                        .filter(table -> declared || !descriptions.isOnlyDeclared(table))
                        .map(table -> table.id().name())
                        .toList(),
                page.next());
    }

    @PostMapping("/v1/table/{id}/declare")
    @Keyed(repeatable = true)
    @Door(
            relation = Relation.CAN_CREATE_TABLE,
            target = Target.TABLE,
            parent = Target.NAMESPACE,
            askedOnParent = true,
            mints = true)
    DeclareTableResponse declare(ObjectId id, @Body DeclareTableRequest body, RequestContext context) {
        LanceFormat.require(body.properties());
        if (body.location() != null) {
            throw CatalogException.invalid("The catalog chooses the location of a table; leave it out.");
        }
        PlacedTable table = tables.declare(id, Properties.present(body.properties()), context.principal());
        return new DeclareTableResponse(
                table.uri(), table.clientOptions(body.vendCredentials()), table.properties(), false);
    }

    @PostMapping("/v1/table/{id}/create")
    @Keyed(repeatable = true)
    @Door(
            relation = Relation.CAN_CREATE_TABLE,
            target = Target.TABLE,
            parent = Target.NAMESPACE,
            askedOnParent = true,
            mints = true)
    CreateTableResponse create(ObjectId id, @Query CreateTableQuery query, ArrowBody body, RequestContext context) {
        Map<String, String> wanted = properties.read(query.properties(), context);
        CreateMode mode = Objects.requireNonNullElse(query.mode(), CreateMode.CREATE);
        TableCreation.Created created = creation.create(
                id,
                new TableCreation.Wanted(mode, wanted, context.force(), context.seen()),
                body::stream,
                context.principal());
        PlacedTable table = created.table();
        Optional<Long> version = created.version().or(() -> descriptions.version(table));
        return new CreateTableResponse(
                table.uri(), version.orElse(null), table.clientOptions(true), table.properties());
    }

    @PostMapping("/v1/table/{id}/describe")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE, onBranch = true)
    DescribeTableResponse describe(
            ObjectId id, @Body DescribeTableRequest body, @Query DescribeTableQuery query, RequestContext context) {
        DescribeTableRequest asked = TableDescriptions.merged(body, query);
        if (asked.tag() != null && (asked.version() != null || asked.branch() != null)) {
            throw CatalogException.invalid("A tag names a version of a branch; leave version and branch out.");
        }
        return descriptions.describe(tables.require(id), asked, context);
    }

    @PostMapping("/v1/table/{id}/exists")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE, onBranch = true)
    void exists(ObjectId id, @Body TableExistsRequest body, RequestContext context) {
        PlacedTable table = tables.require(id);
        String branch = context.branch(body.branch());
        if (body.version() != null || branch != null) {
            descriptions.require(table, branch, body.version());
        }
    }
}
