package io.rask.catalog.server;

import static io.rask.catalog.server.ModelDoors.BAD;
import static io.rask.catalog.server.ModelDoors.DENIED;
import static io.rask.catalog.server.ModelDoors.NO_NAMESPACE;
import static io.rask.catalog.server.ModelDoors.NO_TABLE;
import static io.rask.catalog.server.ModelDoors.OK;
import static io.rask.catalog.server.ModelDoors.PROTECTED;
import static io.rask.catalog.server.ModelDoors.TAKEN;
import static io.rask.catalog.server.ModelDoors.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.server.ModelHierarchy.Space;
import io.rask.catalog.server.ModelHierarchy.State;
import io.rask.catalog.server.ModelHierarchy.Table;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** One client of {@link GovernedModelTest}: does something at random as somebody, and knows what the answer must be. */
final class ModelClient {
    private final Random random;
    private final ModelHierarchy model;
    private final ModelDoors doors;
    private final ModelContainers containers;

    /**
     * @param servers each as each user sees it
     * @param answered is told how often each door answered what
     */
    ModelClient(
            int number,
            long seed,
            ModelHierarchy model,
            List<Map<String, RunningServer>> servers,
            Map<String, Integer> answered) {
        this.random = new Random(seed * 31 + number);
        this.model = model;
        this.doors = new ModelDoors(random, servers, answered);
        this.containers = new ModelContainers(number, random, doors);
    }

    void step() {
        int kind = random.nextInt(100);
        Space space = doors.any(model.spaces);
        if (kind < 8) {
            exclusively(space);
        } else if (kind < 10) {
            containers.foundAndEnd();
        } else if (kind < 18) {
            containers.race();
        } else {
            Table table = doors.any(space.tables);
            Table other = doors.any(random.nextBoolean() ? space.tables : model.tables());
            shared(table, other, () -> touch(doors.anybody(), table, other));
        }
    }

    private static void shared(Table one, Table other, Runnable work) {
        List<Table> both = Stream.of(one, other)
                .distinct()
                .sorted(Comparator.comparing(Table::stored))
                .toList();
        List<Space> around = both.stream().map(table -> table.space).distinct().toList();
        around.forEach(space -> space.lock.readLock().lock());
        both.forEach(table -> table.lock.lock());
        try {
            work.run();
        } finally {
            both.forEach(table -> table.lock.unlock());
            around.forEach(space -> space.lock.readLock().unlock());
        }
    }

    private void exclusively(Space space) {
        space.lock.writeLock().lock();
        try {
            containers.touch(doors.anybody(), space);
        } finally {
            space.lock.writeLock().unlock();
        }
    }

    /** Which codes somebody is answered who may do something to a table, or may not. */
    private static Integer[] codes(Table table, boolean may, int... allowed) {
        if (!may) {
            return table.isLive() ? new Integer[] {DENIED} : new Integer[] {DENIED, NO_TABLE, NO_NAMESPACE};
        }
        if (table.space.isTrashed) {
            return new Integer[] {NO_TABLE, NO_NAMESPACE};
        }
        return Arrays.stream(allowed).boxed().toArray(Integer[]::new);
    }

    private void touch(String user, Table table, Table other) {
        State state = table.state;
        boolean owns = table.lets(user, "owner");
        RunningServer server = doors.as(user);
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> create(user, table);
            case 3, 4, 5 -> read(user, table);
            case 6 -> {
                if (table.isLive() && table.rows < 0) {
                    return;
                }
                boolean may = table.lets(user, "writer");
                Answer answer = doors.expect(
                        user + table,
                        () -> server.arrow(table.path() + "/insert", ArrowStreams.longs("id", 7, 8)),
                        codes(table, may, state == State.LIVE ? OK : NO_TABLE));
                if (done(answer)) {
                    table.rows += 2;
                }
            }
            case 7 -> drop(user, table);
            case 8 -> {
                boolean free = table.space.lets(user, "writer");
                Answer answer = doors.expect(
                        user + table,
                        () -> server.post(table.path() + "/undrop", "{}"),
                        free || !owns || table.space.isTrashed
                                ? codes(table, owns, state == State.ABSENT ? NO_TABLE : OK)
                                : new Integer[] {OK, DENIED, NO_TABLE});
                if (done(answer)) {
                    table.state = State.LIVE;
                }
            }
            case 9 -> {
                boolean isInTrash = state != State.ABSENT && !table.isLive();
                Answer answer = doors.expect(
                        user + table,
                        () -> server.post(table.path() + "/purge", "{}"),
                        isInTrash && owns ? new Integer[] {OK} : codes(table, owns, NO_TABLE));
                if (done(answer)) {
                    table.gone();
                }
            }
            case 10, 11 -> rename(user, table, other);
            case 12 -> undropAs(user, table, other);
            case 13 -> {
                boolean on = random.nextInt(3) == 0;
                Answer answer = doors.expect(
                        user + table,
                        () -> server.post(table.path() + "/protection", "{\"protected\":" + on + "}"),
                        codes(table, owns, state == State.LIVE ? OK : NO_TABLE));
                if (done(answer)) {
                    table.isProtected = on;
                }
            }
            case 14 -> deregisterOrRegister(user, table);
            default ->
                doors.giveOrTake(
                        user, table.path(), table.grants, codes(table, owns, state == State.LIVE ? OK : NO_TABLE));
        }
    }

    private void create(String user, Table table) {
        boolean may = table.space.lets(user, "writer");
        int rows = random.nextInt(3);
        RunningServer server = doors.as(user);
        Answer answer = doors.expect(
                user + table,
                () -> rows == 0
                        ? server.post(table.path() + "/declare", "{}")
                        : server.arrow(table.path() + "/create", ArrowStreams.longs("id", new long[rows])),
                table.space.isTrashed
                        ? new Integer[] {NO_NAMESPACE, DENIED}
                        : may ? new Integer[] {table.state == State.ABSENT ? OK : TAKEN} : new Integer[] {DENIED});
        if (done(answer)) {
            table.made(user, rows == 0 ? -1 : rows);
        }
    }

    /** What was acknowledged is there on whichever server, and nobody reads what he may not. */
    private void read(String user, Table table) {
        boolean may = table.lets(user, "reader");
        RunningServer server = doors.as(user);
        String door = table.rows < 0 ? "/exists" : random.nextBoolean() ? "/count_rows" : "/describe";
        Answer answer = doors.expect(
                user + table,
                () -> server.post(table.path() + door, "{}"),
                codes(table, may, table.state == State.LIVE ? OK : NO_TABLE));
        if (done(answer) && door.equals("/count_rows")) {
            assertThat(answer.text()).as(user + table).isEqualTo(String.valueOf(table.rows));
        }
    }

    private void drop(String user, Table table) {
        boolean purge = random.nextInt(3) == 0;
        boolean force = random.nextInt(3) == 0;
        RunningServer server = doors.as(user);
        Answer answer = doors.expect(
                user + table,
                () -> server.post(table.path() + "/drop?force=" + force + "&purge=" + purge, "{}"),
                codes(
                        table,
                        table.lets(user, "owner"),
                        table.state != State.LIVE ? NO_TABLE : table.isProtected && !force ? PROTECTED : OK));
        if (done(answer)) {
            table.isProtected = false;
            if (purge) {
                table.gone();
            } else {
                table.state = State.TRASHED;
            }
        }
    }

    private void rename(String user, Table table, Table to) {
        if (table == to) {
            return;
        }
        boolean may = table.lets(user, "owner") && to.space.lets(user, "writer");
        RunningServer server = doors.as(user);
        int code = table.state != State.LIVE
                ? NO_TABLE
                : table.space.warehouse != to.space.warehouse ? BAD : to.state != State.ABSENT ? TAKEN : OK;
        // What a table is to lie in is looked for before rights are asked.
        Integer[] codes = to.space.isTrashed ? new Integer[] {NO_NAMESPACE} : codes(table, may, code);
        Answer answer = doors.expect(
                user + table + " to " + to,
                () -> server.post(
                        table.path() + "/rename",
                        "{\"new_table_name\":\"" + to.name() + "\",\"new_namespace_id\":[\"" + to.space.top() + "\",\""
                                + to.space.name() + "\"]}"),
                codes);
        if (done(answer)) {
            table.movesTo(to);
        }
    }

    private void undropAs(String user, Table table, Table to) {
        if (to == table || to.space != table.space) {
            return;
        }
        boolean may = table.lets(user, "owner") && table.space.lets(user, "writer");
        RunningServer server = doors.as(user);
        int code = table.state == State.ABSENT
                ? NO_TABLE
                : table.state == State.LIVE || to.state != State.ABSENT ? TAKEN : OK;
        Answer answer = doors.expect(
                user + table + " as " + to,
                () -> server.post(table.path() + "/undrop", "{\"new_table_name\":\"" + to.name() + "\"}"),
                codes(table, may, code));
        if (done(answer)) {
            table.movesTo(to);
        }
    }

    private void deregisterOrRegister(String user, Table table) {
        RunningServer server = doors.as(user);
        String kept = table.kept;
        if (table.isLive() && kept == null && table.rows >= 0) {
            Answer answer = doors.expect(
                    user + table,
                    () -> server.post(table.path() + "/deregister", "{}"),
                    codes(table, table.lets(user, "owner"), table.isProtected ? PROTECTED : OK));
            if (done(answer)) {
                table.kept = answer.json().path("location").asString();
                table.keptRows = table.rows;
                table.gone();
            }
        } else if (kept != null && table.state == State.ABSENT && !table.space.isTrashed) {
            String folder = kept.substring(kept.lastIndexOf('/') + 1);
            Answer answer = doors.expect(
                    user + table,
                    () -> server.post(table.path() + "/register", "{\"location\":\"" + folder + "\"}"),
                    table.space.lets(user, "writer") ? OK : DENIED);
            if (done(answer)) {
                table.made(user, table.keptRows);
                table.kept = null;
            }
        }
    }
}
