package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.server.ModelHierarchy.Space;
import io.rask.catalog.server.ModelHierarchy.State;
import io.rask.catalog.server.ModelHierarchy.Table;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One client of {@link GovernedModelTest}: does something at random as somebody, and knows what the answer must be. */
final class ModelClient {
    private static final int OK = 0;
    private static final int NO_NAMESPACE = 1;
    private static final int NOT_EMPTY = 3;
    private static final int NO_TABLE = 4;
    private static final int TAKEN = 5;
    private static final int BAD = 13;
    private static final int MEANWHILE = 14;
    private static final int DENIED = 15;
    private static final int PROTECTED = 19;

    private final int number;
    private final Random random;
    private final ModelHierarchy model;
    private final List<Map<String, RunningServer>> servers;
    private final Map<String, Integer> answered;
    private int projects;

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
        this.answered = answered;
        this.number = number;
        this.random = new Random(seed * 31 + number);
        this.model = model;
        this.servers = servers;
    }

    /** A server, asked by each of the users. */
    static Map<String, RunningServer> asEverybody(RunningServer server) {
        return ModelHierarchy.USERS.stream().collect(Collectors.toMap(Function.identity(), user -> {
            RunningServer his = server.asking(HeaderIdentification.USER, user);
            return user.equals(ModelHierarchy.TEAMMATE)
                    ? his.asking(HeaderIdentification.TEAMS, ModelHierarchy.TEAM)
                    : his;
        }));
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private RunningServer as(String user) {
        return any(servers).get(user);
    }

    void step() {
        int kind = random.nextInt(100);
        Space space = any(model.spaces);
        if (kind < 8) {
            exclusively(space);
        } else if (kind < 10) {
            foundAndEnd();
        } else if (kind < 18) {
            race();
        } else {
            Table table = any(space.tables);
            Table other = any(model.tables());
            shared(table, other, () -> touch(any(ModelHierarchy.USERS), table, other));
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
            touch(any(ModelHierarchy.USERS), space);
        } finally {
            space.lock.writeLock().unlock();
        }
    }

    /** The answer, once others do not hinder it any more, must have one of these codes. */
    private Answer expect(Object about, Request request, Integer... codes) {
        Answer answer = request.send();
        for (int again = 0; again < 50 && answer.code() == MEANWHILE; again++) {
            answer = request.send();
        }
        String path = answer.response().uri().getPath();
        answered.merge(path.substring(path.lastIndexOf('/') + 1) + " " + Math.max(answer.code(), OK), 1, Integer::sum);
        assertThat(Math.max(answer.code(), OK))
                .as(answer.response().uri() + " with " + about + ": " + answer.text())
                .isIn((Object[]) codes);
        return answer;
    }

    private interface Request {
        Answer send();
    }

    private static boolean done(Answer answer) {
        return answer.status() == 200;
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
        RunningServer server = as(user);
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> create(user, table);
            case 3, 4, 5 -> read(user, table);
            case 6 -> {
                if (table.isLive() && table.rows < 0) {
                    return;
                }
                boolean may = table.lets(user, "writer");
                Answer answer = expect(
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
                Answer answer = expect(
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
                Answer answer = expect(
                        user + table,
                        () -> server.post(table.path() + "/purge", "{}"),
                        codes(table, owns, state == State.TRASHED ? OK : NO_TABLE));
                if (done(answer)) {
                    table.gone();
                }
            }
            case 10, 11 -> rename(user, table, other);
            case 12 -> undropAs(user, table, any(table.space.tables), other);
            case 13 -> {
                boolean on = random.nextInt(3) == 0;
                Answer answer = expect(
                        user + table,
                        () -> server.post(table.path() + "/protection", "{\"protected\":" + on + "}"),
                        codes(table, owns, state == State.LIVE ? OK : NO_TABLE));
                if (done(answer)) {
                    table.isProtected = on;
                }
            }
            case 14 -> deregisterOrRegister(user, table);
            default ->
                giveOrTake(user, table.path(), table.grants, codes(table, owns, state == State.LIVE ? OK : NO_TABLE));
        }
    }

    private void create(String user, Table table) {
        boolean may = table.space.lets(user, "writer");
        int rows = random.nextInt(3);
        RunningServer server = as(user);
        Answer answer = expect(
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
        RunningServer server = as(user);
        String door = table.rows < 0 ? "/exists" : random.nextBoolean() ? "/count_rows" : "/describe";
        Answer answer = expect(
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
        RunningServer server = as(user);
        Answer answer = expect(
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
        RunningServer server = as(user);
        int code = table.state != State.LIVE
                ? NO_TABLE
                : table.space.warehouse != to.space.warehouse ? BAD : to.state != State.ABSENT ? TAKEN : OK;
        Integer[] codes = to.space.isTrashed && may && table.isLive()
                ? new Integer[] {NO_NAMESPACE, BAD}
                : codes(table, may, code);
        Answer answer = expect(
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

    /** @param locked the other table whose lock is held; nothing is done when it is not the wanted one */
    private void undropAs(String user, Table table, Table wanted, Table locked) {
        Table to = locked.space == table.space ? locked : table;
        if (to == table || wanted == table) {
            return;
        }
        boolean may = table.lets(user, "owner") && table.space.lets(user, "writer");
        RunningServer server = as(user);
        int code = table.state == State.ABSENT
                ? NO_TABLE
                : table.state == State.LIVE || to.state != State.ABSENT ? TAKEN : OK;
        Answer answer = expect(
                user + table + " as " + to,
                () -> server.post(table.path() + "/undrop", "{\"new_table_name\":\"" + to.name() + "\"}"),
                codes(table, may, code));
        if (done(answer)) {
            table.movesTo(to);
        }
    }

    private void deregisterOrRegister(String user, Table table) {
        RunningServer server = as(user);
        String kept = table.kept;
        if (table.isLive() && kept == null && table.rows >= 0) {
            Answer answer = expect(
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
            Answer answer = expect(
                    user + table,
                    () -> server.post(table.path() + "/register", "{\"location\":\"" + folder + "\"}"),
                    table.space.lets(user, "writer") ? OK : DENIED);
            if (done(answer)) {
                table.made(user, table.keptRows);
                table.kept = null;
            }
        }
    }

    private void giveOrTake(String user, String path, Set<String> grants, Integer[] codes) {
        boolean gives = random.nextInt(3) > 0;
        String principal = random.nextInt(5) == 0
                ? "team:" + ModelHierarchy.TEAM
                : "user:" + any(ModelHierarchy.USERS.subList(1, 7));
        String rung = any(ModelHierarchy.RUNGS);
        RunningServer server = as(user);
        Answer answer = expect(
                user + " at " + path + " " + grants,
                () -> server.post(
                        path + "/access/" + (gives ? "grant" : "revoke"),
                        "{\"principal\":\"" + principal + "\",\"rung\":\"" + rung + "\"}"),
                codes);
        if (done(answer)) {
            String grant = ModelHierarchy.fact(principal) + " " + rung;
            if (gives) {
                grants.add(grant);
            } else {
                grants.remove(grant);
            }
        }
    }

    private void touch(String user, Space space) {
        RunningServer server = as(user);
        boolean owns = space.lets(user, "owner");
        String about = user + " at " + space.stored() + (space.isTrashed ? " in the trash " : " ") + space.grants;
        Integer[] refused = space.isTrashed ? new Integer[] {DENIED, NO_NAMESPACE} : new Integer[] {DENIED};
        switch (random.nextInt(8)) {
            case 0 ->
                giveOrTake(
                        user,
                        space.path(),
                        space.grants,
                        space.isTrashed ? refused : new Integer[] {owns ? OK : DENIED});
            case 1, 2 -> {
                boolean holds = space.tables.stream().anyMatch(table -> table.state == State.LIVE && table.isProtected);
                Answer answer = expect(
                        about,
                        () -> server.post(space.path() + "/drop", "{\"behavior\":\"cascade\"}"),
                        !owns ? refused : new Integer[] {space.isTrashed ? NO_NAMESPACE : holds ? PROTECTED : OK});
                if (done(answer)) {
                    space.isTrashed = true;
                }
            }
            case 3, 4 -> {
                Answer answer = expect(
                        about, () -> server.post(space.path() + "/undrop", "{}"), owns ? new Integer[] {OK} : refused);
                if (done(answer)) {
                    space.isTrashed = false;
                }
            }
            default -> list(user, server, space, about, refused);
        }
    }

    /** A list shows what its reader may see, all of it and nothing else. */
    private void list(String user, RunningServer server, Space space, String about, Integer[] refused) {
        Set<String> visible = space.tables.stream()
                .filter(table -> table.isLive() && table.lets(user, "reader"))
                .map(Table::name)
                .collect(Collectors.toSet());
        boolean sees = space.lets(user, "reader") || !visible.isEmpty();
        Set<Integer> codes = new HashSet<>(List.of(refused));
        if (!space.isTrashed) {
            codes.add(OK);
        }
        if (sees && !space.isTrashed) {
            codes.remove(DENIED);
        }
        Set<String> listed = new HashSet<>();
        String token = "";
        do {
            String page = token;
            Answer answer = expect(
                    about,
                    () -> server.get(space.path() + "/table/list?limit=2&page_token=" + page),
                    codes.toArray(Integer[]::new));
            if (!done(answer)) {
                return;
            }
            answer.json().path("tables").forEach(name -> listed.add(name.asString()));
            token = answer.json().path("page_token").asString("");
        } while (!token.isEmpty());
        assertThat(listed).as(about).isEqualTo(visible);
    }

    /** Everybody at once on the same few names: whatever the order, each answer is one of the doors' own. */
    private void race() {
        List<String> names = List.of("race-0", "race-1");
        String name = any(names);
        String path = "/v1/table/" + RunningServer.id("top-0", name);
        RunningServer server = as(ModelHierarchy.ADMINISTRATOR);
        Answer answer = switch (random.nextInt(5)) {
            case 0, 1 -> server.post(path + "/declare", "{}");
            case 2 -> server.post(path + "/rename", "{\"new_table_name\":\"" + any(names) + "\"}");
            case 3 -> server.post(path + "/drop", "{}");
            default -> server.post(path + "/purge", "{}");
        };
        assertThat(Math.max(answer.code(), OK))
                .as(answer.response().uri() + ": " + answer.text())
                .isIn(OK, NO_TABLE, TAKEN, MEANWHILE, PROTECTED);
    }

    /** A project of one's own from its beginning to its end. */
    private void foundAndEnd() {
        String id = String.format(Locale.ROOT, "own-%d-%d", number, projects++);
        String project = "/v1/projects/" + id;
        String warehouse = "/v1/warehouses/" + id;
        String table = "/v1/table/" + RunningServer.id(id, "t") + "/declare";
        RunningServer admin = as(ModelHierarchy.ADMINISTRATOR);
        RunningServer stranger = as(ModelHierarchy.STRANGER);
        expect(id, () -> admin.post("/v1/projects", "{\"id\":\"" + id + "\"}"), OK);
        expect(id, () -> as(ModelHierarchy.ADMINISTRATOR).post("/v1/projects", "{\"id\":\"" + id + "\"}"), OK);
        expect(
                id,
                () -> as(ModelHierarchy.ADMINISTRATOR)
                        .post("/v1/warehouses", "{\"id\":\"" + id + "\",\"project\":\"" + id + "\"}"),
                OK);
        expect(id, () -> admin.post(warehouse + "/namespaces", "{\"namespace\":\"" + id + "\"}"), OK);
        expect(id, () -> stranger.post(table, "{}"), DENIED);
        expect(id, () -> stranger.delete(project), NO_TABLE);
        expect(id, () -> stranger.delete(warehouse + "?cascade=true"), NO_TABLE);
        expect(id, () -> admin.post(warehouse + "/deactivate", "{}"), OK);
        expect(id, () -> as(ModelHierarchy.ADMINISTRATOR).post(table, "{}"), DENIED);
        expect(id, () -> admin.post(warehouse + "/activate", "{}"), OK);
        expect(id, () -> as(ModelHierarchy.ADMINISTRATOR).post(table, "{}"), OK);
        expect(id, () -> as(ModelHierarchy.ADMINISTRATOR).delete(project), NOT_EMPTY);
        expect(id, () -> admin.delete(warehouse + "?cascade=true"), NOT_EMPTY);
        expect(id, () -> admin.post(table.replace("/declare", "/drop?purge=true"), "{}"), OK);
        expect(id, () -> admin.delete(warehouse + "?cascade=true"), OK);
        expect(id, () -> as(ModelHierarchy.ADMINISTRATOR).delete(project), OK);
        expect(id, () -> as(ModelHierarchy.ADMINISTRATOR).get(project), NO_TABLE, DENIED);
    }
}
