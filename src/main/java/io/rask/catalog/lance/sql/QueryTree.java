package io.rask.catalog.lance.sql;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The walk over a parsed query. Whatever is not known to be harmless is refused: nodes, expressions and functions are compared with
 * lists of permissions. Tables and common table expressions get names of our own on the way, so that no name of the query's reaches
 * the engine's catalog, where it could mean something else.
 */
final class QueryTree {
    private static final int MOST_TABLES = 32;
    private static final int DEEPEST = 400;

    /** Nodes, tables and modifiers of a query. */
    private static final Set<String> NODES = Set.of(
            "SELECT_NODE",
            "SET_OPERATION_NODE",
            "RECURSIVE_CTE_NODE",
            "CTE_NODE",
            "BASE_TABLE",
            "JOIN",
            "SUBQUERY",
            "TABLE_FUNCTION",
            "EXPRESSION_LIST",
            "EMPTY",
            "ORDER_MODIFIER",
            "ORDER_DEFAULT",
            "ASCENDING",
            "DESCENDING",
            "LIMIT_MODIFIER",
            "LIMIT_PERCENT_MODIFIER",
            "DISTINCT_MODIFIER");

    /** The parameters of a type. */
    private static final String TYPE = "_TYPE_INFO";

    private static final Set<String> EXPRESSIONS = Set.of(
            "BETWEEN",
            "CASE",
            "CAST",
            "COLLATE",
            "COLUMN_REF",
            "COMPARISON",
            "CONJUNCTION",
            "CONSTANT",
            "FUNCTION",
            "LAMBDA",
            "LAMBDA_REF",
            "OPERATOR",
            "POSITIONAL_REFERENCE",
            "STAR",
            "SUBQUERY",
            "TYPE",
            "WINDOW");

    /** Names without a table that the engine takes for functions of the moment or the session. */
    private static final Set<String> MOMENTS = Set.of(
            "current_catalog",
            "current_date",
            "current_role",
            "current_schema",
            "current_time",
            "current_timestamp",
            "current_user",
            "localtime",
            "localtimestamp",
            "session_user",
            "user");

    /** The engine itself writes the names of some functions with a schema. */
    private static final Set<String> SCHEMAS = Set.of("", "main", "pg_catalog");

    private final Functions functions;
    private final List<List<String>> tables = new ArrayList<>();
    private final Map<List<String>, String> aliases = new HashMap<>();
    private final Set<String> aliasNames = new HashSet<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> lastNames = new HashSet<>();
    private int expressions;
    private boolean allColumns;
    private boolean rowWise = true;

    private QueryTree(Functions functions) {
        this.functions = functions;
    }

    /**
     * Checks a query and gives its tables names.
     *
     * @param tree the parsed query; changed
     * @throws CatalogException code 13 for what no view may do
     */
    static QueryTree of(ObjectNode tree, Functions functions) {
        JsonNode statements = tree.path("statements");
        if (statements.size() != 1) {
            throw refused("A view is one query; the text holds " + statements.size() + " statements.");
        }
        QueryTree walk = new QueryTree(functions);
        ObjectNode node = (ObjectNode) statements.get(0).path("node");
        walk.rowWise &= isPlain(node);
        walk.any(statements.get(0), Map.of(), 0);
        walk.qualifiers(statements.get(0));
        if (walk.tables.isEmpty()) {
            throw refused("The query reads no table; a view is made over at least one.");
        }
        walk.allColumns |= walk.namesATable();
        return walk;
    }

    /** What was found. */
    SelectQuery query(String text) {
        return new SelectQuery(tables, rowWise && tables.size() == 1, names, allColumns, text);
    }

    /** A projection and a filter over one table, as far as the node itself shows. */
    private static boolean isPlain(ObjectNode node) {
        return node.path("type").asString("").equals("SELECT_NODE")
                && node.path("from_table").path("type").asString("").equals("BASE_TABLE")
                && node.path("modifiers").isEmpty()
                && node.path("cte_map").path("map").isEmpty()
                && node.path("group_expressions").isEmpty()
                && node.path("group_sets").isEmpty()
                && node.path("aggregate_handling").asString("").equals("STANDARD_HANDLING")
                && isAbsent(node, "having")
                && isAbsent(node, "qualify");
    }

    private static boolean isAbsent(JsonNode node, String field) {
        return node.path(field).isNull() || node.path(field).isMissingNode();
    }

    private void any(JsonNode node, Map<String, String> scope, int depth) {
        if (depth > DEEPEST) {
            throw tooDeep();
        }
        if (node instanceof ArrayNode list) {
            list.forEach(item -> any(item, scope, depth + 1));
        } else if (node instanceof ObjectNode object) {
            object(object, scope, depth);
        }
    }

    private void object(ObjectNode node, Map<String, String> scope, int depth) {
        Map<String, String> inner =
                node.has("cte_map") ? withCommon((ObjectNode) node.path("cte_map"), scope, depth) : scope;
        if (node.has("class")) {
            expression(node);
        } else if (node.path("type").isString()) {
            node(node, inner);
        }
        for (Map.Entry<String, JsonNode> child : node.properties()) {
            // A constant is what it is, whatever it looks like.
            if (!child.getKey().equals("cte_map") && !isConstant(node)) {
                any(child.getValue(), inner, depth + 1);
            }
        }
    }

    private static boolean isConstant(ObjectNode node) {
        return node.path("class").asString("").equals("CONSTANT");
    }

    /** Each common table expression sees those before it, and one that is recursive itself. */
    private Map<String, String> withCommon(ObjectNode common, Map<String, String> outer, int depth) {
        Map<String, String> scope = new HashMap<>(outer);
        for (JsonNode entry : common.path("map")) {
            String written = entry.path("key").asString();
            String given = "c" + expressions++;
            ObjectNode inside = (ObjectNode) entry.path("value");
            boolean recursive = rename(inside.path("query").path("node"), written, given);
            Map<String, String> seen = new HashMap<>(scope);
            if (recursive) {
                seen.put(key(written), given);
            }
            any(inside, seen, depth + 1);
            scope.put(key(written), given);
            ((ObjectNode) entry).put("key", given);
        }
        return scope;
    }

    private static boolean rename(JsonNode node, String written, String given) {
        if (node instanceof ObjectNode object
                && object.path("cte_name").asString("").equals(written)) {
            object.put("cte_name", given);
            return object.path("type").asString("").equals("RECURSIVE_CTE_NODE");
        }
        return false;
    }

    private void node(ObjectNode node, Map<String, String> scope) {
        String type = node.path("type").asString();
        if (!NODES.contains(type) && !type.endsWith(TYPE)) {
            throw refused("The query uses a part that no view may have (" + type.toLowerCase(Locale.ROOT) + ").");
        }
        if (!isAbsent(node, "sample")) {
            throw refused("A view takes no sample: its answer would differ each time.");
        }
        switch (type) {
            case "BASE_TABLE" -> table(node, scope);
            case "TABLE_FUNCTION" -> tableFunction(node.path("function"));
            case "JOIN" -> join(node);
            default -> {}
        }
    }

    private void table(ObjectNode node, Map<String, String> scope) {
        if (!isAbsent(node, "at_clause")) {
            throw refused("A view reads the latest versions of its tables; leave AT out.");
        }
        List<String> parts = new ArrayList<>();
        for (String part : List.of("catalog_name", "schema_name", "table_name")) {
            if (!node.path(part).asString("").isEmpty()) {
                parts.add(node.path(part).asString());
            }
        }
        String written = parts.getLast();
        String common = parts.size() == 1 ? scope.get(key(written)) : null;
        if (node.path("alias").asString("").isEmpty()) {
            node.put("alias", written);
        }
        aliases.put(keys(parts), node.path("alias").asString());
        aliasNames.add(key(node.path("alias").asString()));
        // Columns that are named anew are so by their places.
        allColumns |= !node.path("column_name_alias").isEmpty();
        node.put("catalog_name", "");
        node.put("schema_name", "");
        if (common != null) {
            node.put("table_name", common);
            return;
        }
        if (tables.size() == MOST_TABLES) {
            throw refused("The query names more than " + MOST_TABLES + " tables.");
        }
        node.put("table_name", SqlSession.table(tables.size()));
        tables.add(parts);
    }

    private void tableFunction(JsonNode function) {
        String name = function.path("function_name").asString("");
        if (!functions.isTable(name) || !isUnqualified(function)) {
            throw refused("The query reads from " + shown(name) + ", which is no table of the catalog.");
        }
    }

    private void join(ObjectNode node) {
        allColumns |= !node.path("ref_type").asString("").equals("REGULAR")
                && !node.path("ref_type").asString("").equals("CROSS");
        node.path("using_columns").forEach(column -> names.add(key(column.asString())));
    }

    private void expression(ObjectNode node) {
        String type = node.path("class").asString();
        if (!EXPRESSIONS.contains(type)) {
            throw refused(
                    "The query uses an expression that no view may have (" + type.toLowerCase(Locale.ROOT) + ").");
        }
        switch (type) {
            case "FUNCTION" -> function(node);
            case "WINDOW" -> {
                function(node);
                rowWise = false;
            }
            case "SUBQUERY" -> rowWise = false;
            case "STAR", "POSITIONAL_REFERENCE" -> allColumns = true;
            case "COLUMN_REF" -> column(node);
            default -> {}
        }
    }

    private void function(ObjectNode node) {
        String name = node.path("function_name").asString("");
        if (!isUnqualified(node) || !functions.isKnown(name)) {
            throw refused("The query calls " + shown(name)
                    + ", a function that no view may call; docs/materialized-views.md" + " tells which it may.");
        }
        rowWise &= functions.isScalar(name);
    }

    private static boolean isUnqualified(JsonNode function) {
        return SCHEMAS.contains(function.path("schema").asString(""))
                && function.path("catalog").asString("").isEmpty();
    }

    private void column(ObjectNode node) {
        JsonNode parts = node.path("column_names");
        if (parts.size() == 1 && MOMENTS.contains(key(parts.get(0).asString()))) {
            throw refused("The query names " + shown(parts.get(0).asString())
                    + ", which differs each time; a column of that name needs its table before it.");
        }
        parts.forEach(part -> names.add(key(part.asString())));
        lastNames.add(key(parts.path(parts.size() - 1).asString("")));
    }

    /** A name that is a table's may stand for its whole rows, with a schema before it or not. */
    private boolean namesATable() {
        return aliasNames.stream().anyMatch(lastNames::contains);
    }

    /** Columns that are named with the whole name of their table get its alias instead. */
    private void qualifiers(JsonNode node) {
        if (node instanceof ObjectNode object && object.path("column_names") instanceof ArrayNode parts) {
            List<String> written = new ArrayList<>();
            parts.forEach(part -> written.add(part.asString()));
            for (int length = Math.min(3, written.size() - 1); length > 1; length--) {
                String alias = aliases.get(keys(written.subList(0, length)));
                if (alias != null) {
                    parts.removeAll();
                    parts.add(alias);
                    written.subList(length, written.size()).forEach(parts::add);
                    return;
                }
            }
        } else {
            node.forEach(this::qualifiers);
        }
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static List<String> keys(List<String> parts) {
        return parts.stream().map(QueryTree::key).toList();
    }

    private static String shown(String name) {
        return "'" + (name.length() > 60 ? name.substring(0, 60) + "…" : name) + "'";
    }

    static CatalogException tooDeep() {
        return refused("The query is nested too deep.");
    }

    private static CatalogException refused(String message) {
        return CatalogException.invalid(message);
    }
}
