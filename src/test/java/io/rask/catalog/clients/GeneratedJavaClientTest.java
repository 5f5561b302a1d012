package io.rask.catalog.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lance.namespace.client.apache.ApiClient;
import org.lance.namespace.client.apache.ApiException;
import org.lance.namespace.client.apache.api.DataApi;
import org.lance.namespace.client.apache.api.IndexApi;
import org.lance.namespace.client.apache.api.MaterializedViewApi;
import org.lance.namespace.client.apache.api.NamespaceApi;
import org.lance.namespace.client.apache.api.TableApi;
import org.lance.namespace.client.apache.api.TagApi;
import org.lance.namespace.client.apache.api.TransactionApi;
import org.lance.namespace.model.AddColumnsEntry;
import org.lance.namespace.model.AlterColumnsEntry;
import org.lance.namespace.model.AlterTableAddColumnsRequest;
import org.lance.namespace.model.AlterTableAlterColumnsRequest;
import org.lance.namespace.model.AlterTableBackfillColumnsRequest;
import org.lance.namespace.model.AlterTableDropColumnsRequest;
import org.lance.namespace.model.AlterTransactionAction;
import org.lance.namespace.model.AlterTransactionRequest;
import org.lance.namespace.model.AlterTransactionSetProperty;
import org.lance.namespace.model.AlterTransactionSetStatus;
import org.lance.namespace.model.AnalyzeTableQueryPlanRequest;
import org.lance.namespace.model.BatchCommitTablesRequest;
import org.lance.namespace.model.BatchCreateTableVersionsRequest;
import org.lance.namespace.model.BatchDeleteTableVersionsRequest;
import org.lance.namespace.model.CommitTableOperation;
import org.lance.namespace.model.CountTableRowsRequest;
import org.lance.namespace.model.CreateMaterializedViewRequest;
import org.lance.namespace.model.CreateNamespaceRequest;
import org.lance.namespace.model.CreateTableIndexRequest;
import org.lance.namespace.model.CreateTableTagRequest;
import org.lance.namespace.model.CreateTableVersionEntry;
import org.lance.namespace.model.CreateTableVersionRequest;
import org.lance.namespace.model.DeclareTableRequest;
import org.lance.namespace.model.DeleteFromTableRequest;
import org.lance.namespace.model.DeleteTableTagRequest;
import org.lance.namespace.model.DeregisterTableRequest;
import org.lance.namespace.model.DescribeNamespaceRequest;
import org.lance.namespace.model.DescribeTableIndexStatsRequest;
import org.lance.namespace.model.DescribeTableRequest;
import org.lance.namespace.model.DescribeTableResponse;
import org.lance.namespace.model.DescribeTableVersionRequest;
import org.lance.namespace.model.DescribeTransactionRequest;
import org.lance.namespace.model.DropNamespaceRequest;
import org.lance.namespace.model.ExplainTableQueryPlanRequest;
import org.lance.namespace.model.GetTableStatsRequest;
import org.lance.namespace.model.GetTableTagVersionRequest;
import org.lance.namespace.model.IndexContent;
import org.lance.namespace.model.ListTableIndicesRequest;
import org.lance.namespace.model.NamespaceExistsRequest;
import org.lance.namespace.model.QueryTableRequest;
import org.lance.namespace.model.QueryTableRequestColumns;
import org.lance.namespace.model.QueryTableRequestVector;
import org.lance.namespace.model.RefreshMaterializedViewRequest;
import org.lance.namespace.model.RegisterTableRequest;
import org.lance.namespace.model.RenameTableRequest;
import org.lance.namespace.model.RestoreTableRequest;
import org.lance.namespace.model.TableExistsRequest;
import org.lance.namespace.model.TableVersion;
import org.lance.namespace.model.UpdateTableRequest;
import org.lance.namespace.model.UpdateTableTagRequest;
import org.lance.namespace.model.VersionRange;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The generated Java client 0.7.7 on real tables: what it wrote is what the source has, row by row. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GeneratedJavaClientTest {
    private static final String DELIMITER = "$";

    /** Operations that came after its version. */
    private static final Set<String> UNKNOWN_TO_IT =
            Set.of("CreateTableBranch", "DeleteTableBranch", "ListTableBranches", "UpdateFieldMetadata");

    private final List<Dataset> datasets = VegaDatasets.all().toList();
    private final String run = UUID.randomUUID().toString().substring(0, 13);
    private final String namespace = "vega-" + run;
    private final BufferAllocator allocator = new RootAllocator();
    private final Set<String> called = new ConcurrentSkipListSet<>();
    private final ApiClient client = new ApiClient(HttpClients.custom()
            .addRequestInterceptorFirst((request, entity, context) -> called.add(
                    Operations.name(request.getMethod(), request.getPath().split("\\?", 2)[0])))
            .build());
    private final DataApi data = new DataApi(client);
    private final TableApi tables = new TableApi(client);
    private final TagApi tags = new TagApi(client);
    private final IndexApi indices = new IndexApi(client);
    private final NamespaceApi namespaces = new NamespaceApi(client);
    private final TransactionApi transactions = new TransactionApi(client);
    private final MaterializedViewApi views = new MaterializedViewApi(client);

    @SuppressWarnings("NullAway.Init")
    private RunningCatalog catalog;

    @BeforeAll
    void startWithANamespaceOfOurOwn(@TempDir Path folder) throws Exception {
        catalog = RunningCatalog.find(folder);
        client.setBasePath(catalog.url().toString());
        catalog.post("projects", Map.of("id", "project-" + run));
        catalog.post("warehouses", Map.of("id", "lake-" + run, "project", "project-" + run));
        catalog.post("warehouses/lake-" + run + "/namespaces", Map.of("namespace", namespace));
    }

    @AfterAll
    void stop() {
        catalog.close();
        allocator.close();
    }

    Stream<Dataset> datasets() {
        return datasets.stream();
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void createdAndInsertedRowsComeBackAsTheSourceHasThem(Dataset source) throws Exception {
        String table = id("inserted", source);
        int half = source.rows().size() / 2;
        data.createTable(table, stream(source, source.rows().subList(0, half)), DELIMITER, "create", null, null);
        assertThat(count(table, null)).isEqualTo(half);
        data.insertIntoTable(
                table, stream(source, source.rows().subList(half, source.rows().size())), DELIMITER, "append");
        assertRows(source, rows(table, everything()), source.rows());
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void aQueryReturnsTheRowsAndColumnsItAsksFor(Dataset source) throws Exception {
        String table = create("queried", source);
        List<List<@Nullable Object>> sample = source.rowsWhere(source.inSample());
        assertThat(sample.size()).isBetween(1, source.rows().size() - 1);
        assertRows(source, rows(table, everything().filter(source.sampleFilter())), sample);

        QueryTableRequest page = everything()
                .filter(source.sampleFilter())
                .columns(new QueryTableRequestColumns().columnNames(List.of("row", source.category())))
                .offset(3)
                .k(5);
        int category = source.position(source.category());
        assertThat(rows(table, page))
                .isEqualTo(sample.subList(3, 8).stream()
                        .map(row -> Arrays.asList(row.get(0), row.get(category)))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void countsAgreeWithTheSource(Dataset source) throws Exception {
        String table = create("counted", source);
        assertThat(count(table, null)).isEqualTo(source.rows().size());
        assertThat(count(table, source.sampleFilter()))
                .isEqualTo(source.rowsWhere(source.inSample()).size());
        assertThat(count(table, "`" + source.category() + "` IS NULL"))
                .isEqualTo(source.rowsWhere(row -> row.get(source.position(source.category())) == null)
                        .size());
        assertThat(count(table, "row < 100")).isEqualTo(100);
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void anUpdateChangesTheRowsItNamesAndNoOthers(Dataset source) throws Exception {
        String table = create("updated", source);
        var response = data.updateTable(
                table,
                new UpdateTableRequest()
                        .predicate(source.sampleFilter())
                        .updates(List.of(List.of(source.editable(), "'it''s new'"))),
                DELIMITER);
        assertThat(response.getUpdatedRows())
                .isEqualTo(source.rowsWhere(source.inSample()).size());
        assertThat(response.getVersion()).isEqualTo(2);
        assertRows(source, sorted(rows(table, everything())), source.rowsAfterUpdate("it's new"));
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void aDeleteRemovesTheRowsItNamesAndNoOthers(Dataset source) throws Exception {
        String table = create("deleted", source);
        data.deleteFromTable(table, new DeleteFromTableRequest().predicate(source.sampleFilter()), DELIMITER);
        List<List<@Nullable Object>> kept = source.rowsWhere(source.inSample().negate());
        assertRows(source, rows(table, everything()), kept);
        assertThat(count(table, null)).isEqualTo(kept.size());
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void aDroppedTableIsGone(Dataset source) throws Exception {
        String table = create("dropped", source);
        tables.tableExists(table, new TableExistsRequest(), DELIMITER);
        assertThat(tables.describeTable(table, new DescribeTableRequest(), DELIMITER, null, null, null)
                        .getLocation())
                .isNotBlank();
        tables.dropTable(table, DELIMITER);
        assertRefused(404, 4, () -> tables.tableExists(table, new TableExistsRequest(), DELIMITER));
        assertRefused(404, 4, () -> data.queryTable(table, everything(), DELIMITER));
        assertRefused(404, 4, () -> tables.dropTable(table, DELIMITER));
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void aSecondCreateIsRefusedAndChangesNothing(Dataset source) throws Exception {
        String table = create("twice", source);
        byte[] one = stream(source, source.rows().subList(0, 1));
        assertRefused(409, 5, () -> data.createTable(table, one, DELIMITER, "create", null, null));
        assertThat(count(table, null)).isEqualTo(source.rows().size());
        data.createTable(table, one, DELIMITER, "exist_ok", null, null);
        assertThat(count(table, null)).isEqualTo(source.rows().size());
        data.createTable(table, one, DELIMITER, "overwrite", null, null);
        assertThat(count(table, null)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void aNestedNamespaceHoldsTablesOfItsOwn(Dataset source) throws Exception {
        String nested = namespace + DELIMITER + "nested " + source.name();
        namespaces.createNamespace(nested, new CreateNamespaceRequest(), DELIMITER);
        data.createTable(
                nested + DELIMITER + "all/rows", stream(source, source.rows()), DELIMITER, "create", null, null);
        assertThat(namespaces.listTables(nested, DELIMITER, null, null, null).getTables())
                .containsExactly("all/rows");
        assertThat(namespaces.listNamespaces(namespace, DELIMITER, null, null).getNamespaces())
                .contains("nested " + source.name());
        assertRows(source, rows(nested + DELIMITER + "all/rows", everything()), source.rows());
        assertRefused(409, 3, () -> namespaces.dropNamespace(nested, new DropNamespaceRequest(), DELIMITER));
        tables.dropTable(nested + DELIMITER + "all/rows", DELIMITER);
        namespaces.dropNamespace(nested, new DropNamespaceRequest(), DELIMITER);
        assertThat(namespaces.listNamespaces(namespace, DELIMITER, null, null).getNamespaces())
                .doesNotContain("nested " + source.name());
    }

    @Test
    void aDeclaredTableBecomesOneByItsFirstInsert() throws Exception {
        Dataset source = datasets.getFirst();
        String table = id("declared", source);
        String location = tables.declareTable(table, new DeclareTableRequest().properties(Map.of("a", "b")), DELIMITER)
                .getLocation();
        assertThat(describe(table).getLocation()).isEqualTo(location);
        assertThat(describe(table).getVersion()).isNull();
        assertRefused(409, 5, () -> tables.declareTable(table, new DeclareTableRequest(), DELIMITER));
        assertRefused(409, 19, () -> count(table, null));
        data.insertIntoTable(table, stream(source, source.rows()), DELIMITER, "append");
        assertThat(describe(table).getProperties()).isEqualTo(Map.of("a", "b"));
        assertThat(count(table, null)).isEqualTo(source.rows().size());
    }

    @Test
    void aNamespaceIsDescribedAndEachRefusalHasItsCode() throws Exception {
        String space = namespace + DELIMITER + "described";
        namespaces.createNamespace(space, new CreateNamespaceRequest().properties(Map.of("owner", "ann")), DELIMITER);
        assertThat(namespaces
                        .describeNamespace(space, new DescribeNamespaceRequest(), DELIMITER)
                        .getProperties())
                .isEqualTo(Map.of("owner", "ann"));
        namespaces.namespaceExists(space, new NamespaceExistsRequest(), DELIMITER);
        assertRefused(409, 2, () -> namespaces.createNamespace(space, new CreateNamespaceRequest(), DELIMITER));
        String absent = namespace + DELIMITER + "absent";
        assertRefused(404, 1, () -> namespaces.namespaceExists(absent, new NamespaceExistsRequest(), DELIMITER));
        assertRefused(404, 1, () -> namespaces.dropNamespace(absent, new DropNamespaceRequest(), DELIMITER));
        assertRefused(404, 1, () -> namespaces.listTables(absent, DELIMITER, null, null, null));
        String dots = namespace + DELIMITER + "..";
        assertRefused(400, 13, () -> namespaces.createNamespace(dots, new CreateNamespaceRequest(), DELIMITER));
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void eachRefusalOfARowOperationHasItsCode(Dataset source) throws Exception {
        String table = create("refusing", source);
        String absent = id("absent", source);
        byte[] one = stream(source, source.rows().subList(0, 1));
        byte[] other = stream(datasets.get(1 - datasets.indexOf(source)), List.of());
        assertRefused(404, 4, () -> data.insertIntoTable(absent, one, DELIMITER, "append"));
        assertRefused(400, 13, () -> data.insertIntoTable(table, new byte[] {1, 2}, DELIMITER, "append"));
        assertRefused(400, 20, () -> data.insertIntoTable(table, other, DELIMITER, "append"));
        assertRefused(404, 12, () -> data.queryTable(table, everything().filter("nope = 1"), DELIMITER));
        assertRefused(404, 11, () -> data.queryTable(table, everything().version(99L), DELIMITER));
        assertRefused(400, 13, () -> count(table, "row = = 1"));
        var nowhere = new DeleteFromTableRequest().predicate("nope = 1");
        assertRefused(404, 12, () -> data.deleteFromTable(table, nowhere, DELIMITER));
        var unknown = new UpdateTableRequest().updates(List.of(List.of("nope", "1")));
        assertRefused(404, 12, () -> data.updateTable(table, unknown, DELIMITER));
        assertThat(count(table, null)).isEqualTo(source.rows().size());
    }

    @Test
    void allTablesAreListedWithTheirWholeIds() throws Exception {
        String table = create("listed", datasets.getFirst());
        assertThat(tables.listAllTables(DELIMITER, null, 1000, null).getTables())
                .contains(table);
    }

    @Test
    void aDeregisteredTableIsRegisteredAgainWithItsRows() throws Exception {
        Dataset source = datasets.getFirst();
        String table = create("registered", source);
        String location = Objects.requireNonNull(tables.deregisterTable(table, new DeregisterTableRequest(), DELIMITER)
                .getLocation());
        assertRefused(404, 4, () -> describe(table));
        var place = new RegisterTableRequest().location(location.substring(location.lastIndexOf('/') + 1));
        tables.registerTable(table, place, DELIMITER);
        assertThat(count(table, null)).isEqualTo(source.rows().size());
        assertRefused(409, 5, () -> tables.registerTable(table, place, DELIMITER));
        var outside = new RegisterTableRequest().location("../x");
        assertRefused(400, 13, () -> tables.registerTable(id("escaped", source), outside, DELIMITER));
    }

    @Test
    void aRenamedTableIsFoundUnderItsNewNameAlone() throws Exception {
        Dataset source = datasets.getFirst();
        String table = create("old", source);
        tables.renameTable(table, new RenameTableRequest().newTableName("renamed"), DELIMITER);
        assertThat(count(namespace + DELIMITER + "renamed", null))
                .isEqualTo(source.rows().size());
        assertRefused(404, 4, () -> describe(table));
    }

    @Test
    void mergedRowsReplaceAndJoinTheOthers() throws Exception {
        Dataset source = datasets.getFirst();
        int half = source.rows().size() / 2;
        String table = id("merged", source);
        data.createTable(table, stream(source, source.rows().subList(0, half)), DELIMITER, "create", null, null);
        var told = data.mergeInsertIntoTable(
                table, "row", stream(source, source.rows()), DELIMITER, true, null, true, null, null, null, null);
        assertThat(told.getNumUpdatedRows()).isEqualTo(half);
        assertThat(told.getNumInsertedRows()).isEqualTo(source.rows().size() - half);
        assertRows(source, sorted(rows(table, everything())), source.rows());
    }

    @Test
    void columnsComeChangeAndGo() throws Exception {
        Dataset source = datasets.getFirst();
        String table = create("columns", source);
        var added = tables.alterTableAddColumns(
                table,
                new AlterTableAddColumnsRequest()
                        .addNewColumnsItem(new AddColumnsEntry().name("twice").expression("row * 2")),
                DELIMITER);
        assertThat(added.getVersion()).isEqualTo(2);
        assertThat(count(table, "twice = row * 2")).isEqualTo(source.rows().size());
        var altered = tables.alterTableAlterColumns(
                table,
                new AlterTableAlterColumnsRequest()
                        .addAlterationsItem(new AlterColumnsEntry()
                                .path("twice")
                                .rename("text")
                                .dataType(Map.of("type", "utf8"))),
                DELIMITER);
        assertThat(altered.getVersion()).isEqualTo(3);
        assertThat(count(table, "text = cast(row * 2 as string)"))
                .isEqualTo(source.rows().size());
        var dropped = tables.alterTableDropColumns(
                table, new AlterTableDropColumnsRequest().addColumnsItem("text"), DELIMITER);
        assertThat(dropped.getVersion()).isEqualTo(4);
        assertRefused(
                404,
                12,
                () -> tables.alterTableDropColumns(
                        table, new AlterTableDropColumnsRequest().addColumnsItem("text"), DELIMITER));
        assertRows(source, sorted(rows(table, everything())), source.rows());
    }

    @Test
    void aComputedColumnIsFilledByAJob() throws Exception {
        Dataset source = datasets.getFirst();
        String table = create("filled", source);
        // This client's additions know no computed columns.
        catalog.post(
                "table/" + URLEncoder.encode(table, StandardCharsets.UTF_8) + "/add_columns",
                Map.of("new_columns", List.of(Map.of("name", "twice", "computed", "row * 2"))));
        assertThat(count(table, "twice IS NULL")).isEqualTo(source.rows().size());
        var accepted = tables.alterTableBackfillColumns(
                table, new AlterTableBackfillColumnsRequest().column("twice"), DELIMITER);
        assertThat(accepted.getJobId()).isNotEmpty();
        await().atMost(Duration.ofMinutes(3))
                .until(() -> count(table, "twice = row * 2") == source.rows().size());
        assertRefused(
                400,
                13,
                () -> tables.alterTableBackfillColumns(
                        table, new AlterTableBackfillColumnsRequest().column("row"), DELIMITER));
    }

    @Test
    void theMetadataOfASchemaIsMerged() throws Exception {
        String table = create("described", datasets.getFirst());
        assertThat(tables.updateTableSchemaMetadata(table, Map.of("a", "1"), DELIMITER))
                .containsEntry("a", "1");
        assertThat(tables.updateTableSchemaMetadata(table, Map.of("b", "2"), DELIMITER))
                .containsEntry("a", "1")
                .containsEntry("b", "2");
    }

    @Test
    void statsCountTheRows() throws Exception {
        Dataset source = datasets.getFirst();
        var told = tables.getTableStats(create("measured", source), new GetTableStatsRequest(), DELIMITER);
        assertThat(told.getNumRows()).isEqualTo(source.rows().size());
    }

    @Test
    void plansAreToldInWords() throws Exception {
        String table = create("planned", datasets.getFirst());
        var query = new ExplainTableQueryPlanRequest().query(everything().filter("row < 5"));
        assertThat(data.explainTableQueryPlan(table, query, DELIMITER)).contains("row");
        var analysed = new AnalyzeTableQueryPlanRequest()
                .k(10)
                .vector(new QueryTableRequestVector())
                .filter("row < 5");
        assertThat(data.analyzeTableQueryPlan(table, analysed, DELIMITER)).contains("row");
    }

    @Test
    void aTagLivesFromMakingToDeletion() throws Exception {
        Dataset source = datasets.getFirst();
        String table = create("tagged", source);
        data.insertIntoTable(table, stream(source, source.rows().subList(0, 1)), DELIMITER, "append");
        tags.createTableTag(table, new CreateTableTagRequest().tag("gold").version(1L), DELIMITER);
        var again = new CreateTableTagRequest().tag("gold").version(2L);
        assertRefused(409, 9, () -> tags.createTableTag(table, again, DELIMITER));
        var unknown = new CreateTableTagRequest().tag("other").version(9L);
        assertRefused(404, 11, () -> tags.createTableTag(table, unknown, DELIMITER));
        assertThat(version(table, "gold")).isEqualTo(1);
        assertThat(tags.listTableTags(table, DELIMITER, null, null).getTags()).containsOnlyKeys("gold");
        tags.updateTableTag(table, new UpdateTableTagRequest().tag("gold").version(2L), DELIMITER);
        assertThat(version(table, "gold")).isEqualTo(2);
        tags.deleteTableTag(table, new DeleteTableTagRequest().tag("gold"), DELIMITER);
        assertRefused(404, 8, () -> version(table, "gold"));
    }

    private long version(String table, String tag) throws ApiException {
        return tags.getTableTagVersion(table, new GetTableTagVersionRequest().tag(tag), DELIMITER)
                .getVersion();
    }

    @Test
    void indicesLiveFromMakingToDrop() throws Exception {
        Dataset source = datasets.getFirst();
        String table = create("indexed", source);
        indices.createTableIndex(
                table, new CreateTableIndexRequest().column("row").indexType("BTREE"), DELIMITER);
        indices.createTableScalarIndex(
                table,
                new CreateTableIndexRequest()
                        .column("name")
                        .indexType("FTS")
                        .name("words")
                        .stem(false),
                DELIMITER);
        await().atMost(Duration.ofMinutes(2)).until(() -> indexNames(table).equals(List.of("row_idx", "words")));
        var taken =
                new CreateTableIndexRequest().column("city").indexType("BTREE").name("words");
        assertRefused(409, 7, () -> indices.createTableIndex(table, taken, DELIMITER));
        var unknown = new CreateTableIndexRequest().column("none").indexType("BTREE");
        assertRefused(404, 12, () -> indices.createTableScalarIndex(table, unknown, DELIMITER));
        var stats = indices.describeTableIndexStats(table, "words", new DescribeTableIndexStatsRequest(), DELIMITER);
        assertThat(stats.getNumIndexedRows()).isEqualTo(source.rows().size());
        indices.dropTableIndex(table, "words", DELIMITER);
        assertThat(indexNames(table)).containsExactly("row_idx");
        assertRefused(404, 6, () -> indices.dropTableIndex(table, "words", DELIMITER));
    }

    private List<String> indexNames(String table) throws ApiException {
        return indices.listTableIndices(table, new ListTableIndicesRequest(), DELIMITER).getIndexes().stream()
                .map(IndexContent::getIndexName)
                .toList();
    }

    @Test
    void versionsAreListedRestoredAndDeleted() throws Exception {
        Dataset source = datasets.getFirst();
        String table = create("versioned", source);
        data.deleteFromTable(table, new DeleteFromTableRequest().predicate("row < 10"), DELIMITER);
        tables.restoreTable(table, new RestoreTableRequest().version(1L), DELIMITER);
        assertThat(count(table, null)).isEqualTo(source.rows().size());
        assertThat(tables.listTableVersions(table, DELIMITER, null, 2, true).getVersions())
                .extracting(TableVersion::getVersion)
                .containsExactly(3L, 2L);
        var second = new DescribeTableVersionRequest().version(2L);
        assertThat(tables.describeTableVersion(table, second, DELIMITER)
                        .getVersion()
                        .getTimestampMillis())
                .isPositive();
        var taken = new CreateTableVersionRequest().version(2L).manifestPath("_versions/staged");
        assertRefused(409, 14, () -> tables.createTableVersion(table, taken, DELIMITER));
        assertThat(delete(table, 2, 3)).isEqualTo(1);
        assertRefused(404, 11, () -> tables.describeTableVersion(table, second, DELIMITER));
        assertRefused(409, 19, () -> delete(table, 0, -1));
    }

    @Test
    void severalTablesChangeTogetherAndTheirTransactionIsTold() throws Exception {
        Dataset source = datasets.getFirst();
        String left = create("left", source);
        List<String> declared = List.of(namespace, "declared-" + run);
        var batch = new BatchCommitTablesRequest()
                .operations(List.of(
                        new CommitTableOperation().declareTable(new DeclareTableRequest().id(declared)),
                        new CommitTableOperation()
                                .deregisterTable(new DeregisterTableRequest().id(List.of(left.split("\\$", -1))))));
        var done = tables.batchCommitTables(batch, DELIMITER);
        assertThat(done.getResults()).hasSize(2);
        assertThat(Objects.requireNonNull(done.getResults().getFirst().getDeclareTable())
                        .getLocation())
                .isNotBlank();
        assertThat(Objects.requireNonNull(done.getResults().getLast().getDeregisterTable())
                        .getLocation())
                .isNotBlank();
        assertRefused(404, 4, () -> describe(left));
        String id = Objects.requireNonNull(done.getTransactionId());
        assertThat(transactions
                        .describeTransaction(id, new DescribeTransactionRequest(), DELIMITER)
                        .getStatus())
                .isEqualTo("Succeeded");
        var note = new AlterTransactionAction()
                .setPropertyAction(new AlterTransactionSetProperty().key("by").value(run));
        var noted = transactions.alterTransaction(id, new AlterTransactionRequest().actions(List.of(note)), DELIMITER);
        assertThat(noted.getProperties()).containsEntry("by", run);
        var failed = new AlterTransactionAction().setStatusAction(new AlterTransactionSetStatus().status("Failed"));
        assertRefused(
                409,
                14,
                () -> transactions.alterTransaction(
                        id, new AlterTransactionRequest().actions(List.of(failed)), DELIMITER));
        String written = create("written-together", source);
        assertThat(transactions
                        .describeTransaction(written + DELIMITER + "1", new DescribeTransactionRequest(), DELIMITER)
                        .getProperties())
                .containsEntry("version", "1");
        var taken = new CreateTableVersionEntry()
                .id(List.of(written.split("\\$", -1)))
                .version(1L)
                .manifestPath("_versions/staged");
        assertRefused(
                409,
                14,
                () -> tables.batchCreateTableVersions(
                        new BatchCreateTableVersionsRequest().entries(List.of(taken)), DELIMITER));
    }

    @Test
    void aViewIsMadeAndRefreshed() throws Exception {
        Dataset source = datasets.getFirst();
        create("viewed", source);
        String view = namespace + DELIMITER + "view-" + run;
        ByteArrayOutputStream columns = new ByteArrayOutputStream();
        MessageSerializer.serialize(
                new WriteChannel(Channels.newChannel(columns)),
                new Schema(List.of(Field.nullable("row", new ArrowType.Int(64, true)))));
        var wanted = new CreateMaterializedViewRequest()
                .kind(CreateMaterializedViewRequest.KindEnum.QUERY)
                .sourceQuery("SELECT CAST(row AS BIGINT) AS row FROM \"" + id("viewed", source) + "\"")
                .outputSchema(Base64.getEncoder().encodeToString(columns.toByteArray()))
                .withNoData(true);
        assertThat(views.createMaterializedView(view, wanted, DELIMITER).getVersion())
                .isEqualTo(1);
        assertThat(count(view, null)).isZero();
        assertRefused(409, 5, () -> views.createMaterializedView(view, wanted, DELIMITER));
        var refresh = new RefreshMaterializedViewRequest();
        assertThat(views.refreshMaterializedView(view, DELIMITER, refresh).getJobId())
                .isNotBlank();
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() ->
                        assertThat(count(view, null)).isEqualTo(source.rows().size()));
        assertRefused(404, 4, () -> views.refreshMaterializedView(view + "-absent", DELIMITER, refresh));
    }

    private @Nullable Long delete(String table, long start, long end) throws ApiException {
        var range = new VersionRange().startVersion(start).endVersion(end);
        return tables.batchDeleteTableVersions(
                        table, new BatchDeleteTableVersionsRequest().ranges(List.of(range)), DELIMITER)
                .getDeletedCount();
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void everyServedOperationThatTheClientKnowsWasCalled() {
        Set<String> missed = new TreeSet<>(Operations.served());
        missed.removeAll(called);
        missed.removeAll(UNKNOWN_TO_IT);
        assertThat(missed).isEmpty();
    }

    private DescribeTableResponse describe(String table) throws ApiException {
        return tables.describeTable(table, new DescribeTableRequest(), DELIMITER, null, null, null);
    }

    private String id(String purpose, Dataset source) {
        return namespace + DELIMITER + purpose + "-" + source.name();
    }

    private String create(String purpose, Dataset source) throws Exception {
        String table = id(purpose, source);
        data.createTable(table, stream(source, source.rows()), DELIMITER, "create", null, null);
        return table;
    }

    private byte[] stream(Dataset source, List<List<@Nullable Object>> rows) throws IOException {
        return ArrowRows.stream(allocator, source.columns(), rows);
    }

    private static QueryTableRequest everything() {
        return new QueryTableRequest().k(Integer.MAX_VALUE).vector(new QueryTableRequestVector());
    }

    private List<List<@Nullable Object>> rows(String table, QueryTableRequest request) throws Exception {
        return ArrowRows.file(allocator, data.queryTable(table, request, DELIMITER));
    }

    private long count(String table, @Nullable String predicate) throws ApiException {
        return data.countTableRows(table, new CountTableRowsRequest().predicate(predicate), DELIMITER);
    }

    /** Updated rows move to the end of a table; the first column says where they were. */
    private static List<List<@Nullable Object>> sorted(List<List<@Nullable Object>> rows) {
        List<List<@Nullable Object>> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparingLong(row -> (Long) Objects.requireNonNull(row.get(0))));
        return sorted;
    }

    private static void assertRows(
            Dataset source, List<List<@Nullable Object>> actual, List<List<@Nullable Object>> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(source.named(actual.get(i))).isEqualTo(source.named(expected.get(i)));
        }
    }

    private static void assertRefused(int status, int code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(ApiException.class, refused -> {
            assertThat(refused.getCode()).isEqualTo(status);
            JsonNode body = JsonMapper.shared().readTree(refused.getResponseBody());
            assertThat(body.path("code").asInt(-1)).isEqualTo(code);
            assertThat(body.path("error").asString()).isNotBlank();
        });
    }
}
