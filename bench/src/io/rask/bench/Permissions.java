package io.rask.bench;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.PermissionEngine;
import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.util.FileSystemUtils;

/** What asking for rights costs, in a project of 1,000 namespaces and 10,000 tables; printed as a table of milliseconds. */
public final class Permissions {
    private static final int NAMESPACES = 1_000;
    private static final int TABLES = 10_000;
    private static final int TIMES = 500;
    private static final int BATCH = 50;

    private Permissions() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("permissions");
        try (OpenFga engine = OpenFga.start()) {
            System.out.println("| what | median ms | 99th ms |\n|---|---|---|");
            engine(folder, engine);
            door(folder, "no engine", Map.of());
            Map<String, String> cached = new HashMap<>(engine.settings());
            cached.put("lance.fga.cache-ttl", "60s");
            door(folder, "allowance remembered", cached);
            Map<String, String> uncached = new HashMap<>(engine.settings());
            uncached.put("lance.fga.cache-ttl", "0s");
            door(folder, "engine asked each time", uncached);
        } finally {
            FileSystemUtils.deleteRecursively(folder);
        }
        System.exit(0);
    }

    private static void engine(Path folder, OpenFga openFga) {
        try (RunningServer server =
                RunningServer.on(folder.resolve("engine"), openFga.settings(), HeaderIdentification.class)) {
            PermissionEngine engine = server.bean(PermissionEngine.class);
            engine.write(facts(), List.of());
            ask(
                    engine,
                    "check: reader of the warehouse, on a table",
                    "reader",
                    Relation.CAN_READ_DATA,
                    Permissions::table,
                    1);
            ask(
                    engine,
                    "check: owner of a table, on its namespace",
                    "guest",
                    Relation.CAN_GET_METADATA,
                    Permissions::namespace,
                    1);
            ask(engine, "check: a stranger, on a table", "stranger", Relation.CAN_READ_DATA, Permissions::table, 1);
            ask(
                    engine,
                    "50 checks of a list: reader of the warehouse",
                    "reader",
                    Relation.CAN_GET_METADATA,
                    Permissions::table,
                    BATCH);
            ask(
                    engine,
                    "50 checks of a list: a stranger",
                    "stranger",
                    Relation.CAN_GET_METADATA,
                    Permissions::table,
                    BATCH);
        }
    }

    private static AccessObject namespace(int at) {
        return AccessObject.namespace(ObjectId.of("top", "n" + at % NAMESPACES));
    }

    private static AccessObject table(int at) {
        return AccessObject.table(ObjectId.of("top", "n" + at % NAMESPACES, "t" + at % TABLES));
    }

    private static List<Tuple> facts() {
        AccessObject lake = AccessObject.warehouse("lake");
        AccessObject top = AccessObject.namespace(ObjectId.of("top"));
        List<Tuple> facts = new ArrayList<>();
        facts.add(new Tuple(ObjectNames.of(AccessObject.project("acme")), "project", ObjectNames.of(lake)));
        facts.add(new Tuple("user:reader", "reader", ObjectNames.of(lake)));
        facts.add(new Tuple(ObjectNames.of(lake), "parent", ObjectNames.of(top)));
        IntStream.range(0, NAMESPACES).forEach(at -> facts.addAll(made(namespace(at), top)));
        IntStream.range(0, TABLES).forEach(at -> {
            facts.addAll(made(table(at), namespace(at)));
            facts.add(new Tuple("user:guest", "owner", ObjectNames.of(table(at))));
        });
        IntStream.range(0, NAMESPACES)
                .forEach(at -> facts.add(new Tuple("user:guest", "navigator", ObjectNames.of(namespace(at)))));
        return facts;
    }

    private static List<Tuple> made(AccessObject object, AccessObject parent) {
        return List.of(
                new Tuple("user:maker", "owner", ObjectNames.of(object)),
                new Tuple(ObjectNames.of(parent), "parent", ObjectNames.of(object)));
    }

    private static void ask(
            PermissionEngine engine,
            String what,
            String user,
            Relation relation,
            java.util.function.IntFunction<AccessObject> object,
            int batch) {
        Principal principal = Principal.of(user, Principal.Means.TOKEN);
        measure(what, time -> {
            List<Question> questions = IntStream.range(0, batch)
                    .mapToObj(at -> new Question(principal, relation, object.apply(time * 37 + at)))
                    .toList();
            engine.check(questions);
        });
    }

    private static void door(Path folder, String how, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("lance.bootstrap.administrator", "admin");
        try (RunningServer server = RunningServer.on(
                        folder.resolve(how.replace(' ', '-')), all, HeaderIdentification.class)
                .asking(HeaderIdentification.USER, "admin")) {
            while (server.get("/readyz").status() != 200) {
                Thread.onSpinWait();
            }
            server.makeNamespace("acme", "lake", "shop");
            String path = "/v1/table/" + RunningServer.id("shop", "t");
            server.post(path + "/declare", "{}").ok();
            measure(
                    "request (`exists` of a table): " + how,
                    time -> server.post(path + "/exists", "{}").ok());
        }
    }

    private static void measure(String what, java.util.function.IntConsumer work) {
        IntStream.range(0, TIMES).forEach(work);
        long[] took = new long[TIMES];
        for (int at = 0; at < TIMES; at++) {
            long begin = System.nanoTime();
            work.accept(at);
            took[at] = System.nanoTime() - begin;
        }
        Arrays.sort(took);
        System.out.printf(
                Locale.ROOT, "| %s | %.2f | %.2f |%n", what, took[TIMES / 2] / 1e6, took[TIMES * 99 / 100] / 1e6);
    }
}
