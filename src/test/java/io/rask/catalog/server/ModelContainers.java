package io.rask.catalog.server;

import static io.rask.catalog.server.ModelDoors.DENIED;
import static io.rask.catalog.server.ModelDoors.MEANWHILE;
import static io.rask.catalog.server.ModelDoors.NOT_EMPTY;
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
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** What a {@link ModelClient} does to all that holds tables: namespaces, warehouses and projects. */
final class ModelContainers {
    private final int number;
    private final Random random;
    private final ModelDoors doors;
    private int projects;

    /** @param number whose own projects they are */
    ModelContainers(int number, Random random, ModelDoors doors) {
        this.number = number;
        this.random = random;
        this.doors = doors;
    }

    void touch(String user, Space space) {
        RunningServer server = doors.as(user);
        boolean owns = space.lets(user, "owner");
        String about = user + " at " + space.stored() + (space.isTrashed ? " in the trash " : " ") + space.grants;
        Integer[] refused = space.isTrashed ? new Integer[] {DENIED, NO_NAMESPACE} : new Integer[] {DENIED};
        switch (random.nextInt(8)) {
            case 0 ->
                doors.giveOrTake(
                        user,
                        space.path(),
                        space.grants,
                        space.isTrashed ? refused : new Integer[] {owns ? OK : DENIED});
            case 1, 2 -> {
                boolean holds = space.tables.stream().anyMatch(table -> table.state == State.LIVE && table.isProtected);
                Answer answer = doors.expect(
                        about,
                        () -> server.post(space.path() + "/drop", "{\"behavior\":\"cascade\"}"),
                        !owns ? refused : new Integer[] {space.isTrashed ? NO_NAMESPACE : holds ? PROTECTED : OK});
                if (done(answer)) {
                    space.isTrashed = true;
                }
            }
            case 3, 4 -> {
                Answer answer = doors.expect(
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
            Answer answer = doors.expect(
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

    /**
     * Everybody at once on the same few names: whatever the order, each answer is one of the doors' own. What is just being made is
     * denied until its owner is written down.
     */
    void race() {
        List<String> names = List.of("race-0", "race-1");
        String name = doors.any(names);
        String path = "/v1/table/" + RunningServer.id("top-0", name);
        RunningServer server = doors.as(ModelHierarchy.ADMINISTRATOR);
        Answer answer = switch (random.nextInt(5)) {
            case 0, 1 -> server.post(path + "/declare", "{}");
            case 2 -> server.post(path + "/rename", "{\"new_table_name\":\"" + doors.any(names) + "\"}");
            case 3 -> server.post(path + "/drop", "{}");
            default -> server.post(path + "/purge", "{}");
        };
        assertThat(Math.max(answer.code(), OK))
                .as(answer.response().uri() + ": " + answer.text())
                .isIn(OK, NO_TABLE, TAKEN, MEANWHILE, DENIED, PROTECTED);
    }

    /** A project of one's own from its beginning to its end. */
    void foundAndEnd() {
        String id = String.format(Locale.ROOT, "own-%d-%d", number, projects++);
        String project = "/v1/projects/" + id;
        String warehouse = "/v1/warehouses/" + id;
        String table = "/v1/table/" + RunningServer.id(id, "t") + "/declare";
        RunningServer admin = doors.as(ModelHierarchy.ADMINISTRATOR);
        RunningServer stranger = doors.as(ModelHierarchy.STRANGER);
        doors.expect(id, () -> admin.post("/v1/projects", "{\"id\":\"" + id + "\"}"), OK);
        doors.expect(
                id, () -> doors.as(ModelHierarchy.ADMINISTRATOR).post("/v1/projects", "{\"id\":\"" + id + "\"}"), OK);
        doors.expect(
                id,
                () -> doors.as(ModelHierarchy.ADMINISTRATOR)
                        .post("/v1/warehouses", "{\"id\":\"" + id + "\",\"project\":\"" + id + "\"}"),
                OK);
        doors.expect(id, () -> admin.post(warehouse + "/namespaces", "{\"namespace\":\"" + id + "\"}"), OK);
        doors.expect(id, () -> stranger.post(table, "{}"), DENIED);
        doors.expect(id, () -> stranger.delete(project), NO_TABLE);
        doors.expect(id, () -> stranger.delete(warehouse + "?cascade=true"), NO_TABLE);
        doors.expect(id, () -> admin.post(warehouse + "/deactivate", "{}"), OK);
        doors.expect(id, () -> doors.as(ModelHierarchy.ADMINISTRATOR).post(table, "{}"), DENIED);
        doors.expect(id, () -> admin.post(warehouse + "/activate", "{}"), OK);
        doors.expect(id, () -> doors.as(ModelHierarchy.ADMINISTRATOR).post(table, "{}"), OK);
        doors.expect(id, () -> doors.as(ModelHierarchy.ADMINISTRATOR).delete(project), NOT_EMPTY);
        doors.expect(id, () -> admin.delete(warehouse + "?cascade=true"), NOT_EMPTY);
        doors.expect(id, () -> admin.post(table.replace("/declare", "/drop?purge=true"), "{}"), OK);
        doors.expect(id, () -> admin.delete(warehouse + "?cascade=true"), OK);
        doors.expect(id, () -> doors.as(ModelHierarchy.ADMINISTRATOR).delete(project), OK);
        doors.expect(id, () -> doors.as(ModelHierarchy.ADMINISTRATOR).get(project), NO_TABLE, DENIED);
    }
}
