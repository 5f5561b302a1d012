package io.rask.catalog.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
import org.lance.namespace.LanceNamespace;
import org.lance.namespace.RestNamespace;
import org.lance.namespace.errors.ConcurrentModificationException;
import org.lance.namespace.errors.InvalidInputException;
import org.lance.namespace.errors.InvalidTableStateException;
import org.lance.namespace.errors.LanceNamespaceException;
import org.lance.namespace.errors.NamespaceAlreadyExistsException;
import org.lance.namespace.errors.NamespaceNotEmptyException;
import org.lance.namespace.errors.NamespaceNotFoundException;
import org.lance.namespace.errors.TableAlreadyExistsException;
import org.lance.namespace.errors.TableColumnNotFoundException;
import org.lance.namespace.errors.TableIndexAlreadyExistsException;
import org.lance.namespace.errors.TableIndexNotFoundException;
import org.lance.namespace.errors.TableNotFoundException;
import org.lance.namespace.errors.TableSchemaValidationException;
import org.lance.namespace.errors.TableTagAlreadyExistsException;
import org.lance.namespace.errors.TableTagNotFoundException;
import org.lance.namespace.errors.TableVersionNotFoundException;
import org.lance.namespace.errors.TransactionNotFoundException;
import org.lance.namespace.model.AlterTableDropColumnsRequest;
import org.lance.namespace.model.AlterTransactionAction;
import org.lance.namespace.model.AlterTransactionRequest;
import org.lance.namespace.model.AlterTransactionSetStatus;
import org.lance.namespace.model.AnalyzeTableQueryPlanRequest;
import org.lance.namespace.model.BatchDeleteTableVersionsRequest;
import org.lance.namespace.model.CountTableRowsRequest;
import org.lance.namespace.model.CreateNamespaceRequest;
import org.lance.namespace.model.CreateTableIndexRequest;
import org.lance.namespace.model.CreateTableRequest;
import org.lance.namespace.model.CreateTableTagRequest;
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
import org.lance.namespace.model.DropTableIndexRequest;
import org.lance.namespace.model.DropTableRequest;
import org.lance.namespace.model.ExplainTableQueryPlanRequest;
import org.lance.namespace.model.GetTableStatsRequest;
import org.lance.namespace.model.GetTableTagVersionRequest;
import org.lance.namespace.model.IndexContent;
import org.lance.namespace.model.InsertIntoTableRequest;
import org.lance.namespace.model.ListNamespacesRequest;
import org.lance.namespace.model.ListTableIndicesRequest;
import org.lance.namespace.model.ListTableTagsRequest;
import org.lance.namespace.model.ListTableVersionsRequest;
import org.lance.namespace.model.ListTablesRequest;
import org.lance.namespace.model.MergeInsertIntoTableRequest;
import org.lance.namespace.model.NamespaceExistsRequest;
import org.lance.namespace.model.QueryTableRequest;
import org.lance.namespace.model.QueryTableRequestVector;
import org.lance.namespace.model.RegisterTableRequest;
import org.lance.namespace.model.RenameTableRequest;
import org.lance.namespace.model.RestoreTableRequest;
import org.lance.namespace.model.TableExistsRequest;
import org.lance.namespace.model.TableVersion;
import org.lance.namespace.model.UpdateTableRequest;
import org.lance.namespace.model.UpdateTableSchemaMetadataRequest;
import org.lance.namespace.model.UpdateTableTagRequest;
import org.lance.namespace.model.VersionRange;

/** The REST namespace of lance-core: every call of it that reaches the wire, with the exception of each code. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RestNamespaceTest {
    /** Calls that the library lacks, or that fail before they are sent. */
    private static final Set<String> NEVER_SENT = Set.of(
            "AlterTableAddColumns",
            "AlterTableAlterColumns",
            "AlterTableBackfillColumns",
            "BatchCommitTables",
            "BatchCreateTableVersions",
            "CreateMaterializedView",
            "CreateTableBranch",
            "DeleteTableBranch",
            "ListTableBranches",
            "RefreshMaterializedView",
            "UpdateFieldMetadata");

    private final List<Dataset> datasets = VegaDatasets.all().toList();
    private final String run = UUID.randomUUID().toString().substring(0, 13);
    private final String home = "rest-" + run;
    private final BufferAllocator allocator = new RootAllocator();
    private final RestNamespace rest = new RestNamespace();
    private final Set<String> called = new ConcurrentSkipListSet<>();
    private final LanceNamespace namespace = recording(rest);

    @SuppressWarnings("NullAway.Init")
    private RunningCatalog catalog;

    @BeforeAll
    void startWithANamespaceOfOurOwn(@TempDir Path folder) throws Exception {
        catalog = RunningCatalog.find(folder);
        catalog.post("projects", Map.of("id", "project-" + run));
        catalog.post("warehouses", Map.of("id", "lake-" + run, "project", "project-" + run));
        catalog.post("warehouses/lake-" + run + "/namespaces", Map.of("namespace", home));
        rest.initialize(Map.of("uri", catalog.url().toString(), "header.x-request-id", "rest-namespace"), allocator);
    }

    @AfterAll
    void stop() {
        rest.close();
        catalog.close();
        allocator.close();
    }

    /** The namespace itself; it also notes which operations were called. */
    private LanceNamespace recording(LanceNamespace real) {
        Class<?>[] kind = {LanceNamespace.class};
        return (LanceNamespace) Proxy.newProxyInstance(
                LanceNamespace.class.getClassLoader(), kind, (proxy, method, arguments) -> {
                    String name = method.getName();
                    called.add(Character.toUpperCase(name.charAt(0)) + name.substring(1));
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    Stream<Dataset> datasets() {
        return datasets.stream();
    }

    @Test
    void namespacesLiveFromCreateToDrop() {
        List<String> id = List.of(home, "n s/2");
        namespace.createNamespace(new CreateNamespaceRequest().id(id).properties(Map.of("owner", "Jürgen")));
        assertThat(namespace
                        .describeNamespace(new DescribeNamespaceRequest().id(id))
                        .getProperties())
                .isEqualTo(Map.of("owner", "Jürgen"));
        namespace.namespaceExists(new NamespaceExistsRequest().id(id));
        assertThat(namespace
                        .listNamespaces(new ListNamespacesRequest().id(List.of(home)))
                        .getNamespaces())
                .contains("n s/2");
        refused(
                NamespaceAlreadyExistsException.class,
                2,
                () -> namespace.createNamespace(new CreateNamespaceRequest().id(id)));
        namespace.declareTable(new DeclareTableRequest().id(List.of(home, "n s/2", "t")));
        refused(NamespaceNotEmptyException.class, 3, () -> namespace.dropNamespace(new DropNamespaceRequest().id(id)));
        namespace.dropTable(new DropTableRequest().id(List.of(home, "n s/2", "t")));
        namespace.dropNamespace(new DropNamespaceRequest().id(id));
        refused(
                NamespaceNotFoundException.class,
                1,
                () -> namespace.namespaceExists(new NamespaceExistsRequest().id(id)));
        refused(NamespaceNotFoundException.class, 1, () -> namespace.listTables(new ListTablesRequest().id(id)));
    }

    @Test
    void tablesLiveFromCreateToDrop() throws Exception {
        Dataset source = datasets.getFirst();
        List<String> id = create("a table/1", source, Map.of("source", "vega"));
        DescribeTableResponse told = describe(id);
        assertThat(told.getVersion()).isEqualTo(1);
        assertThat(told.getProperties()).isEqualTo(Map.of("source", "vega"));
        assertThat(Objects.requireNonNull(told.getSchema()).getFields())
                .hasSize(source.columns().size());
        namespace.tableExists(new TableExistsRequest().id(id));
        assertThat(namespace
                        .listTables(new ListTablesRequest().id(List.of(home)))
                        .getTables())
                .contains("a table/1");
        refused(TableAlreadyExistsException.class, 5, () -> create("a table/1", source, Map.of()));
        refused(
                TableVersionNotFoundException.class,
                11,
                () -> namespace.describeTable(new DescribeTableRequest().id(id).version(99L)));
        assertThat(namespace.dropTable(new DropTableRequest().id(id)).getLocation())
                .isEqualTo(told.getLocation());
        refused(TableNotFoundException.class, 4, () -> namespace.tableExists(new TableExistsRequest().id(id)));
        refused(TableNotFoundException.class, 4, () -> describe(id));
        refused(TableNotFoundException.class, 4, () -> namespace.dropTable(new DropTableRequest().id(id)));
    }

    @Test
    void aDeclaredTableBecomesOneByItsFirstInsert() throws Exception {
        Dataset source = datasets.getFirst();
        List<String> id = List.of(home, "declared");
        String location = namespace
                .declareTable(new DeclareTableRequest().id(id).properties(Map.of("a", "b")))
                .getLocation();
        assertThat(describe(id).getLocation()).isEqualTo(location);
        assertThat(describe(id).getVersion()).isNull();
        refused(InvalidTableStateException.class, 19, () -> count(id));
        namespace.insertIntoTable(new InsertIntoTableRequest().id(id), stream(source));
        assertThat(count(id)).isEqualTo(source.rows().size());
        assertThat(describe(id).getProperties()).isEqualTo(Map.of("a", "b"));
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void rowsComeBackAsTheSourceHasThemAndChangeWhereThePredicateSays(Dataset source) throws Exception {
        List<String> id = create("rows-" + source.name(), source, Map.of());
        assertThat(rows(query(id))).isEqualTo(source.rows());
        assertThat(rows(query(id).filter(source.sampleFilter()))).isEqualTo(source.rowsWhere(source.inSample()));
        int sampled = source.rowsWhere(source.inSample()).size();
        assertThat(namespace
                        .updateTable(new UpdateTableRequest()
                                .id(id)
                                .predicate(source.sampleFilter())
                                .updates(List.of(List.of(source.editable(), "'it''s new'"))))
                        .getUpdatedRows())
                .isEqualTo(sampled);
        assertThat(rows(query(id).filter("`" + source.editable() + "` = 'it''s new'")))
                .hasSize(sampled);
        namespace.deleteFromTable(new DeleteFromTableRequest().id(id).predicate(source.sampleFilter()));
        assertThat(count(id)).isEqualTo(source.rows().size() - sampled);
        namespace.insertIntoTable(new InsertIntoTableRequest().id(id).mode("overwrite"), stream(source));
        assertThat(count(id)).isEqualTo(source.rows().size());
    }

    @Test
    void whatIsWrongWithARequestIsItsException() throws Exception {
        Dataset source = datasets.getFirst();
        List<String> id = create("refusing", source, Map.of());
        refused(InvalidInputException.class, 13, () -> rows(query(id).filter("row = = 1")));
        refused(TableColumnNotFoundException.class, 12, () -> rows(query(id).filter("nope = 1")));
        refused(TableVersionNotFoundException.class, 11, () -> rows(query(id).version(99L)));
        refused(
                TableColumnNotFoundException.class,
                12,
                () -> namespace.deleteFromTable(
                        new DeleteFromTableRequest().id(id).predicate("nope = 1")));
        refused(
                TableColumnNotFoundException.class,
                12,
                () -> namespace.updateTable(new UpdateTableRequest().id(id).updates(List.of(List.of("nope", "1")))));
        refused(
                TableSchemaValidationException.class,
                20,
                () -> namespace.insertIntoTable(new InsertIntoTableRequest().id(id), stream(datasets.getLast())));
        refused(
                InvalidInputException.class,
                13,
                () -> namespace.insertIntoTable(new InsertIntoTableRequest().id(id), new byte[] {1, 2, 3}));
        refused(
                NamespaceNotFoundException.class,
                1,
                () -> namespace.createTable(
                        new CreateTableRequest().id(List.of("absent-" + run, "t")), stream(source)));
        refused(
                InvalidInputException.class,
                13,
                () -> namespace.createNamespace(new CreateNamespaceRequest().id(List.of(home, ".."))));
        assertThat(count(id)).isEqualTo(source.rows().size());
    }

    @Test
    void allTablesAreListedWithTheirWholeIds() throws Exception {
        List<String> id = create("listed", datasets.getFirst(), Map.of());
        assertThat(namespace.listAllTables(new ListTablesRequest().limit(1000)).getTables())
                .contains(String.join("$", id));
    }

    @Test
    void aDeregisteredTableIsRegisteredAgainWithItsRows() throws Exception {
        Dataset source = datasets.getFirst();
        List<String> id = create("registered", source, Map.of());
        String location = Objects.requireNonNull(
                namespace.deregisterTable(new DeregisterTableRequest().id(id)).getLocation());
        refused(TableNotFoundException.class, 4, () -> describe(id));
        String relative = location.substring(location.lastIndexOf('/') + 1);
        namespace.registerTable(new RegisterTableRequest().id(id).location(relative));
        assertThat(count(id)).isEqualTo(source.rows().size());
        refused(
                TableAlreadyExistsException.class,
                5,
                () -> namespace.registerTable(new RegisterTableRequest().id(id).location(relative)));
        refused(
                InvalidInputException.class,
                13,
                () -> namespace.registerTable(
                        new RegisterTableRequest().id(List.of(home, "escaped")).location("../x")));
    }

    @Test
    void aRenamedTableIsFoundUnderItsNewNameAlone() throws Exception {
        Dataset source = datasets.getFirst();
        List<String> id = create("old name", source, Map.of("a", "b"));
        namespace.renameTable(new RenameTableRequest().id(id).newTableName("new name"));
        assertThat(count(List.of(home, "new name"))).isEqualTo(source.rows().size());
        assertThat(describe(List.of(home, "new name")).getProperties()).isEqualTo(Map.of("a", "b"));
        refused(TableNotFoundException.class, 4, () -> describe(id));
    }

    @Test
    void mergedRowsReplaceAndJoinTheOthers() throws Exception {
        Dataset source = datasets.getFirst();
        int half = source.rows().size() / 2;
        List<String> id = List.of(home, "merged");
        namespace.createTable(
                new CreateTableRequest().id(id),
                ArrowRows.stream(allocator, source.columns(), source.rows().subList(0, half)));
        var told = namespace.mergeInsertIntoTable(
                new MergeInsertIntoTableRequest()
                        .id(id)
                        .on("row")
                        .whenMatchedUpdateAll(true)
                        .whenNotMatchedInsertAll(true),
                stream(source));
        assertThat(told.getNumUpdatedRows()).isEqualTo(half);
        assertThat(told.getNumInsertedRows()).isEqualTo(source.rows().size() - half);
        assertThat(count(id)).isEqualTo(source.rows().size());
    }

    @Test
    void droppedColumnsAreGoneAndTheMetadataOfASchemaIsMerged() throws Exception {
        List<String> id = create("columns", datasets.getFirst(), Map.of());
        assertThat(namespace
                        .alterTableDropColumns(
                                new AlterTableDropColumnsRequest().id(id).addColumnsItem("row"))
                        .getVersion())
                .isEqualTo(2);
        refused(
                TableColumnNotFoundException.class,
                12,
                () -> namespace.alterTableDropColumns(
                        new AlterTableDropColumnsRequest().id(id).addColumnsItem("row")));
        var told = namespace.updateTableSchemaMetadata(
                new UpdateTableSchemaMetadataRequest().id(id).metadata(Map.of("a", "1")));
        assertThat(told.getMetadata()).containsEntry("a", "1");
    }

    @Test
    void statsCountTheRows() throws Exception {
        Dataset source = datasets.getFirst();
        List<String> id = create("measured", source, Map.of());
        var told = namespace.getTableStats(new GetTableStatsRequest().id(id));
        assertThat(told.getNumRows()).isEqualTo(source.rows().size());
        assertThat(told.getTotalBytes()).isPositive();
    }

    @Test
    void plansAreToldInWords() throws Exception {
        List<String> id = create("planned", datasets.getFirst(), Map.of());
        assertThat(namespace.explainTableQueryPlan(new ExplainTableQueryPlanRequest()
                        .id(id)
                        .query(query(id).filter("row < 5"))))
                .contains("row");
        assertThat(namespace.analyzeTableQueryPlan(new AnalyzeTableQueryPlanRequest()
                        .id(id)
                        .k(10)
                        .vector(new QueryTableRequestVector())
                        .filter("row < 5")))
                .contains("row");
    }

    @Test
    void aTagLivesFromMakingToDeletion() throws Exception {
        List<String> id = create("tagged", datasets.getFirst(), Map.of());
        namespace.insertIntoTable(new InsertIntoTableRequest().id(id), stream(datasets.getFirst()));
        namespace.createTableTag(new CreateTableTagRequest().id(id).tag("gold").version(1L));
        refused(
                TableTagAlreadyExistsException.class,
                9,
                () -> namespace.createTableTag(
                        new CreateTableTagRequest().id(id).tag("gold").version(2L)));
        assertThat(version(id, "gold")).isEqualTo(1);
        assertThat(namespace.listTableTags(new ListTableTagsRequest().id(id)).getTags())
                .containsOnlyKeys("gold");
        namespace.updateTableTag(new UpdateTableTagRequest().id(id).tag("gold").version(2L));
        assertThat(version(id, "gold")).isEqualTo(2);
        namespace.deleteTableTag(new DeleteTableTagRequest().id(id).tag("gold"));
        refused(TableTagNotFoundException.class, 8, () -> version(id, "gold"));
    }

    private long version(List<String> id, String tag) {
        return namespace
                .getTableTagVersion(new GetTableTagVersionRequest().id(id).tag(tag))
                .getVersion();
    }

    @Test
    void indicesLiveFromMakingToDrop() throws Exception {
        List<String> id = create("indexed", datasets.getFirst(), Map.of());
        namespace.createTableIndex(
                new CreateTableIndexRequest().id(id).column("row").indexType("BTREE"));
        namespace.createTableScalarIndex(new CreateTableIndexRequest()
                .id(id)
                .column("name")
                .indexType("FTS")
                .name("words"));
        await().atMost(Duration.ofMinutes(2)).until(() -> indexNames(id).equals(List.of("row_idx", "words")));
        refused(
                TableIndexAlreadyExistsException.class,
                7,
                () -> namespace.createTableScalarIndex(new CreateTableIndexRequest()
                        .id(id)
                        .column("city")
                        .indexType("BTREE")
                        .name("words")));
        var stats = new DescribeTableIndexStatsRequest().id(id).indexName("words");
        assertThat(namespace.describeTableIndexStats(stats, "words").getNumIndexedRows())
                .isEqualTo(datasets.getFirst().rows().size());
        namespace.dropTableIndex(new DropTableIndexRequest().id(id).indexName("words"), "words");
        assertThat(indexNames(id)).containsExactly("row_idx");
        refused(
                TableIndexNotFoundException.class,
                6,
                () -> namespace.dropTableIndex(
                        new DropTableIndexRequest().id(id).indexName("words"), "words"));
    }

    private List<String> indexNames(List<String> id) {
        return namespace.listTableIndices(new ListTableIndicesRequest().id(id)).getIndexes().stream()
                .map(IndexContent::getIndexName)
                .toList();
    }

    @Test
    void versionsAreListedRestoredAndDeleted() throws Exception {
        Dataset source = datasets.getFirst();
        List<String> id = create("versioned", source, Map.of());
        namespace.deleteFromTable(new DeleteFromTableRequest().id(id).predicate("row < 10"));
        namespace.restoreTable(new RestoreTableRequest().id(id).version(1L));
        assertThat(count(id)).isEqualTo(source.rows().size());
        assertThat(namespace
                        .listTableVersions(
                                new ListTableVersionsRequest().id(id).limit(2).descending(true))
                        .getVersions())
                .extracting(TableVersion::getVersion)
                .containsExactly(3L, 2L);
        var second = new DescribeTableVersionRequest().id(id).version(2L);
        assertThat(namespace.describeTableVersion(second).getVersion().getManifestSize())
                .isPositive();
        refused(
                ConcurrentModificationException.class,
                14,
                () -> namespace.createTableVersion(
                        new CreateTableVersionRequest().id(id).version(2L).manifestPath("_versions/staged")));
        var range = new VersionRange().startVersion(2L).endVersion(3L);
        assertThat(namespace
                        .batchDeleteTableVersions(
                                new BatchDeleteTableVersionsRequest().id(id).ranges(List.of(range)))
                        .getDeletedCount())
                .isEqualTo(1);
        refused(TableVersionNotFoundException.class, 11, () -> namespace.describeTableVersion(second));
    }

    @Test
    void theTransactionOfAVersionIsTold() throws Exception {
        create("transacted", datasets.getFirst(), Map.of());
        var first = new DescribeTransactionRequest().id(List.of(home, "transacted", "1"));
        assertThat(namespace.describeTransaction(first).getStatus()).isEqualTo("Succeeded");
        refused(
                TransactionNotFoundException.class,
                10,
                () -> namespace.describeTransaction(
                        new DescribeTransactionRequest().id(List.of(home, "transacted", "9"))));
        var canceled = new AlterTransactionAction().setStatusAction(new AlterTransactionSetStatus().status("Canceled"));
        refused(
                ConcurrentModificationException.class,
                14,
                () -> namespace.alterTransaction(new AlterTransactionRequest()
                        .id(List.of(home, "transacted", "1"))
                        .actions(List.of(canceled))));
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void everyServedOperationThatReachesTheWireWasCalled() {
        Set<String> missed = new TreeSet<>(Operations.served());
        missed.removeAll(called);
        missed.removeAll(NEVER_SENT);
        assertThat(missed).isEmpty();
    }

    private List<String> create(String name, Dataset source, Map<String, String> properties) throws IOException {
        List<String> id = List.of(home, name);
        namespace.createTable(new CreateTableRequest().id(id).properties(properties), stream(source));
        return id;
    }

    private DescribeTableResponse describe(List<String> id) {
        return namespace.describeTable(new DescribeTableRequest().id(id));
    }

    private long count(List<String> id) {
        return namespace.countTableRows(new CountTableRowsRequest().id(id));
    }

    private static QueryTableRequest query(List<String> id) {
        return new QueryTableRequest().id(id).k(100_000).vector(new QueryTableRequestVector());
    }

    private List<List<@Nullable Object>> rows(QueryTableRequest request) throws IOException {
        return new ArrayList<>(ArrowRows.file(allocator, namespace.queryTable(request)));
    }

    private byte[] stream(Dataset source) throws IOException {
        return ArrowRows.stream(allocator, source.columns(), source.rows());
    }

    private static void refused(Class<? extends LanceNamespaceException> type, int code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(type)
                .isInstanceOfSatisfying(
                        type, refused -> assertThat(refused.getCode()).isEqualTo(code));
    }
}
