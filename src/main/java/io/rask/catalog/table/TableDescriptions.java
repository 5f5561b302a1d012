package io.rask.catalog.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.KnownFacts;
import io.rask.catalog.lance.SchemaDialect;
import io.rask.catalog.lance.TableFacts;
import io.rask.catalog.lance.TableInspector;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.wire.DescribeTableQuery;
import io.rask.catalog.wire.DescribeTableRequest;
import io.rask.catalog.wire.DescribeTableResponse;
import io.rask.catalog.wire.TableBasicStats;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Tells what the catalog and the data know of a table. */
@Component
final class TableDescriptions {
    private final TableInspector inspector;
    private final KnownFacts known;
    /** Places that are known to hold data. */
    private final Cache<String, Boolean> written =
            Caffeine.newBuilder().maximumSize(100_000).build();

    TableDescriptions(TableInspector inspector, KnownFacts known) {
        this.inspector = inspector;
        this.known = known;
    }

    /** What a request asks for: each field of the body wins over the same of the query. */
    static DescribeTableRequest merged(DescribeTableRequest body, DescribeTableQuery query) {
        return new DescribeTableRequest(
                body.id(),
                body.context(),
                chosen(body.version(), query.version()),
                chosen(body.tag(), query.tag()),
                chosen(body.branch(), query.branch()),
                chosen(body.withTableUri(), query.withTableUri()),
                chosen(body.loadDetailedMetadata(), query.loadDetailedMetadata()),
                chosen(body.checkDeclared(), query.checkDeclared()),
                chosen(body.vendCredentials(), query.vendCredentials()));
    }

    private static <T> @Nullable T chosen(@Nullable T body, @Nullable T query) {
        return body != null ? body : query;
    }

    /**
     * Describes a version of a table. Version and schema are always told where there is data: clients take their absence for a
     * table that is only declared.
     */
    DescribeTableResponse describe(PlacedTable table, DescribeTableRequest asked, RequestContext context) {
        SchemaDialect dialect = context.lanceDbDialect() ? SchemaDialect.LANCE : SchemaDialect.NAMESPACE;
        String tag = asked.tag();
        TableVersion wanted = tag == null
                ? new TableVersion(asked.branch(), asked.version())
                : inspector.tagged(table.location(), tag);
        Optional<TableFacts> facts = facts(table, wanted, dialect);
        boolean detailed = Boolean.TRUE.equals(asked.loadDetailedMetadata());
        boolean checkDeclared = detailed || Boolean.TRUE.equals(asked.checkDeclared());
        Optional<TableFacts> details = facts.filter(any -> detailed);
        ObjectId namespace = context.scope().relative(table.id()).parent();
        return new DescribeTableResponse(
                table.id().name(),
                namespace.segments(),
                facts.map(TableFacts::version).orElse(null),
                table.uri(),
                Boolean.TRUE.equals(asked.withTableUri()) ? table.uri() : null,
                facts.map(TableFacts::schema).orElse(null),
                table.clientOptions(asked.vendCredentials()),
                details.map(found -> new TableBasicStats(found.deletedRows(), found.fragments()))
                        .orElse(null),
                details.map(TableFacts::metadata).orElse(null),
                table.properties(),
                false,
                checkDeclared ? facts.isEmpty() : null);
    }

    /** Code 22 unless the table has that branch, code 11 unless that has the version. */
    void require(PlacedTable table, @Nullable String branch, @Nullable Long version) {
        facts(table, new TableVersion(branch, version), SchemaDialect.NAMESPACE);
    }

    /** Nothing while the table is only declared; then a version that is asked for is code 11, a branch code 22. */
    private Optional<TableFacts> facts(PlacedTable table, TableVersion wanted, SchemaDialect dialect) {
        if (wanted.branch() != null && isOnlyDeclared(table)) {
            throw CatalogException.of(
                    ErrorCode.TABLE_BRANCH_NOT_FOUND,
                    "The table has no branch '" + wanted.branch() + "': it holds no data yet.");
        }
        Long version = wanted.version();
        if (version != null && isOnlyDeclared(table)) {
            throw CatalogException.of(
                    ErrorCode.TABLE_VERSION_NOT_FOUND,
                    "The table has no version " + version + ": it holds no data yet.");
        }
        return known.inspect(table.location(), wanted, dialect);
    }

    /** Whether a table holds no data yet. One that does is not asked again: its place never holds none again. */
    boolean isOnlyDeclared(PlacedTable table) {
        if (written.getIfPresent(table.location().uri()) != null) {
            return false;
        }
        boolean declared = version(table).isEmpty();
        if (!declared) {
            written.put(table.location().uri(), true);
        }
        return declared;
    }

    /** The latest version of the data, or nothing while the table is only declared. */
    Optional<Long> version(PlacedTable table) {
        return inspector.version(table.location());
    }
}
