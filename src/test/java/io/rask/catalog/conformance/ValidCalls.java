package io.rask.catalog.conformance;

import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.UTF8;
import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.ArrowStreams.vector;
import static io.rask.catalog.testing.RunningServer.id;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.Indices;
import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.Register.Operation;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.StagedVersion;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.springframework.util.function.SingletonSupplier;

/**
 * For each operation a request that succeeds, each time it is asked for one. What can be used again is; what a success takes away is
 * made anew.
 */
final class ValidCalls {
    static final List<Field> COLUMNS =
            List.of(Field.nullable("id", INT64), Field.nullable("text", UTF8), vector("place", 2));
    private static final String EVERYTHING = "{\"k\":100,\"vector\":{\"single_vector\":[]}}";

    private final ConformanceCatalog catalog;
    private final AtomicInteger names = new AtomicInteger();
    private final Supplier<Home> home = SingletonSupplier.of(() -> newHome("home"));
    private final Supplier<String> transaction = SingletonSupplier.of(this::newTransaction);

    ValidCalls(ConformanceCatalog catalog) {
        this.catalog = catalog;
    }

    /** A namespace in a warehouse of its own, with a table that has rows, a tag, a branch and indices, and one that is only declared. */
    record Home(String warehouse, String namespace) {
        List<String> rows() {
            return List.of(namespace, "rows");
        }

        List<String> declared() {
            return List.of(namespace, "declared");
        }
    }

    Home home() {
        return home.get();
    }

    String fresh(String kind) {
        return kind + "-" + names.incrementAndGet();
    }

    static byte[] rows(int from, int count) {
        return ArrowStreams.of(
                COLUMNS,
                IntStream.range(from, from + count)
                        .mapToObj(i -> row(i, "word " + i, List.of(i, 1)))
                        .toList());
    }

    Home newHome(String kind) {
        Home made = new Home(fresh("lake"), fresh(kind));
        server().makeNamespace("conformance", made.warehouse(), made.namespace());
        make(made.rows());
        String table = address(made.rows());
        server().arrow(table + "/insert", rows(3, 2)).ok();
        server().post(table + "/add_columns", "{\"new_columns\":[{\"name\":\"later\",\"computed\":\"id * 2\"}]}")
                .ok();
        server().post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":1}")
                .ok();
        server().post(table + "/branches/create", "{\"name\":\"dev\"}").ok();
        String location =
                server().post(table + "/describe").ok().json().path("location").asString();
        Indices.make(Clones.folder(location).toString(), "id", "text", "place");
        server().post(address(made.declared()) + "/declare").ok();
        return made;
    }

    private RunningServer server() {
        return catalog.server();
    }

    static String address(List<String> table) {
        return "/v1/table/" + id(table.toArray(String[]::new));
    }

    private void make(List<String> table) {
        server().arrow(address(table) + "/create", rows(0, 3)).ok();
    }

    /** A table with rows of its own. */
    List<String> newTable() {
        List<String> table = newName();
        make(table);
        return table;
    }

    List<String> newName() {
        return List.of(home().namespace(), fresh("table"));
    }

    List<String> newDeclared() {
        List<String> table = newName();
        server().post(address(table) + "/declare").ok();
        return table;
    }

    private String newTransaction() {
        return server().post("/v1/table/batch-commit", declaring(newName()))
                .ok()
                .json()
                .path("transaction_id")
                .asString();
    }

    private static String ids(List<String> segments) {
        return "[\"" + String.join("\",\"", segments) + "\"]";
    }

    private static String declaring(List<String> table) {
        return "{\"operations\":[{\"declare_table\":{\"id\":" + ids(table) + "}}]}";
    }

    private StagedVersion staged() {
        return StagedVersion.inserting(server(), new ObjectId(newTable()), rows(3, 1));
    }

    Call of(Operation operation) {
        List<String> rows = home().rows();
        return switch (operation.name()) {
            case "CreateNamespace" -> json(operation, newName(), "{\"properties\":{\"a\":\"b\"}}");
            case "DropNamespace" -> json(operation, newNamespace(), "{}");
            case "ListNamespaces", "DescribeNamespace", "NamespaceExists", "ListTables" ->
                json(operation, List.of(home().namespace()), "{}");
            case "ListAllTables" -> json(operation, List.of(), "");
            case "RegisterTable" -> registration(operation);
            case "DropTable", "DeregisterTable" -> json(operation, newDeclared(), "{}");
            case "RenameTable" -> json(operation, newDeclared(), "{\"new_table_name\":\"" + fresh("table") + "\"}");
            case "DeclareTable" -> json(operation, newName(), "{}");
            case "CreateTable" -> Call.arrow(operation, newName(), "", rows(0, 3));
            case "InsertIntoTable" -> Call.arrow(operation, rows, "", rows(3, 1));
            case "MergeInsertIntoTable" ->
                Call.arrow(operation, rows, "on=id&when_matched_update_all=true", rows(1, 1));
            case "CreateTableVersion" -> version(operation, staged());
            case "BatchCreateTableVersions" -> json(operation, List.of(), "{\"entries\":[" + staged().request() + "]}");
            case "BatchCommitTables" -> json(operation, List.of(), declaring(newName()));
            case "BatchDeleteTableVersions" ->
                json(operation, newTwice(), "{\"ranges\":[{\"start_version\":1,\"end_version\":2}]}");
            case "DescribeTransaction" -> json(operation, List.of(transaction.get()), "{}");
            case "AlterTransaction" ->
                json(
                        operation,
                        List.of(transaction.get()),
                        "{\"actions\":[{\"setPropertyAction\":"
                                + "{\"key\":\"by\",\"value\":\"ann\",\"mode\":\"Overwrite\"}}]}");
            case "RestoreTable" -> json(operation, newTwice(), "{\"version\":1}");
            case "DropTableIndex" -> json(operation, newIndexed(), "");
            case "CreateMaterializedView" -> json(operation, newName(), view());
            case "RefreshMaterializedView" -> json(operation, newView(), "{}");
            default -> json(operation, rows, body(operation.name()));
        };
    }

    /** What operations on the table of rows need in their bodies. */
    private String body(String name) {
        return switch (name) {
            case "UpdateTableSchemaMetadata" -> "{\"unit\":\"none\"}";
            case "AlterTableAlterColumns" -> "{\"alterations\":[{\"path\":\"text\",\"nullable\":true}]}";
            case "UpdateFieldMetadata" -> "{\"updates\":[{\"path\":\"id\",\"metadata\":{\"unit\":\"none\"}}]}";
            case "AlterTableAddColumns" ->
                "{\"new_columns\":[{\"name\":\"" + fresh("column") + "\",\"expression\":\"id * 2\"}]}";
            case "AlterTableDropColumns" -> "{\"columns\":[\"" + newColumn() + "\"]}";
            case "UpdateTable" -> "{\"updates\":[[\"text\",\"'new'\"]],\"predicate\":\"id = 1\"}";
            case "DeleteFromTable" -> "{\"predicate\":\"id > 1000000\"}";
            case "QueryTable", "AnalyzeTableQueryPlan" -> EVERYTHING;
            case "ExplainTableQueryPlan" -> "{\"query\":" + EVERYTHING + "}";
            case "AlterTableBackfillColumns" -> "{\"column\":\"later\"}";
            case "CreateTableIndex", "CreateTableScalarIndex" ->
                "{\"column\":\"text\",\"index_type\":\"BITMAP\",\"name\":\"" + fresh("index") + "\"}";
            case "GetTableTagVersion" -> "{\"tag\":\"gold\"}";
            case "UpdateTableTag" -> "{\"tag\":\"gold\",\"version\":1}";
            case "CreateTableTag" -> "{\"tag\":\"" + fresh("tag") + "\",\"version\":1}";
            case "DeleteTableTag" -> "{\"tag\":\"" + newTag() + "\"}";
            case "CreateTableBranch" -> "{\"name\":\"" + fresh("branch") + "\"}";
            case "DeleteTableBranch" -> "{\"name\":\"" + newBranch() + "\"}";
            default -> "{}";
        };
    }

    private Call json(Operation operation, List<String> id, String body) {
        return Call.of(operation, id, body);
    }

    private List<String> newNamespace() {
        List<String> name = newName();
        server().post("/v1/namespace/" + id(name.toArray(String[]::new)) + "/create", "{}")
                .ok();
        return name;
    }

    private List<String> newTwice() {
        List<String> table = newTable();
        server().arrow(address(table) + "/insert", rows(3, 1)).ok();
        return table;
    }

    private Call registration(Operation operation) {
        List<String> table = newTable();
        return json(operation, newName(), "{\"location\":\"" + deregistered(table) + "\"}");
    }

    /** The place of a table that the catalog forgets. */
    String deregistered(List<String> table) {
        return server().post(address(table) + "/deregister")
                .ok()
                .json()
                .path("location")
                .asString();
    }

    private static Call version(Operation operation, StagedVersion staged) {
        ObjectId table = new ObjectId(
                List.of(staged.id().substring(2, staged.id().length() - 2).split("\",\"", -1)));
        return Call.of(operation, table.segments(), staged.request());
    }

    private List<String> newIndexed() {
        List<String> table = newTable();
        String location = server().post(address(table) + "/describe")
                .ok()
                .json()
                .path("location")
                .asString();
        Indices.make(Clones.folder(location).toString(), "id", "text", "place");
        return table;
    }

    private String newColumn() {
        Operation add = Register.operation("AlterTableAddColumns");
        Call call = of(add);
        server().post(call.path(), String.valueOf(call.json())).ok();
        return String.valueOf(call.json()).replaceAll(".*\"name\":\"([^\"]+)\".*", "$1");
    }

    private String newTag() {
        String tag = fresh("tag");
        server().post(address(home().rows()) + "/tags/create", "{\"tag\":\"" + tag + "\",\"version\":1}")
                .ok();
        return tag;
    }

    private String newBranch() {
        String branch = fresh("branch");
        server().post(address(home().rows()) + "/branches/create", "{\"name\":\"" + branch + "\"}")
                .ok();
        return branch;
    }

    private static String view() {
        byte[] schema = new Schema(List.of(Field.nullable("id", INT64))).serializeAsMessage();
        return "{\"kind\":\"query\",\"source_query\":\"SELECT id FROM \\\"rows\\\"\",\"with_no_data\":true,\"output_schema\":\""
                + Base64.getEncoder().encodeToString(schema) + "\"}";
    }

    /** A view that is there. */
    List<String> newView() {
        List<String> name = newName();
        server().post("/v1/materialized_view/" + id(name.toArray(String[]::new)) + "/create", view());
        return name;
    }
}
