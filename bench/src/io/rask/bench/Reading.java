package io.rask.bench;

import static io.rask.catalog.testing.RunningServer.id;

import io.rask.bench.Calls.Acknowledged;
import io.rask.bench.Calls.Outcome;
import io.rask.bench.Calls.Refused;
import io.rask.bench.World.Name;
import io.rask.bench.World.Row;
import io.rask.bench.World.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads one client's part of the catalog and tells where it differs from what it must be. */
final class Reading {
    private static final int TABLE_NOT_FOUND = 4;

    private final Calls calls;
    private final String home;

    /** @param home the client's own top-level namespace */
    Reading(Calls calls, String home) {
        this.calls = calls;
        this.home = home;
    }

    String table(Name name) {
        return "/v1/table/" + id(home, name.namespace(), name.table());
    }

    /** Everything in which the catalog differs. */
    List<String> differences(World world) {
        List<String> wrong = new ArrayList<>();
        namespaces(world, wrong);
        world.namespaces().forEach(namespace -> list(world, namespace, wrong));
        listAll(world, wrong);
        world.tables().forEach((name, table) -> {
            describe(name, table, wrong);
            rows(name, table, wrong);
        });
        return wrong;
    }

    void namespaces(World world, List<String> wrong) {
        List<String> found =
                pages("list namespaces", "/v1/namespace/" + id(home) + "/list?limit=2", "namespaces", wrong);
        same(home + " holds namespaces", List.copyOf(world.namespaces()), found, wrong);
    }

    void list(World world, String namespace, List<String> wrong) {
        List<String> wanted = world.tables().keySet().stream()
                .filter(name -> name.namespace().equals(namespace))
                .map(Name::table)
                .toList();
        String path = "/v1/namespace/" + id(home, namespace) + "/table/list?limit=4";
        same(home + "$" + namespace + " holds tables", wanted, pages("list tables", path, "tables", wrong), wrong);
    }

    void listAll(World world, List<String> wrong) {
        List<String> wanted = world.tables().keySet().stream()
                .map(name -> home + "$" + name)
                .sorted()
                .toList();
        List<String> found = pages("list all tables", "/v1/table?limit=25", "tables", wrong).stream()
                .filter(table -> table.startsWith(home + "$"))
                .toList();
        same("all tables of " + home + " are", wanted, found, wrong);
    }

    /** The whole of a list that comes in pages; nothing may come twice. */
    private List<String> pages(String kind, String path, String field, List<String> wrong) {
        List<String> all = new ArrayList<>();
        String token = null;
        do {
            String page = token == null ? path : path + "&page_token=" + id(token);
            if (!(calls.get(kind, page) instanceof Acknowledged acknowledged)) {
                wrong.add(page + " is refused");
                return all;
            }
            JsonNode answer = acknowledged.json();
            answer.path(field).forEach(name -> all.add(name.asString()));
            token = answer.path("page_token").isString()
                    ? answer.path("page_token").asString()
                    : null;
        } while (token != null);
        return all;
    }

    /** What describe tells; {@code null} and a line in {@code wrong} when the table is not there. */
    @Nullable
    JsonNode describe(Name name, Table table, List<String> wrong) {
        Outcome outcome = calls.ask("describe", table(name) + "/describe", "{\"check_declared\":true}");
        if (!(outcome instanceof Acknowledged described)) {
            wrong.add(name + " should be there: " + outcome);
            return null;
        }
        JsonNode json = described.json();
        same(
                name + " is only declared",
                table.isDeclared(),
                json.path("is_only_declared").asBoolean(),
                wrong);
        Map<String, String> properties = new HashMap<>();
        json.path("properties")
                .properties()
                .forEach(
                        entry -> properties.put(entry.getKey(), entry.getValue().asString()));
        same(name + " has properties", table.properties(), properties, wrong);
        if (table.location() != null) {
            same(name + " lies at", table.location(), json.path("location").asString(), wrong);
        }
        return json;
    }

    /** That a table which is not there is told as absent by every way of asking. */
    void absent(Name name, List<String> wrong) {
        Outcome outcome = calls.ask("exists", table(name) + "/exists", "{}");
        if (!(outcome instanceof Refused refused) || refused.code() != TABLE_NOT_FOUND) {
            wrong.add(name + " should not be there: " + outcome);
        }
    }

    /** All rows, and their number. */
    void rows(Name name, Table table, List<String> wrong) {
        if (!table.isDeclared()) {
            query(name, table.data(), null, wrong);
            count(name, table.data(), null, wrong);
        }
    }

    void query(Name name, NavigableMap<Long, Row> wanted, @Nullable String filter, List<String> wrong) {
        Outcome outcome = calls.ask("query", table(name) + "/query", SoakRows.query(filter));
        if (outcome instanceof Acknowledged answer) {
            wrong.addAll(SoakRows.differences(home + "$" + name, wanted, SoakRows.read(answer.body(), wrong)));
        } else {
            wrong.add(name + " cannot be read: " + outcome);
        }
    }

    void count(Name name, NavigableMap<Long, Row> wanted, @Nullable String filter, List<String> wrong) {
        String body = filter == null ? "{}" : "{\"predicate\":\"" + filter + "\"}";
        Outcome outcome = calls.ask("count", table(name) + "/count_rows", body);
        if (outcome instanceof Acknowledged answer) {
            same(
                    home + "$" + name + " has rows",
                    (long) wanted.size(),
                    answer.json().asLong(),
                    wrong);
        } else {
            wrong.add(name + " cannot be counted: " + outcome);
        }
    }

    static void same(String what, Object wanted, Object found, List<String> wrong) {
        if (!wanted.equals(found)) {
            wrong.add(what + " " + found + " and should be " + wanted);
        }
    }

    /** The names a full list has, for a look at what no client knows. */
    TreeSet<String> everything(List<String> wrong) {
        return new TreeSet<>(pages("list all tables", "/v1/table?limit=100", "tables", wrong));
    }
}
