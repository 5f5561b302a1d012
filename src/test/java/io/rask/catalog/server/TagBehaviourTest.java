package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tags: names that hold versions. */
@ExtendWith(SharedCatalog.Provider.class)
class TagBehaviourTest {
    private final RunningServer server;
    private final String table;

    TagBehaviourTest(SharedCatalog catalog) {
        this.server = catalog.server();
        this.table = catalog.freshTable();
        server.arrow(table + "/create", Rows.THREE).ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        server.post(table + "/branches/create", "{\"name\":\"dev\"}").ok();
        server.arrow(table + "/insert?branch=dev", ArrowStreams.longs("id", 5)).ok();
    }

    private JsonNode version(String tag) {
        return server.post(table + "/tags/version", "{\"tag\":\"" + tag + "\"}")
                .ok()
                .json();
    }

    private void create(String body) {
        server.post(table + "/tags/create", body).ok();
    }

    @Test
    void aTagHoldsAVersionOfMainOrOfABranchAndMakesNone() {
        create("{\"tag\":\"gold\",\"version\":1}");
        create("{\"tag\":\"v1.0_rc-2\",\"version\":3,\"branch\":\"dev\"}");
        assertThat(version("gold"))
                .isEqualTo(server.post(table + "/tags/version", "{\"tag\":\"gold\",\"branch\":\"main\"}")
                        .ok()
                        .json());
        assertThat(version("gold").path("version").longValue()).isEqualTo(1);
        assertThat(version("gold").has("branch")).isFalse();
        assertThat(version("v1.0_rc-2").path("version").longValue()).isEqualTo(3);
        assertThat(version("v1.0_rc-2").path("branch").asString()).isEqualTo("dev");
        JsonNode listed = server.post(table + "/tags/list").ok().json();
        assertThat(listed.path("tags").propertyNames()).containsExactly("gold", "v1.0_rc-2");
        assertThat(listed.at("/tags/gold/version").longValue()).isEqualTo(1);
        assertThat(listed.at("/tags/gold/manifestSize").longValue()).isPositive();
        assertThat(listed.at("/tags/gold").has("branch")).isFalse();
        assertThat(listed.path("tags").path("v1.0_rc-2").path("branch").asString())
                .isEqualTo("dev");
        assertThat(listed.has("page_token")).isFalse();
        assertThat(server.get(table + "/tags/list").ok().json()).isEqualTo(listed);
        assertThat(server.post(table + "/describe", "{\"tag\":\"gold\"}")
                        .ok()
                        .json()
                        .path("version")
                        .longValue())
                .isEqualTo(1);
        assertThat(server.post(table + "/describe").ok().json().path("version").longValue())
                .isEqualTo(2);
    }

    @Test
    void lanceDbReadsAllTagsAsABareMap() {
        create("{\"tag\":\"a\",\"version\":1}");
        create("{\"tag\":\"b\",\"version\":3,\"branch\":\"dev\"}");
        JsonNode bare = server.post(table + "/tags/list/?limit=1").ok().json();
        assertThat(bare.propertyNames()).containsExactly("a", "b");
        assertThat(bare.at("/a/version").longValue()).isEqualTo(1);
        assertThat(bare.at("/a/manifestSize").longValue()).isPositive();
        assertThat(bare.at("/b/branch").asString()).isEqualTo("dev");
    }

    @Test
    void pagesOfTagsHoldEachOnceInOrder() {
        for (int i = 0; i < 7; i++) {
            create("{\"tag\":\"t" + i + "\",\"version\":1}");
        }
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = server.post(table + "/tags/list?limit=3&page_token=" + token)
                    .ok()
                    .json();
            seen.addAll(page.path("tags").propertyNames());
            token = page.path("page_token").asString("");
        } while (!token.isEmpty());
        assertThat(seen).containsExactly("t0", "t1", "t2", "t3", "t4", "t5", "t6");
        refused(server.post(table + "/tags/list?limit=0"), 400, 13);
    }

    @Test
    void aTagIsMovedBetweenVersionsAndBranchesAndRemoved() {
        create("{\"tag\":\"live\",\"version\":1}");
        server.post(table + "/tags/update", "{\"tag\":\"live\",\"version\":3,\"branch\":\"dev\"}")
                .ok();
        assertThat(version("live").path("branch").asString()).isEqualTo("dev");
        server.post(table + "/tags/update?branch=main", "{\"tag\":\"live\",\"version\":2}")
                .ok();
        assertThat(version("live").path("version").longValue()).isEqualTo(2);
        assertThat(version("live").has("branch")).isFalse();
        server.post(table + "/tags/delete", "{\"tag\":\"live\"}").ok();
        refused(server.post(table + "/tags/version", "{\"tag\":\"live\"}"), 404, 8);
        assertThat(server.post(table + "/tags/list").ok().json().path("tags")).isEmpty();
    }

    @Test
    void whatIsNotThereOrIsThereAlreadyHasItsCodeOnABranchAsOnMain() {
        create("{\"tag\":\"gold\",\"version\":1}");
        for (String branch : List.of("", ",\"branch\":\"dev\"")) {
            refused(server.post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":2" + branch + "}"), 409, 9);
            for (String version : List.of("0", "-1", "99", "9223372036854775807")) {
                String body = "{\"tag\":\"%s\",\"version\":" + version + branch + "}";
                refused(server.post(table + "/tags/create", body.formatted("new")), 404, 11);
                refused(server.post(table + "/tags/update", body.formatted("gold")), 404, 11);
            }
            refused(server.post(table + "/tags/update", "{\"tag\":\"none\",\"version\":2" + branch + "}"), 404, 8);
            refused(server.post(table + "/tags/delete", "{\"tag\":\"none\"" + branch + "}"), 404, 8);
            refused(server.post(table + "/tags/version", "{\"tag\":\"none\"" + branch + "}"), 404, 8);
        }
        for (String branch : List.of("absent", "../x", "x$y")) {
            String body = "{\"tag\":\"%s\",\"version\":1,\"branch\":\"" + branch + "\"}";
            refused(server.post(table + "/tags/create", body.formatted("new")), 404, 22);
            refused(server.post(table + "/tags/update", body.formatted("gold")), 404, 22);
        }
        // A tag is asked for on the branch that the request names, and nowhere else.
        refused(server.post(table + "/tags/version", "{\"tag\":\"gold\",\"branch\":\"dev\"}"), 404, 8);
        refused(server.post(table + "/tags/delete?branch=dev", "{\"tag\":\"gold\"}"), 404, 8);
        assertThat(version("gold").path("version").longValue()).isEqualTo(1);
        for (String missing :
                List.of("{}", "{\"version\":1}", "{\"tag\":null,\"version\":1}", "{\"tag\":7,\"version\":1}")) {
            refused(server.post(table + "/tags/create", missing), 400, 13);
        }
        refused(server.post(table + "/tags/create", "{\"tag\":\"x\"}"), 400, 13);
        refused(server.post(table + "/tags/list?branch=dev"), 400, 13);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                ".a",
                "a.",
                "a..b",
                "a/b",
                "a\\\\b",
                "a b",
                "a.lock",
                "é",
                "名",
                "a%2Fb",
                "a\\nb",
                "a\\u0000b",
                "../../x",
                "$",
                "a$b",
                "*"
            })
    void aTagOfABadNameIsTheCallersError(String name) {
        refused(server.post(table + "/tags/create", "{\"tag\":\"" + name + "\",\"version\":1}"), 400, 13);
        refused(server.post(table + "/tags/update", "{\"tag\":\"" + name + "\",\"version\":1}"), 400, 13);
        refused(server.post(table + "/tags/delete", "{\"tag\":\"" + name + "\"}"), 400, 13);
        refused(server.post(table + "/tags/version", "{\"tag\":\"" + name + "\"}"), 400, 13);
        assertThat(server.post(table + "/tags/list").ok().json().path("tags")).isEmpty();
    }

    @Test
    void aTagsNameHas150CharactersAtMost() {
        create("{\"tag\":\"" + "x".repeat(150) + "\",\"version\":1}");
        refused(server.post(table + "/tags/create", "{\"tag\":\"" + "x".repeat(151) + "\",\"version\":1}"), 400, 13);
    }

    @Test
    void aDeclaredTableHasNoTagsAndNothingToPutOneOn(SharedCatalog catalog) {
        String declared = catalog.freshTable();
        server.post(declared + "/declare").ok();
        assertThat(server.post(declared + "/tags/list").ok().json().path("tags"))
                .isEmpty();
        refused(server.post(declared + "/tags/create", "{\"tag\":\"a\",\"version\":1}"), 404, 11);
        refused(server.post(declared + "/tags/create", "{\"tag\":\"a\",\"version\":1,\"branch\":\"dev\"}"), 404, 22);
        refused(server.post(declared + "/tags/update", "{\"tag\":\"a\",\"version\":1}"), 404, 8);
        refused(server.post(declared + "/tags/delete", "{\"tag\":\"a\"}"), 404, 8);
        String absent = catalog.freshTable();
        refused(server.post(absent + "/tags/list"), 404, 4);
        refused(server.post(absent + "/tags/create", "{\"tag\":\"a\",\"version\":1}"), 404, 4);
    }

    @Test
    void aProtectedTableKeepsItsTagsUntilForced(SharedCatalog catalog) {
        create("{\"tag\":\"gold\",\"version\":1}");
        Protecting.protect(catalog, table);
        assertThat(reason(refused(server.post(table + "/tags/delete", "{\"tag\":\"gold\"}"), 409, 19)))
                .contains("protected");
        refused(server.post(table + "/tags/delete?force=false", "{\"tag\":\"gold\"}"), 409, 19);
        assertThat(version("gold").path("version").longValue()).isEqualTo(1);
        server.post(table + "/tags/delete?force=true", "{\"tag\":\"gold\"}").ok();
    }
}
