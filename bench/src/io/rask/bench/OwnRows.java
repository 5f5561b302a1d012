package io.rask.bench;

import io.rask.bench.Calls.Acknowledged;
import io.rask.bench.OwnTables.Choice;
import io.rask.bench.World.Name;
import io.rask.bench.World.Row;
import io.rask.bench.World.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Changes and reads the rows of one client's tables. */
final class OwnRows {
    private static final int MOST_ROWS = 400;

    private final Calls calls;
    private final Ledger ledger;
    private final Changes changes;
    private final Reading reading;
    private final Choice choice;

    OwnRows(Calls calls, Ledger ledger, Changes changes, Reading reading, Choice choice) {
        this.calls = calls;
        this.ledger = ledger;
        this.changes = changes;
        this.reading = reading;
        this.choice = choice;
    }

    private World world() {
        return changes.world();
    }

    void insert(Name name, Table table) {
        boolean overwrite = table.data().size() > MOST_ROWS || choice.chance(12);
        NavigableMap<Long, Row> more = choice.rows(choice.number(1, 20));
        NavigableMap<Long, Row> rows = overwrite ? new TreeMap<>() : table.data();
        rows.putAll(more);
        String path = reading.table(name) + "/insert?mode=" + (overwrite ? "overwrite" : "append");
        byte[] stream = SoakRows.stream(more);
        World after = world().put(name, table.with(rows));
        changes.expectSuccess(path, () -> calls.arrow("insert", path, stream), after, answer -> {
            told(path, answer, "num_inserted_rows", more.size());
            return after;
        });
    }

    /** Some keys that are there with other rows, and some new ones. */
    void merge(Name name, Table table) {
        NavigableMap<Long, Row> old = table.data();
        NavigableMap<Long, Row> source = choice.rows(choice.number(1, 6));
        int inserted = source.size();
        old.keySet().stream().filter(id -> choice.chance(6)).forEach(id -> source.put(id, choice.row()));
        NavigableMap<Long, Row> rows = new TreeMap<>(old);
        rows.putAll(source);
        String path = reading.table(name)
                + "/merge_insert?on=id&when_matched_update_all=true&when_not_matched_insert_all=true";
        byte[] stream = SoakRows.stream(source);
        World after = world().put(name, table.with(rows));
        changes.expectSuccess(path, () -> calls.arrow("merge_insert", path, stream), after, answer -> {
            told(path, answer, "num_inserted_rows", inserted);
            told(path, answer, "num_updated_rows", source.size() - inserted);
            return after;
        });
    }

    void update(Name name, Table table) {
        if (table.isDeclared()) {
            return;
        }
        long limit = choice.number(0, 100);
        NavigableMap<Long, Row> changed = SoakRows.where(table.data(), (id, row) -> row.value() > limit);
        NavigableMap<Long, Row> rows = table.data();
        changed.forEach((id, row) -> rows.put(id, new Row((row.value() + 7) % 100, "updated")));
        String path = reading.table(name) + "/update";
        String body = "{\"predicate\":\"value > " + limit
                + "\",\"updates\":[[\"value\",\"(value + 7) % 100\"],[\"text\",\"'updated'\"]]}";
        World after = world().put(name, table.with(rows));
        changes.expectSuccess(path, () -> calls.post("update", path, body), after, answer -> {
            told(path, answer, "updated_rows", changed.size());
            return after;
        });
    }

    void delete(Name name, Table table) {
        if (table.isDeclared()) {
            return;
        }
        long limit = choice.number(80, 100);
        NavigableMap<Long, Row> rows = SoakRows.where(table.data(), (id, row) -> row.value() <= limit);
        String path = reading.table(name) + "/delete";
        World after = world().put(name, table.with(rows));
        changes.expectSuccess(
                path, () -> calls.post("delete", path, "{\"predicate\":\"value > " + limit + "\"}"), after, answer -> {
                    told(path, answer, "num_deleted_rows", table.data().size() - rows.size());
                    return after;
                });
    }

    /** Reads with a condition. */
    void read(Name name, Table table) {
        List<String> wrong = new ArrayList<>();
        if (table.isDeclared()) {
            reading.describe(name, table, wrong);
        } else {
            long limit = choice.number(0, 100);
            NavigableMap<Long, Row> some = SoakRows.where(table.data(), (id, row) -> row.value() < limit);
            if (choice.chance(2)) {
                reading.query(name, some, "value < " + limit, wrong);
            } else {
                reading.count(name, some, "value < " + limit, wrong);
            }
        }
        wrong.forEach(ledger::failure);
    }

    private void told(String path, Acknowledged answer, String field, long wanted) {
        JsonNode found = answer.json().path(field);
        if (found.asLong(-1) != wanted) {
            ledger.failure(path + " told " + field + " " + found + " and should tell " + wanted);
        }
    }
}
