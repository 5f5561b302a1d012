package io.rask.catalog.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lance.namespace.client.apache.ApiClient;
import org.lance.namespace.client.apache.ApiException;
import org.lance.namespace.client.apache.api.DataApi;
import org.lance.namespace.client.apache.api.NamespaceApi;
import org.lance.namespace.client.apache.api.TableApi;
import org.lance.namespace.model.CountTableRowsRequest;
import org.lance.namespace.model.CreateNamespaceRequest;
import org.lance.namespace.model.DeleteFromTableRequest;
import org.lance.namespace.model.DescribeTableRequest;
import org.lance.namespace.model.DropNamespaceRequest;
import org.lance.namespace.model.QueryTableRequest;
import org.lance.namespace.model.QueryTableRequestColumns;
import org.lance.namespace.model.QueryTableRequestVector;
import org.lance.namespace.model.TableExistsRequest;
import org.lance.namespace.model.UpdateTableRequest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The generated Java client 0.7.7 on real tables: what it wrote is what the source has, row by row. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GeneratedJavaClientTest {
    private static final String DELIMITER = "$";

    private final List<Dataset> datasets = VegaDatasets.all().toList();
    private final String run = UUID.randomUUID().toString().substring(0, 13);
    private final String namespace = "vega-" + run;
    private final BufferAllocator allocator = new RootAllocator();
    private final ApiClient client = new ApiClient();
    private final DataApi data = new DataApi(client);
    private final TableApi tables = new TableApi(client);
    private final NamespaceApi namespaces = new NamespaceApi(client);

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
