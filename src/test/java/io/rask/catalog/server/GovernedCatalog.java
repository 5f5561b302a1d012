package io.rask.catalog.server;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Navigation;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.PermissionEngine;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.util.FileSystemUtils;

/** A server that asks a real permission engine, with {@value #ADMIN} as the administrator of the installation. */
final class GovernedCatalog implements AutoCloseable {
    static final String ADMIN = "root-admin";

    private final Path folder;
    private final RunningServer server;
    private final String storeName;
    private final List<Class<?>> beans;

    GovernedCatalog(OpenFga engine, Map<String, String> more, Class<?>... beans) {
        this(engine.settings(), more, beans);
    }

    /** @param engine the settings that lead to an engine */
    GovernedCatalog(Map<String, String> engine, Map<String, String> more, Class<?>... beans) {
        this.beans = new ArrayList<>(List.of(beans));
        this.beans.add(HeaderIdentification.class);
        try {
            folder = Files.createTempDirectory("governed-catalog");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> settings = settings(engine, more);
        storeName = settings.getOrDefault("lance.fga.store-name", "");
        server = start(settings);
        awaitReady(server);
    }

    /** Waits until a server has its engine. */
    static void awaitReady(RunningServer server) {
        server.awaitReady();
    }

    private static Map<String, String> settings(Map<String, String> engine, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(engine);
        settings.put("lance.bootstrap.administrator", ADMIN);
        // A machine that does much else at the time is no outage.
        settings.put("lance.fga.timeout-seconds", "30");
        settings.putAll(more);
        return settings;
    }

    /** Another server over the same storage. */
    RunningServer start(Map<String, String> settings) {
        return RunningServer.on(folder, settings, beans.toArray(Class<?>[]::new));
    }

    String storeName() {
        return storeName;
    }

    RunningServer server() {
        return server;
    }

    /** The server as a user sees it. */
    RunningServer as(String user) {
        return server.asking(HeaderIdentification.USER, user);
    }

    PermissionEngine engine() {
        return server.bean(PermissionEngine.class);
    }

    /** Gives somebody a right, with the way to it. */
    void grant(String user, String relation, AccessObject object) {
        grant(server, user, relation, object);
    }

    /** Gives somebody a right in the engine that a server asks, with the way to it. */
    static void grant(RunningServer server, String user, String relation, AccessObject object) {
        String name = ObjectNames.user(user);
        List<Tuple> facts = new ArrayList<>(server.bean(Navigation.class).towards(name, object));
        facts.add(new Tuple(name, relation, ObjectNames.of(object)));
        server.bean(PermissionEngine.class).write(facts, List.of());
    }

    /** Takes a right back, with the way to it. */
    void revoke(String user, String relation, AccessObject object) {
        Tuple fact = new Tuple(ObjectNames.user(user), relation, ObjectNames.of(object));
        engine().write(List.of(), List.of(fact));
        server.bean(Navigation.class).left(object, List.of(fact));
    }

    /** Makes a project, a warehouse and a top-level namespace, all of the same maker, who is made administrator of the project. */
    void makeNamespace(String maker, String project, String warehouse, String namespace) {
        as(ADMIN).post("/v1/projects", "{\"id\":\"" + project + "\"}").ok();
        grant(maker, "admin", AccessObject.project(project));
        as(maker)
                .post("/v1/warehouses", "{\"id\":\"" + warehouse + "\",\"project\":\"" + project + "\"}")
                .ok();
        as(maker)
                .post("/v1/warehouses/" + warehouse + "/namespaces", "{\"namespace\":\"" + namespace + "\"}")
                .ok();
    }

    static AccessObject table(String... segments) {
        return AccessObject.table(ObjectId.of(segments));
    }

    static AccessObject namespace(String... segments) {
        return AccessObject.namespace(ObjectId.of(segments));
    }

    @Override
    public void close() {
        server.close();
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
