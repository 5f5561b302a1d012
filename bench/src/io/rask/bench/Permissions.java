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
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.springframework.util.FileSystemUtils;

/**
 * What asking for rights costs, in a project of 1,000 namespaces and 10,000 tables whose facts are in PostgreSQL; printed as a table of
 * milliseconds.
 */
public final class Permissions {
    private static final int NAMESPACES = 1_000;
    private static final int TABLES = 10_000;
    private static final int TIMES = 200;
    private static final int BATCH = 50;
    private static final String TABLE = "/v1/table/" + RunningServer.id("shop", "t");

    private Permissions() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("permissions");
        try (OpenFga engine = OpenFga.startOnPostgres()) {
            System.out.println("| what | median ms | 99th ms |\n|---|---|---|");
            engine(folder, engine);
            doors(folder, engine);
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
                    "50 checks of a list: who was given each",
                    "guest",
                    Relation.IS_GIVEN,
                    Permissions::table,
                    BATCH);
            ask(engine, "50 checks of a list: a stranger", "stranger", Relation.IS_GIVEN, Permissions::table, BATCH);
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
            IntFunction<AccessObject> object,
            int batch) {
        Principal principal = Principal.of(user, Principal.Means.TOKEN);
        measure(what, time -> {
            List<Question> questions = IntStream.range(0, batch)
                    .mapToObj(at -> new Question(principal, relation, object.apply(time * 37 + at)))
                    .toList();
            engine.check(questions);
        });
    }

    /** The same request to three servers in turn, so that what else the machine does meets all of them. */
    private static void doors(Path folder, OpenFga engine) {
        try (RunningServer open = door(folder, "open", Map.of());
                RunningServer cached = door(folder, "cached", with(engine, "60s"));
                RunningServer uncached = door(folder, "uncached", with(engine, "0s"))) {
            List<RunningServer> servers = List.of(open, cached, uncached);
            List<String> names = List.of("no engine", "allowance remembered", "engine asked each time");
            double[] medians = measure(
                    names.stream()
                            .map(name -> "request (`exists` of a table): " + name)
                            .toList(),
                    servers.stream().map(Permissions::exists).toList());
            System.out.printf(
                    Locale.ROOT,
                    "%nadded at the median: %.2f ms remembered, %.2f ms asked%n",
                    medians[1] - medians[0],
                    medians[2] - medians[0]);
        }
    }

    private static Map<String, String> with(OpenFga engine, String ttl) {
        Map<String, String> settings = new HashMap<>(engine.settings());
        settings.put("lance.fga.cache-ttl", ttl);
        return settings;
    }

    private static RunningServer door(Path folder, String how, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("lance.bootstrap.administrator", "admin");
        RunningServer server = RunningServer.on(folder.resolve(how), all, HeaderIdentification.class)
                .asking(HeaderIdentification.USER, "admin");
        while (server.get("/readyz").status() != 200) {
            Thread.onSpinWait();
        }
        server.makeNamespace("acme", "lake", "shop");
        server.post(TABLE + "/declare", "{}").ok();
        return server;
    }

    private static IntConsumer exists(RunningServer server) {
        return time -> server.post(TABLE + "/exists", "{}").ok();
    }

    private static void measure(String what, IntConsumer work) {
        measure(List.of(what), List.of(work));
    }

    /** Does each in turn, and prints and returns the medians. */
    private static double[] measure(List<String> names, List<IntConsumer> works) {
        IntStream.range(0, TIMES).forEach(at -> works.forEach(work -> work.accept(at)));
        long[][] took = new long[works.size()][TIMES];
        for (int at = 0; at < TIMES; at++) {
            for (int each = 0; each < works.size(); each++) {
                long begin = System.nanoTime();
                works.get(each).accept(at);
                took[each][at] = System.nanoTime() - begin;
            }
        }
        double[] medians = new double[works.size()];
        for (int each = 0; each < works.size(); each++) {
            Arrays.sort(took[each]);
            medians[each] = took[each][TIMES / 2] / 1e6;
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.2f | %.2f |%n",
                    names.get(each),
                    medians[each],
                    took[each][TIMES * 99 / 100] / 1e6);
        }
        return medians;
    }
}
