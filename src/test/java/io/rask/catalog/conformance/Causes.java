package io.rask.catalog.conformance;

import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.ForeignTables;
import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.Register.Operation;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** For each operation and each code it declares a request that has that real cause, and no other. */
final class Causes {
    private static final Set<String> BATCHES = Set.of("BatchCreateTableVersions", "BatchCommitTables");
    /** A row with a column that the table does not have. */
    private static final byte[] WITH_ANOTHER = ArrowStreams.of(
            List.of(Field.nullable("id", ArrowStreams.INT64), Field.nullable("other", ArrowStreams.INT64)),
            List.of(ArrowStreams.row(1, 1)));

    private static final String NO_VERSION = "999999";

    private final ConformanceCatalog catalog;
    private final ValidCalls valid;

    Causes(ConformanceCatalog catalog) {
        this.catalog = catalog;
        this.valid = catalog.valid();
    }

    /** @throws IllegalArgumentException when nobody has said what leads to the code */
    Call of(Operation operation, int code) {
        Call call = valid.of(operation);
        return switch (code) {
            case 0 -> unsupported(call);
            case 1 -> absentNamespace(call);
            case 2 -> call.on(made("CreateNamespace"));
            case 3 -> full(call);
            case 4 -> absentTable(call);
            case 5 -> existing(call);
            case 6 -> call.index("none");
            case 7 -> call.changed(body -> body.put("name", "id_idx"));
            case 8 -> absentTag(call);
            case 9 -> call.changed(body -> body.put("tag", "gold"));
            case 10 -> call.on("none");
            case 11 -> absentVersion(call);
            case 12 -> absentColumn(call);
            case 13 -> misshapen(call);
            case 14 -> conflict(call);
            case 19 -> wrongState(call);
            case 20 ->
                call.operation().name().equals("CreateMaterializedView")
                        ? call.changed(body -> body.put("source_query", "SELECT text AS id FROM \"rows\""))
                        : call.carrying(WITH_ANOTHER);
            case 22 ->
                call.operation().name().equals("DeleteTableBranch")
                        ? call.changed(body -> body.put("name", "nowhere"))
                        : call.operation().name().equals("CreateTableBranch")
                                ? call.changed(body -> body.put("from_branch", "nowhere"))
                                : call.onBranch("nowhere");
            case 23 -> call.changed(body -> body.put("name", "dev"));
            default -> throw new IllegalArgumentException("no cause of code " + code);
        };
    }

    private static IllegalArgumentException unknown(Call call, int code) {
        return new IllegalArgumentException("no cause of code " + code + " for " + call.operation());
    }

    private String[] made(String creation) {
        Call call = valid.of(Register.operation(creation));
        catalog.send(call);
        return call.id().toArray(String[]::new);
    }

    private static String byFunction(boolean atOnce) {
        return "{\"new_columns\":[{\"name\":\"by_function\",\"virtual_column\":{\"auto_backfill\":" + atOnce
                + ",\"image\":\"i\",\"udf\":\"f\",\"udf_name\":\"f\",\"udf_version\":\"1\",\"input_columns\":[\"id\"],"
                + "\"outputs\":[{\"column\":\"by_function\",\"data_type\":{\"type\":\"int64\"}}]}}]}";
    }

    /** A table with a column that a function outside is to fill. */
    private String[] withFunction() {
        List<String> table = valid.newTable();
        catalog.server()
                .post(ValidCalls.address(table) + "/add_columns", byFunction(false))
                .ok();
        return table.toArray(String[]::new);
    }

    private String[] withOldNames() {
        return foreign(place -> ForeignTables.withOldNames(ValidCalls.rows(0, 3), place));
    }

    private String[] withDictionary() {
        return foreign(ForeignTables::withDictionary);
    }

    private interface Maker {
        void make(Path place) throws Exception;
    }

    /** A table that another program has made, registered. */
    private String[] foreign(Maker maker) {
        List<String> table = valid.newName();
        try {
            maker.make(catalog.folder()
                    .resolve("lance")
                    .resolve(valid.home().warehouse())
                    .resolve(table.getLast()));
        } catch (Exception e) {
            throw new IllegalStateException("the table could not be made", e);
        }
        catalog.server()
                .post(ValidCalls.address(table) + "/register", "{\"location\":\"" + table.getLast() + "\"}")
                .ok();
        return table.toArray(String[]::new);
    }

    private Call unsupported(Call call) {
        return switch (call.operation().name()) {
            case "AlterTableAddColumns" -> call.saying(byFunction(true));
            case "AlterTableBackfillColumns" -> call.on(withFunction()).saying("{\"column\":\"by_function\"}");
            case "AlterTableAlterColumns" ->
                call.on(withOldNames()).saying("{\"alterations\":[{\"path\":\"text\",\"rename\":\"words\"}]}");
            case "AlterTableDropColumns" -> call.on(withOldNames()).saying("{\"columns\":[\"text\"]}");
            case "UpdateFieldMetadata" ->
                call.on(withDictionary()).saying("{\"updates\":[{\"path\":\"d\",\"metadata\":{\"a\":\"b\"}}]}");
            case "CreateMaterializedView" -> call.changed(body -> body.put("kind", "udtf"));
            case "RefreshMaterializedView" -> call.saying("{\"manifest\":\"{}\"}");
            default -> throw unknown(call, 0);
        };
    }

    private Call absentNamespace(Call call) {
        if (call.operation().name().equals("BatchCommitTables")) {
            return call.saying("{\"operations\":[{\"declare_table\":{\"id\":[\"nowhere\",\"inside\",\"t\"]}}]}");
        }
        if (call.operation().name().equals("RenameTable")) {
            return call.changed(body -> body.putArray("new_namespace_id")
                    .add(valid.home().namespace())
                    .add("nowhere"));
        }
        return call.on(valid.home().namespace(), "nowhere", "t");
    }

    private Call full(Call call) {
        if (call.operation().name().equals("DropNamespace")) {
            return call.on(valid.home().namespace());
        }
        String[] space = made("CreateNamespace");
        catalog.server()
                .post(ValidCalls.address(List.of(space[0], space[1], "inside")) + "/declare")
                .ok();
        return call.on(space).changed(body -> body.put("mode", "Overwrite"));
    }

    private Call absentTable(Call call) {
        String nowhere = "[\"" + valid.home().namespace() + "\",\"nowhere\"]";
        return switch (call.operation().name()) {
            case "BatchCreateTableVersions" ->
                call.saying("{\"entries\":[{\"id\":" + nowhere + ",\"version\":2,\"manifest_path\":\"_versions/x\"}]}");
            case "BatchCommitTables" ->
                call.saying("{\"operations\":[{\"deregister_table\":{\"id\":" + nowhere + "}}]}");
            case "CreateMaterializedView" -> call.changed(body -> body.put("source_query", "SELECT id FROM nowhere"));
            // The id in the body, where there is one, stays that of the path.
            default ->
                call.json() != null && call.json().has("id")
                        ? call.on(valid.home().namespace(), "nowhere").changed(body -> body.remove("id"))
                        : call.on(valid.home().namespace(), "nowhere");
        };
    }

    private Call existing(Call call) {
        return switch (call.operation().name()) {
            case "BatchCommitTables" ->
                call.saying("{\"operations\":[{\"declare_table\":{\"id\":[\""
                        + String.join("\",\"", valid.home().rows()) + "\"]}}]}");
            case "RenameTable" -> call.changed(body -> body.put("new_table_name", "rows"));
            default -> call.on(valid.home().rows().toArray(String[]::new));
        };
    }

    private static Call absentTag(Call call) {
        return call.operation().name().equals("DescribeTable")
                ? call.saying("{\"tag\":\"none\"}")
                : call.changed(body -> body.put("tag", "none"));
    }

    private static Call absentVersion(Call call) {
        return switch (call.operation().name()) {
            case "CreateTableBranch" -> call.changed(body -> body.put("from_version", Long.valueOf(NO_VERSION)));
            case "AlterTableBackfillColumns" ->
                call.changed(body -> body.put("read_version", Long.valueOf(NO_VERSION)));
            case "ExplainTableQueryPlan" ->
                call.changed(body -> ((ObjectNode) body.path("query")).put("version", Long.valueOf(NO_VERSION)));
            default -> call.changed(body -> body.put("version", Long.valueOf(NO_VERSION)));
        };
    }

    private static Call absentColumn(Call call) {
        return switch (call.operation().name()) {
            case "MergeInsertIntoTable" ->
                new Call(call.operation(), call.id(), "", "on=none&when_matched_update_all=true", null, call.arrow());
            case "UpdateTable", "DeleteFromTable", "CountTableRows" ->
                call.changed(body -> body.put("predicate", "none = 1"));
            case "QueryTable", "AnalyzeTableQueryPlan" -> call.changed(body -> body.put("filter", "none = 1"));
            case "ExplainTableQueryPlan" ->
                call.changed(body -> ((ObjectNode) body.path("query")).put("filter", "none = 1"));
            case "AlterTableAddColumns" ->
                call.saying("{\"new_columns\":[{\"name\":\"from_nothing\",\"expression\":\"none * 2\"}]}");
            case "AlterTableAlterColumns" -> call.saying("{\"alterations\":[{\"path\":\"none\",\"nullable\":true}]}");
            case "AlterTableDropColumns" -> call.saying("{\"columns\":[\"none\"]}");
            case "UpdateFieldMetadata" -> call.saying("{\"updates\":[{\"path\":\"none\",\"metadata\":{\"a\":\"b\"}}]}");
            case "CreateMaterializedView" ->
                call.changed(body -> body.put("source_query", "SELECT none AS id FROM \"rows\""));
            default -> call.changed(body -> body.put("column", "none"));
        };
    }

    /** A body that is no JSON object; where the operation reads none, a delimiter that separates nothing. */
    private static Call misshapen(Call call) {
        if (call.operation().name().equals("ListAllTables")) {
            return call.asking("limit=0");
        }
        return BATCHES.contains(call.operation().name()) ? call.saying("[1]") : call.asking("delimiter=");
    }

    private Call conflict(Call call) {
        String rows = "[\"" + String.join("\",\"", valid.home().rows()) + "\"]";
        String taken = "{\"id\":" + rows + ",\"version\":1,\"manifest_path\":\"_versions/staged\"}";
        return switch (call.operation().name()) {
            case "CreateTableVersion" ->
                call.on(valid.home().rows().toArray(String[]::new)).saying(taken);
            case "BatchCreateTableVersions" -> call.saying("{\"entries\":[" + taken + "]}");
            case "BatchCommitTables" -> call.saying("{\"operations\":[{\"create_table_version\":" + taken + "}]}");
            case "AlterTransaction" -> call.saying("{\"actions\":[{\"setStatusAction\":{\"status\":\"Failed\"}}]}");
            default -> throw unknown(call, 14);
        };
    }

    private Call wrongState(Call call) {
        return switch (call.operation().name()) {
            case "BatchCommitTables" ->
                call.saying("{\"operations\":[{\"delete_table_versions\":{\"id\":[\""
                        + String.join("\",\"", valid.newTable())
                        + "\"],\"ranges\":[{\"start_version\":0,\"end_version\":-1}]}}]}");
            case "BatchDeleteTableVersions" -> call.saying("{\"ranges\":[{\"start_version\":0,\"end_version\":-1}]}");
            case "DropTable", "DeregisterTable", "DeleteTableBranch", "DeleteTableTag" -> call.on(protectedTable());
            case "InsertIntoTable", "MergeInsertIntoTable", "RestoreTable" ->
                call.on(valid.newView().toArray(String[]::new));
            case "CreateTable" ->
                call.on(valid.newView().toArray(String[]::new)).asking("mode=overwrite");
            case "RegisterTable" -> call.on(protectedTable()).changed(body -> body.put("mode", "Overwrite"));
            default -> call.on(valid.home().declared().toArray(String[]::new));
        };
    }

    /** A table that an operator's record protects. */
    private String[] protectedTable() {
        List<String> table = valid.newTable();
        String id = String.join("$", table);
        ObjectNode record = JsonNodeFactory.instance.objectNode();
        record.put("id", id).put("protected", "true");
        catalog.server().bean(Records.class).put(RecordKey.of("_protection", RecordKey.hashed("table", id)), record);
        return table.toArray(String[]::new);
    }
}
