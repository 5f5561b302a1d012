package io.rask.bench;

import io.rask.bench.Calls.Acknowledged;
import io.rask.bench.World.Kept;
import io.rask.bench.World.Name;
import io.rask.bench.World.Table;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Compares everything with the models when the load has ended: through both servers, and with what lies in the store. */
final class LastLook {
    private final Replicas replicas;
    private final Ledger ledger;
    private final SharedTables shared;
    private final Jobs jobs;
    private final List<SoakClient> clients;

    /** @param folders the folder in which the warehouse's datasets really lie */
    record Warehouse(String id, Path folders) {}

    LastLook(Replicas replicas, Ledger ledger, SharedTables shared, Jobs jobs, List<SoakClient> clients) {
        this.replicas = replicas;
        this.ledger = ledger;
        this.shared = shared;
        this.jobs = jobs;
        this.clients = clients;
    }

    void run(Warehouse warehouse) throws IOException {
        for (int replica = 0; replica < Replicas.COUNT; replica++) {
            through(Calls.toOne(replicas, ledger, replica));
        }
        Calls calls = Calls.toOne(replicas, ledger, 0);
        jobs.settle(calls);
        bytes(calls, warehouse);
        kept(calls);
    }

    private void through(Calls calls) {
        Set<String> known =
                new TreeSet<>(Set.of(SharedTables.NAMESPACE + "$keys", SharedTables.NAMESPACE + "$counters"));
        for (SoakClient client : clients) {
            new Reading(calls, client.home()).differences(client.world()).forEach(ledger::failure);
            client.world().tables().keySet().forEach(name -> known.add(client.home() + "$" + name));
        }
        List<String> wrong = new ArrayList<>();
        Reading.same("all tables are", known, new Reading(calls, "").everything(wrong), wrong);
        wrong.forEach(ledger::failure);
        ledger.note("tables compared at the end, over both servers", known.size());
        shared.checkKeys(calls);
        shared.checkCounters(calls);
    }

    /** No dropped bytes are left, no bytes of a table are gone, and every folder without a row is in the report on orphans. */
    private void bytes(Calls calls, Warehouse warehouse) throws IOException {
        List<String> wrong = new ArrayList<>();
        Set<String> lying = folders(warehouse.folders());
        Set<String> named = new TreeSet<>();
        for (String table : new Reading(calls, "").everything(wrong)) {
            String path = "/v1/table/" + RunningServer.id(table) + "/describe";
            JsonNode described =
                    calls.require("describe", path, "{\"check_declared\":true}").json();
            String folder = last(described.path("location").asString());
            named.add(folder);
            if (!described.path("is_only_declared").asBoolean() && !lying.contains(folder)) {
                ledger.failure(table + " has no bytes");
            }
        }
        Set<String> found = new TreeSet<>();
        JsonNode report = jobs.orphans(calls, warehouse.id());
        report.path("findings")
                .forEach(finding -> found.add(finding.path("folder").asString()));
        Set<String> orphans = new TreeSet<>(lying);
        orphans.removeAll(named);
        orphans.removeIf(folder -> folder.startsWith("_"));
        Reading.same("the folders without a row are, by the report,", orphans, found, wrong);
        wrong.forEach(ledger::failure);
        account(orphans);
    }

    private void account(Set<String> orphans) {
        Set<String> left = new TreeSet<>(orphans);
        for (SoakClient client : clients) {
            for (Kept kept : client.world().kept()) {
                if (!left.remove(last(kept.location()))) {
                    ledger.failure("the deregistered " + kept.location() + " is gone");
                }
            }
            client.world().dropped().stream()
                    .filter(place -> left.contains(last(place)))
                    .forEach(place -> ledger.failure("the dropped " + place + " is still there"));
        }
        ledger.note("folders without a row, deregistered", (orphans.size() - left.size()));
        ledger.note("folders without a row, of interrupted calls", left.size());
        long interrupted = ledger.calls(Ledger.Ending.UNKNOWN);
        if (left.size() > interrupted) {
            ledger.failure(left.size() + " folders belong to nothing, after " + interrupted
                    + " calls without an answer: " + left);
        }
    }

    /** What was deregistered can be had again, with all its rows. */
    private void kept(Calls calls) {
        for (SoakClient client : clients) {
            Reading reading = new Reading(calls, client.home());
            int number = 0;
            for (Kept kept : client.world().kept()) {
                String namespace = client.world().namespaces().isEmpty()
                        ? ""
                        : client.world().namespaces().first();
                Name name = new Name(namespace, "again" + number++);
                if (namespace.isEmpty() || kept.rows() == null) {
                    continue;
                }
                String path = reading.table(name) + "/register";
                if (calls.ask("register", path, "{\"location\":\"" + kept.location() + "\"}") instanceof Acknowledged) {
                    List<String> wrong = new ArrayList<>();
                    reading.rows(name, new Table(kept.rows(), java.util.Map.of(), kept.location()), wrong);
                    wrong.forEach(ledger::failure);
                } else {
                    ledger.failure("the deregistered " + kept.location() + " cannot be registered");
                }
            }
        }
    }

    private static Set<String> folders(Path root) throws IOException {
        try (Stream<Path> children = Files.list(root)) {
            Set<String> names = new TreeSet<>();
            for (Path child : children.toList()) {
                if (Files.isDirectory(child) && holdsFiles(child)) {
                    names.add(String.valueOf(child.getFileName()));
                }
            }
            return names;
        }
    }

    private static boolean holdsFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(Files::isRegularFile);
        }
    }

    private static String last(String location) {
        return location.substring(location.lastIndexOf('/') + 1);
    }
}
