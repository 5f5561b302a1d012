package io.rask.bench;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one client's part of the catalog must look like. It is never changed: a change makes another one, so that after a call without
 * an answer both are at hand.
 *
 * @param namespaces the names of the namespaces in the client's own
 * @param tables the tables by namespace and name
 * @param kept datasets that were deregistered
 * @param dropped places whose bytes must be gone in the end
 */
record World(NavigableSet<String> namespaces, NavigableMap<Name, Table> tables, List<Kept> kept, List<String> dropped) {
    World {
        namespaces = Collections.unmodifiableNavigableSet(new TreeSet<>(namespaces));
        tables = Collections.unmodifiableNavigableMap(new TreeMap<>(tables));
        kept = List.copyOf(kept);
        dropped = List.copyOf(dropped);
    }

    static final World EMPTY = new World(new TreeSet<>(), new TreeMap<>(), List.of(), List.of());

    /** Where a table is. */
    record Name(String namespace, String table) implements Comparable<Name> {
        @Override
        public int compareTo(Name other) {
            int order = namespace.compareTo(other.namespace);
            return order != 0 ? order : table.compareTo(other.table);
        }

        @Override
        public String toString() {
            return namespace + "$" + table;
        }
    }

    /** A row beside its key. */
    record Row(long value, String text) {}

    /**
     * A table.
     *
     * @param rows null while it is only declared
     * @param location null while no answer has told it
     */
    record Table(
            @Nullable NavigableMap<Long, Row> rows,
            Map<String, String> properties,
            @Nullable String location) {
        Table with(@Nullable NavigableMap<Long, Row> other) {
            return new Table(other, properties, location);
        }

        Table at(@Nullable String place) {
            return new Table(rows, properties, place);
        }

        boolean isDeclared() {
            return rows == null;
        }

        NavigableMap<Long, Row> data() {
            return rows == null ? new TreeMap<>() : new TreeMap<>(rows);
        }
    }

    /** A dataset without a name. */
    record Kept(String location, @Nullable NavigableMap<Long, Row> rows) {}

    World withNamespace(String name) {
        NavigableSet<String> more = new TreeSet<>(namespaces);
        more.add(name);
        return new World(more, tables, kept, dropped);
    }

    /** Without a namespace and everything in it. */
    World withoutNamespace(String name) {
        World rest = this;
        for (Name table : tables.keySet()) {
            if (table.namespace().equals(name)) {
                rest = rest.drop(table);
            }
        }
        NavigableSet<String> fewer = new TreeSet<>(rest.namespaces);
        fewer.remove(name);
        return new World(fewer, rest.tables, rest.kept, rest.dropped);
    }

    World put(Name name, Table table) {
        NavigableMap<Name, Table> more = new TreeMap<>(tables);
        more.put(name, table);
        return new World(namespaces, more, kept, dropped);
    }

    World remove(Name name) {
        NavigableMap<Name, Table> fewer = new TreeMap<>(tables);
        fewer.remove(name);
        return new World(namespaces, fewer, kept, dropped);
    }

    World drop(Name name) {
        Table table = tables.get(name);
        World rest = remove(name);
        return table == null || table.location() == null
                ? rest
                : new World(namespaces, rest.tables, kept, plus(dropped, table.location()));
    }

    /** Without the table, whose bytes stay. */
    World keep(Name name, String location) {
        Table table = tables.get(name);
        return new World(
                namespaces,
                remove(name).tables,
                plus(kept, new Kept(location, table == null ? null : table.rows())),
                dropped);
    }

    World without(Kept one) {
        return new World(
                namespaces, tables, kept.stream().filter(other -> other != one).toList(), dropped);
    }

    private static <T> List<T> plus(List<T> list, T more) {
        List<T> longer = new java.util.ArrayList<>(list);
        longer.add(more);
        return longer;
    }
}
