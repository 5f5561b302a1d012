package io.rask.bench;

import io.rask.bench.Calls.Acknowledged;
import io.rask.bench.World.Kept;
import io.rask.bench.World.Name;
import io.rask.bench.World.Table;
import io.rask.catalog.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes, names, moves and removes the tables and namespaces of one client. */
final class OwnTables {
    private static final int NAMESPACE_NOT_FOUND = 1;
    private static final int NAMESPACE_EXISTS = 2;
    private static final int NAMESPACE_NOT_EMPTY = 3;
    private static final int TABLE_NOT_FOUND = 4;
    private static final int TABLE_EXISTS = 5;

    private final Calls calls;
    private final Changes changes;
    private final Reading reading;
    private final Choice choice;
    private final String home;

    OwnTables(Calls calls, Changes changes, Reading reading, Choice choice, String home) {
        this.calls = calls;
        this.changes = changes;
        this.reading = reading;
        this.choice = choice;
        this.home = home;
    }

    private World world() {
        return changes.world();
    }

    void createNamespace(String namespace) {
        String path = "/v1/namespace/" + RunningServer.id(home, namespace) + "/create";
        boolean there = world().namespaces().contains(namespace);
        if (there && choice.chance(2)) {
            changes.expectSuccess(path, () -> calls.post("create namespace", path, "{\"mode\":\"ExistOk\"}"), world());
        } else if (there) {
            changes.expectRefusal(path, () -> calls.post("create namespace", path, "{}"), NAMESPACE_EXISTS);
        } else {
            changes.expectSuccess(
                    path, () -> calls.post("create namespace", path, "{}"), world().withNamespace(namespace));
        }
    }

    void dropNamespace(String namespace) {
        String path = "/v1/namespace/" + RunningServer.id(home, namespace) + "/drop";
        boolean empty = world().tables().keySet().stream()
                .noneMatch(name -> name.namespace().equals(namespace));
        if (!world().namespaces().contains(namespace)) {
            changes.expectRefusal(path, () -> calls.post("drop namespace", path, "{}"), NAMESPACE_NOT_FOUND);
        } else if (empty || choice.chance(3)) {
            String body = empty ? "{}" : "{\"behavior\":\"Cascade\"}";
            String kind = empty ? "drop namespace" : "drop namespace, cascade";
            changes.expectSuccess(path, () -> calls.post(kind, path, body), world().withoutNamespace(namespace));
        } else {
            changes.expectRefusal(path, () -> calls.post("drop namespace", path, "{}"), NAMESPACE_NOT_EMPTY);
        }
    }

    void create(Name name) {
        String mode = choice.of(List.of("Create", "ExistOk", "Overwrite"));
        Table there = world().tables().get(name);
        NavigableMap<Long, World.Row> rows = choice.rows(choice.number(1, 30));
        Map<String, String> properties = mode.equals("Overwrite") ? Map.of() : Map.of("made-by", home);
        String path = reading.table(name) + "/create?mode=" + mode
                + (properties.isEmpty() ? "" : "&properties=" + RunningServer.id("{\"made-by\":\"" + home + "\"}"));
        String kind = "create table, " + mode;
        byte[] stream = SoakRows.stream(rows);
        if (!world().namespaces().contains(name.namespace())) {
            changes.expectRefusal(path, () -> calls.arrow(kind, path, stream), NAMESPACE_NOT_FOUND);
        } else if (there == null) {
            Table made = new Table(rows, properties, null);
            changes.expectSuccess(
                    path,
                    () -> calls.arrow(kind, path, stream),
                    world().put(name, made),
                    answer -> world().put(name, made.at(location(answer))));
        } else if (mode.equals("Create")) {
            changes.expectRefusal(path, () -> calls.arrow(kind, path, stream), TABLE_EXISTS);
        } else {
            World after = mode.equals("ExistOk") ? world() : world().put(name, there.with(rows));
            changes.expectSuccess(path, () -> calls.arrow(kind, path, stream), after);
        }
    }

    void declare(Name name) {
        String path = reading.table(name) + "/declare";
        String body = "{\"properties\":{\"declared-by\":\"" + home + "\"}}";
        if (!world().namespaces().contains(name.namespace())) {
            changes.expectRefusal(path, () -> calls.post("declare", path, body), NAMESPACE_NOT_FOUND);
        } else if (world().tables().containsKey(name)) {
            changes.expectRefusal(path, () -> calls.post("declare", path, body), TABLE_EXISTS);
        } else {
            Table made = new Table(null, Map.of("declared-by", home), null);
            changes.expectSuccess(
                    path,
                    () -> calls.post("declare", path, body),
                    world().put(name, made),
                    answer -> world().put(name, made.at(location(answer))));
        }
    }

    void rename(Name from, Name to) {
        String path = reading.table(from) + "/rename";
        String body = "{\"new_table_name\":\"%s\",\"new_namespace_id\":[\"%s\",\"%s\"]}"
                .formatted(to.table(), home, to.namespace());
        Table table = world().tables().get(from);
        if (table == null) {
            return;
        }
        if (from.equals(to)) {
            changes.expectSuccess(path, () -> calls.post("rename", path, body), world());
        } else if (!world().namespaces().contains(to.namespace())) {
            changes.expectRefusal(path, () -> calls.post("rename", path, body), NAMESPACE_NOT_FOUND);
        } else if (world().tables().containsKey(to)) {
            changes.expectRefusal(path, () -> calls.post("rename", path, body), TABLE_EXISTS);
        } else {
            changes.expectSuccess(
                    path,
                    () -> calls.post("rename", path, body),
                    world().remove(from).put(to, table));
        }
    }

    void drop(Name name) {
        String path = reading.table(name) + "/drop";
        if (world().tables().containsKey(name)) {
            changes.expectSuccess(path, () -> calls.post("drop", path, "{}"), world().drop(name));
        } else if (world().namespaces().contains(name.namespace())) {
            changes.expectRefusal(path, () -> calls.post("drop", path, "{}"), TABLE_NOT_FOUND);
        }
    }

    void deregister(Name name) {
        Table table = world().tables().get(name);
        String location = table == null || table.isDeclared() ? null : located(name, table);
        if (location != null) {
            String path = reading.table(name) + "/deregister";
            changes.expectSuccess(path, () -> calls.post("deregister", path, "{}"), world().keep(name, location));
        }
    }

    /** Gives a dataset that was deregistered a name again, where that is free or leads to another dataset. */
    void register(Name name) {
        if (world().kept().isEmpty() || !world().namespaces().contains(name.namespace())) {
            return;
        }
        Kept one = choice.of(world().kept());
        Table there = world().tables().get(name);
        boolean overwrite = there != null && choice.chance(2);
        String path = reading.table(name) + "/register";
        String body =
                "{\"location\":\"" + one.location() + "\",\"mode\":\"" + (overwrite ? "Overwrite" : "Create") + "\"}";
        Table made = new Table(one.rows(), Map.of(), one.location());
        if (there == null) {
            World after = world().without(one).put(name, made);
            changes.expectSuccess(path, () -> calls.post("register", path, body), after);
        } else if (!overwrite) {
            changes.expectRefusal(path, () -> calls.post("register", path, body), TABLE_EXISTS);
        } else if (!there.isDeclared()) {
            String left = located(name, there);
            if (left != null) {
                World after = world().keep(name, left).without(one).put(name, made);
                changes.expectSuccess(path, () -> calls.post("register, Overwrite", path, body), after);
            }
        }
    }

    /** Where a table lies; asked for where no answer has told it yet. */
    private @Nullable String located(Name name, Table table) {
        if (table.location() != null) {
            return table.location();
        }
        JsonNode described = reading.describe(name, table, new java.util.ArrayList<>());
        return described == null ? null : described.path("location").asString();
    }

    private static @Nullable String location(Acknowledged answer) {
        JsonNode location = answer.json().path("location");
        return location.isString() ? location.asString() : null;
    }

    /** What a client does next, from its own seed. */
    static final class Choice {
        private static final int TABLES = 5;
        private static final int NAMESPACES = 3;

        private final Random random;
        private long nextId;

        Choice(Random random) {
            this.random = random;
        }

        int number(int from, int to) {
            return random.nextInt(from, to);
        }

        boolean chance(int oneIn) {
            return random.nextInt(oneIn) == 0;
        }

        <T> T of(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }

        String namespace() {
            return "n" + random.nextInt(NAMESPACES);
        }

        Name name() {
            return new Name(namespace(), "t" + random.nextInt(TABLES));
        }

        NavigableMap<Long, World.Row> rows(int count) {
            NavigableMap<Long, World.Row> rows = new TreeMap<>();
            for (int i = 0; i < count; i++) {
                rows.put(nextId++, row());
            }
            return rows;
        }

        World.Row row() {
            long value = random.nextInt(100);
            return new World.Row(value, "text " + random.nextInt(1000));
        }
    }
}
