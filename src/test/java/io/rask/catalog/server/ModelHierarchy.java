package io.rask.catalog.server;

import io.rask.catalog.testing.RunningServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * What a catalog must hold, and who may do what in it: warehouses with one namespace at the top and one below that, which the
 * tables of the model lie in. Whoever touches a table holds its lock and the shared lock of its namespace; whoever touches the namespace
 * holds that alone.
 */
final class ModelHierarchy {
    /** Who administers the project of everything. */
    static final String ADMINISTRATOR = "petra";

    /** Is in the team {@value #TEAM}, and is given nothing himself. */
    static final String TEAMMATE = "tess";

    static final String TEAM = "crew";
    /** Is never given anything. */
    static final String STRANGER = "sam";

    static final List<String> USERS =
            List.of(ADMINISTRATOR, "ann", "bob", "cid", "dora", "eve", "finn", TEAMMATE, STRANGER);
    static final List<String> RUNGS = List.of("reader", "writer", "owner");

    private static final Map<String, Integer> LEVELS = Map.of("reader", 1, "writer", 2, "owner", 3);
    private static final int WAREHOUSES = 2;
    private static final int SPACES = 6;
    private static final int TABLES = 6;

    final List<Space> spaces = new ArrayList<>();

    ModelHierarchy() {
        for (int at = 0; at < SPACES; at++) {
            spaces.add(new Space(at, at % WAREHOUSES));
        }
    }

    static List<String> warehouses() {
        List<String> all = new ArrayList<>();
        for (int at = 0; at < WAREHOUSES; at++) {
            all.add("lake-" + at);
        }
        return all;
    }

    /** What becomes of a table. */
    enum State {
        ABSENT,
        LIVE,
        TRASHED
    }

    /** A namespace with tables. */
    static final class Space {
        final int number;
        final int warehouse;
        final List<Table> tables = new ArrayList<>();
        final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        final Set<String> grants = new HashSet<>();
        boolean isTrashed;

        Space(int number, int warehouse) {
            this.number = number;
            this.warehouse = warehouse;
            for (int at = 0; at < TABLES; at++) {
                tables.add(new Table(this, at));
            }
        }

        String top() {
            return "top-" + warehouse;
        }

        String name() {
            return "space-" + number;
        }

        String stored() {
            return top() + "$" + name();
        }

        String path() {
            return "/v1/namespace/" + RunningServer.id(top(), name());
        }

        /** Whether somebody has a rung here, or all of it from above. */
        boolean lets(String user, String rung) {
            return user.equals(ADMINISTRATOR) || has(grants, user, rung);
        }
    }

    /** A name of a table. */
    static final class Table {
        final Space space;
        final int number;
        final ReentrantLock lock = new ReentrantLock();
        final Set<String> grants = new HashSet<>();
        State state = State.ABSENT;
        /** How many rows it holds; -1 for one that was only declared. */
        int rows = -1;

        boolean isProtected;
        /** Where the bytes of one are that was deregistered here, and how many rows they hold. */
        @Nullable
        String kept;

        int keptRows;

        Table(Space space, int number) {
            this.space = space;
            this.number = number;
        }

        String name() {
            return "t" + number;
        }

        String stored() {
            return space.stored() + "$" + name();
        }

        String path() {
            return "/v1/table/" + RunningServer.id(space.top(), space.name(), name());
        }

        boolean isLive() {
            return state == State.LIVE && !space.isTrashed;
        }

        boolean lets(String user, String rung) {
            return space.lets(user, rung) || has(grants, user, rung);
        }

        void made(String maker, int madeRows) {
            state = State.LIVE;
            rows = madeRows;
            isProtected = false;
            grants.clear();
            grants.add("user:" + maker + " owner");
        }

        void gone() {
            state = State.ABSENT;
            isProtected = false;
            grants.clear();
        }

        void movesTo(Table other) {
            other.state = State.LIVE;
            other.rows = rows;
            other.isProtected = isProtected && state == State.LIVE;
            other.grants.clear();
            other.grants.addAll(grants);
            gone();
        }

        @Override
        public String toString() {
            return stored() + " " + state + (space.isTrashed ? " in the trash" : "") + (isProtected ? " protected" : "")
                    + " of " + rows + " rows, " + grants + " in " + space.grants;
        }
    }

    private static boolean has(Set<String> grants, String user, String rung) {
        int needed = LEVELS.get(rung);
        return grants.stream().anyMatch(grant -> {
            String[] parts = grant.split(" ");
            boolean his = parts[0].equals("user:" + user)
                    || user.equals(TEAMMATE) && parts[0].equals("team:" + TEAM + "#member");
            return his && LEVELS.get(parts[1]) >= needed;
        });
    }

    /** The engine's name of whom something is given to. */
    static String fact(String principal) {
        return principal.startsWith("team:") ? principal + "#member" : principal;
    }

    List<Table> tables() {
        return spaces.stream().flatMap(space -> space.tables.stream()).toList();
    }
}
