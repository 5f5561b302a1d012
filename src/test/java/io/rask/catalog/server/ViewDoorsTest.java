package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Target;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The rows and columns of a view are its refresh's alone, whichever door is tried. */
@ExtendWith(SharedCatalog.Provider.class)
class ViewDoorsTest {
    private static final String TABLE = "/v1/table/{id}/";
    private static final Set<Relation> CHANGING =
            EnumSet.of(Relation.CAN_WRITE_DATA, Relation.CAN_RESTORE, Relation.CAN_UPDATE_PROPERTIES);
    /** What would change a table, by the end of the route; an empty body stands for rows. */
    private static final Map<String, String> BODIES = Map.ofEntries(
            entry("insert", ""),
            entry("merge_insert", ""),
            entry("update", "{\"updates\":[[\"id\",\"7\"]]}"),
            entry("delete", "{\"predicate\":\"true\"}"),
            entry("restore", "{\"version\":1}"),
            entry("version/create", "{\"version\":3,\"manifest_path\":\"staged\"}"),
            entry("add_columns", "{\"new_columns\":[{\"name\":\"more\",\"expression\":\"id * 2\"}]}"),
            entry("alter_columns", "{\"alterations\":[{\"path\":\"id\",\"rename\":\"number\"}]}"),
            entry("drop_columns", "{\"columns\":[\"id\"]}"),
            entry("backfill_column", "{\"column\":\"id\"}"),
            entry("schema_metadata/update", "{\"a\":\"b\"}"),
            entry("update_field_metadata", "{\"updates\":[{\"path\":\"id\",\"metadata\":{\"unit\":\"none\"}}]}"));

    private final RunningServer server;
    private final ViewedTables tables;

    ViewDoorsTest(SharedCatalog catalog) {
        this.server = catalog.server();
        this.tables = new ViewedTables(server, catalog.freshNamespace().namespace());
        tables.orders("orders", 1, "tea", 3.5);
    }

    @Test
    void everyDoorThatChangesATableRefusesAView() {
        tables.made("teas", "SELECT id FROM orders WHERE item = 'tea'");
        Set<String> tried = new TreeSet<>();
        server.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .forEach((route, handler) -> {
                    Door door = handler.getMethodAnnotation(Door.class);
                    if (door != null
                            && door.target() == Target.TABLE
                            && CHANGING.contains(door.relation())
                            && !door.onView()) {
                        route.getPatternValues().stream()
                                .filter(pattern -> pattern.startsWith(TABLE))
                                .map(pattern -> pattern.substring(TABLE.length()))
                                .forEach(tail -> {
                                    assertThat(BODIES)
                                            .as("a request for each door")
                                            .containsKey(tail);
                                    Answer answer = send(tables.table("teas"), tail);
                                    assertThat(answer.code())
                                            .as(tail + ": " + answer.text())
                                            .isEqualTo(19);
                                    tried.add(tail);
                                });
                    }
                });
        assertThat(tried).contains("insert", "merge_insert", "update", "restore", "drop_columns");
        assertThat(tables.values("teas", "id")).containsExactly(1L);
    }

    private Answer send(String table, String tail) {
        String body = BODIES.get(tail);
        return body.isEmpty()
                ? server.arrow(table + "/" + tail + "?on=id", ArrowStreams.longs("id", 9))
                : server.post(table + "/" + tail, body);
    }

    @Test
    void aProtectedViewIsDroppedByNoDoorUntilForced() {
        tables.made("kept", "SELECT id FROM orders");
        server.post(tables.table("kept") + "/protection", "{\"protected\":true}")
                .ok();
        refused(server.post(tables.view("kept") + "/drop"), 409, 19);
        refused(server.post(tables.table("kept") + "/drop"), 409, 19);
        refused(server.post(tables.table("kept") + "/deregister"), 409, 19);
        String space = "/v1/namespace/" + tables.namespace();
        assertThat(reason(refused(server.post(space + "/drop", "{\"behavior\":\"Cascade\"}"), 409, 19)))
                .contains(tables.namespace() + "$kept");
        // Nothing was touched before the refusal.
        server.post(tables.table("orders") + "/count_rows").ok();
        assertThat(tables.values("kept", "id")).containsExactly(1L);
        tables.done(ViewedTables.job(server.post(tables.view("kept") + "/drop?force=true")));
        refused(server.post(tables.view("kept") + "/describe"), 404, 4);
    }
}
