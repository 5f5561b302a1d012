package io.rask.bench;

import io.rask.bench.OwnTables.Choice;
import io.rask.bench.World.Name;
import io.rask.bench.World.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** One client: does what its seed says, in a namespace that is its own and in the tables that all share. */
final class SoakClient implements Runnable {
    private static final Duration PAUSE = Duration.ofMillis(40);

    private final Ledger ledger;
    private final Random random;
    private final Choice choice;
    private final Calls calls;
    private final String home;
    private final Changes changes;
    private final Reading reading;
    private final OwnTables tables;
    private final OwnRows rows;
    private final SharedTables shared;
    private final Jobs jobs;
    private final long end;

    SoakClient(
            Replicas replicas, Ledger ledger, SharedTables shared, Jobs jobs, String home, long seed, Duration time) {
        this.ledger = ledger;
        this.random = new Random(seed);
        this.choice = new Choice(random);
        this.calls = Calls.toAny(replicas, ledger, random);
        this.home = home;
        this.reading = new Reading(calls, home);
        this.changes = new Changes(ledger, reading);
        this.tables = new OwnTables(calls, changes, reading, choice, home);
        this.rows = new OwnRows(calls, ledger, changes, reading, choice);
        this.shared = shared;
        this.jobs = jobs;
        this.end = System.nanoTime() + time.toNanos();
    }

    String home() {
        return home;
    }

    World world() {
        return changes.world();
    }

    @Override
    public void run() {
        try {
            while (System.nanoTime() < end) {
                step();
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        } catch (RuntimeException e) {
            ledger.failure("client " + home + " gave up: " + e);
        }
    }

    private void step() {
        int turn = random.nextInt(100);
        if (turn < 4) {
            namespaces();
        } else if (turn < 24) {
            tables();
        } else if (turn < 54) {
            rows();
        } else if (turn < 76) {
            reads();
        } else if (turn < 97) {
            shared();
        } else {
            jobs();
        }
    }

    private void namespaces() {
        if (choice.chance(3)) {
            tables.dropNamespace(choice.namespace());
        } else {
            tables.createNamespace(choice.namespace());
        }
    }

    private void tables() {
        switch (random.nextInt(12)) {
            case 0 -> tables.declare(choice.name());
            case 1, 2 -> tables.rename(choice.name(), choice.name());
            case 3, 4, 5 -> tables.drop(choice.name());
            case 6 -> tables.deregister(choice.name());
            case 7, 8 -> tables.register(choice.name());
            default -> tables.create(choice.name());
        }
    }

    private void rows() {
        Name name = choice.name();
        Table table = world().tables().get(name);
        if (table == null) {
            tables.create(name);
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> rows.insert(name, table);
            case 1 -> rows.merge(name, table);
            case 2 -> rows.update(name, table);
            default -> rows.delete(name, table);
        }
    }

    private void reads() {
        Name name = choice.name();
        Table table = world().tables().get(name);
        List<String> wrong = new ArrayList<>();
        if (table != null) {
            switch (random.nextInt(4)) {
                case 0 -> reading.describe(name, table, wrong);
                case 1 -> reading.rows(name, table, wrong);
                default -> rows.read(name, table);
            }
        } else if (world().namespaces().contains(name.namespace())) {
            switch (random.nextInt(3)) {
                case 0 -> reading.absent(name, wrong);
                case 1 -> reading.list(world(), name.namespace(), wrong);
                default -> reading.listAll(world(), wrong);
            }
        } else {
            reading.namespaces(world(), wrong);
        }
        wrong.forEach(ledger::failure);
    }

    private void shared() {
        switch (random.nextInt(4)) {
            case 0 -> shared.upsert(calls, random);
            case 1 -> shared.add(calls, random);
            case 2 -> shared.checkKeys(calls);
            default -> shared.checkCounters(calls);
        }
    }

    private void jobs() {
        Name name = choice.name();
        Table table = world().tables().get(name);
        if (choice.chance(3)) {
            jobs.look(calls);
        } else if (choice.chance(3)) {
            jobs.compact(calls, SharedTables.path(choice.chance(2) ? "keys" : "counters"));
        } else if (table != null && !table.isDeclared()) {
            jobs.compact(calls, reading.table(name));
        }
    }
}
