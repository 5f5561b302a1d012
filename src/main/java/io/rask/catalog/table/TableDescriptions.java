package io.rask.catalog.table;

import io.rask.catalog.door.RequestContext;
import io.rask.catalog.lance.SchemaDialect;
import io.rask.catalog.lance.TableFacts;
import io.rask.catalog.lance.TableInspector;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.wire.DescribeTableQuery;
import io.rask.catalog.wire.DescribeTableRequest;
import io.rask.catalog.wire.DescribeTableResponse;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Tells what the catalog and the data know of a table. */
@Component
final class TableDescriptions {
    private final TableInspector inspector;

    TableDescriptions(TableInspector inspector) {
        this.inspector = inspector;
    }

    /**
     * Describes a version of a table. Version and schema are always told where there is data: clients take their absence for a
     * table that is only declared.
     */
    DescribeTableResponse describe(
            PlacedTable table, DescribeTableRequest body, DescribeTableQuery query, RequestContext context) {
        SchemaDialect dialect = context.lanceDbDialect() ? SchemaDialect.LANCE : SchemaDialect.NAMESPACE;
        TableVersion wanted = body.tag() == null
                ? new TableVersion(body.branch(), body.version())
                : inspector.tagged(table.location(), body.tag());
        Optional<TableFacts> facts = facts(table, wanted, dialect);
        boolean withUri = chosen(body.withTableUri(), query.withTableUri());
        boolean checkDeclared = chosen(body.checkDeclared(), query.checkDeclared());
        return new DescribeTableResponse(
                table.id().name(),
                table.id().parent().segments(),
                facts.map(TableFacts::version).orElse(null),
                table.uri(),
                withUri ? table.uri() : null,
                facts.map(TableFacts::schema).orElse(null),
                TableController.clientOptions(table, body.vendCredentials()),
                facts.map(TableFacts::metadata).orElse(Map.of()),
                table.properties(),
                false,
                checkDeclared ? facts.isEmpty() : null);
    }

    /** Code 11 unless the table has that version. */
    void requireVersion(PlacedTable table, long version) {
        facts(table, new TableVersion(null, version), SchemaDialect.NAMESPACE);
    }

    /** Nothing while the table is only declared; then a version that is asked for is code 11, as any other it does not have. */
    private Optional<TableFacts> facts(PlacedTable table, TableVersion wanted, SchemaDialect dialect) {
        Long version = wanted.version();
        if (version != null && isOnlyDeclared(table)) {
            throw CatalogException.of(
                    ErrorCode.TABLE_VERSION_NOT_FOUND,
                    "The table has no version " + version + ": it holds no data yet.");
        }
        return inspector.inspect(table.location(), wanted, dialect);
    }

    boolean isOnlyDeclared(PlacedTable table) {
        return version(table).isEmpty();
    }

    /** The latest version of the data, or nothing while the table is only declared. */
    Optional<Long> version(PlacedTable table) {
        return inspector.version(table.location());
    }

    /** A flag of the body wins over the same flag of the query. */
    private static boolean chosen(@Nullable Boolean body, @Nullable Boolean query) {
        return body != null ? body : Boolean.TRUE.equals(query);
    }
}
