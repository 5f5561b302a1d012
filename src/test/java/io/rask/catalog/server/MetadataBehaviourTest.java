package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What happens to the metadata of schemas and fields. */
@ExtendWith(SharedCatalog.Provider.class)
class MetadataBehaviourTest {
    private final RunningServer server;
    private final String table;

    MetadataBehaviourTest(SharedCatalog catalog) {
        this.server = catalog.server();
        this.table = catalog.freshTable();
        server.arrow(table + "/create", ArrowStreams.longs("id", 1, 2, 3)).ok();
        server.post(
                        table + "/add_columns",
                        "{\"new_columns\":[{\"name\":\"s\",\"expression\":\"named_struct('a.b', id, 'c', id)\"}]}")
                .ok();
    }

    private Answer schema(String body) {
        return server.post(table + "/schema_metadata/update", body);
    }

    private Answer fields(String updates) {
        return server.post(table + "/update_field_metadata", "{\"updates\":[" + updates + "]}");
    }

    private JsonNode described() {
        return server.post(table + "/describe?load_detailed_metadata=true").ok().json();
    }

    @Test
    void theMetadataOfASchemaMergesAndNullTakesAway() {
        assertThat(schema("{\"a\":\"1\",\"b\":\"2\"}").ok().text()).isEqualTo("{\"a\":\"1\",\"b\":\"2\"}");
        assertThat(schema("{\"b\":null,\"c\":\"3\",\"description\":\"a table\"}")
                        .ok()
                        .text())
                .isEqualTo("{\"a\":\"1\",\"c\":\"3\",\"description\":\"a table\"}");
        assertThat(described().at("/schema/metadata/c").asString()).isEqualTo("3");
        assertThat(described().at("/metadata/description").asString()).isEqualTo("a table");
        assertThat(schema("{\"absent\":null}").ok().text())
                .contains("\"a\":\"1\"")
                .doesNotContain("null");
    }

    @Test
    void theEnvelopeOfOlderClientsIsUnderstood() {
        assertThat(schema("{\"id\":[],\"context\":{},\"metadata\":{\"a\":\"1\",\"id\":\"7\"}}")
                        .ok()
                        .text())
                .isEqualTo("{\"a\":\"1\",\"id\":\"7\"}");
        assertThat(schema("{\"metadata\":\"plain\",\"id\":null}").ok().text())
                .isEqualTo("{\"a\":\"1\",\"metadata\":\"plain\"}");
        refused(schema("{\"id\":[\"other\",\"table\"],\"metadata\":{}}"), 400, 13);
    }

    @Test
    void aChangeThatChangesNothingMakesNoVersion() {
        schema("{\"a\":\"1\"}").ok();
        fields("{\"path\":\"id\",\"metadata\":{\"k\":\"v\"}}").ok();
        long before = described().path("version").longValue();
        schema("{\"a\":\"1\",\"z\":null}").ok();
        schema("{}").ok();
        assertThat(fields("{\"path\":\"id\",\"metadata\":{\"k\":\"v\",\"x\":null}}")
                        .ok()
                        .json()
                        .path("version")
                        .longValue())
                .isEqualTo(before);
        assertThat(described().path("version").longValue()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"lineage.source\":\"x\"}",
                "{\"rask:x\":\"x\"}",
                "{\"lance-schema:x\":\"x\"}",
                "{\"\":\"x\"}",
                "{\"a\":1}",
                "{\"a\":{}}",
                "{\"a\":\"\\u0000\"}",
                "{\"a\":\"\\ud800\"}",
                "[]",
                "\"x\""
            })
    void reservedKeysAndWhatIsNoTextAreRefused(String body) {
        refused(schema(body), 400, 13);
    }

    @Test
    void theMetadataOfAFieldMergesReplacesAndNullTakesAway() {
        JsonNode done = fields("""
                        {"path":"id","metadata":{"a":"1","b":"2"}},
                        {"path":"s.`a.b`","metadata":{"k":"v"}}""").ok().json();
        assertThat(done.path("fields").toString())
                .isEqualTo("{\"id\":{\"a\":\"1\",\"b\":\"2\"},\"s.`a.b`\":{\"k\":\"v\"}}");
        assertThat(described().path("version").longValue())
                .isEqualTo(done.path("version").longValue());
        assertThat(fields("{\"path\":\"id\",\"metadata\":{\"a\":null,\"c\":\"3\"}}")
                        .ok()
                        .json()
                        .path("fields")
                        .toString())
                .isEqualTo("{\"id\":{\"b\":\"2\",\"c\":\"3\"}}");
        assertThat(fields("{\"path\":\"`id`\",\"replace\":true,\"metadata\":{\"d\":\"4\",\"b\":null}}")
                        .ok()
                        .json()
                        .path("fields")
                        .toString())
                .isEqualTo("{\"id\":{\"d\":\"4\"}}");
        assertThat(described().at("/schema/fields/0/metadata").toString()).isEqualTo("{\"d\":\"4\"}");
        assertThat(fields("{\"path\":\"id\",\"replace\":true,\"metadata\":{}}")
                        .ok()
                        .json()
                        .path("fields")
                        .toString())
                .isEqualTo("{\"id\":{}}");
    }

    @Test
    void aReplacementLeavesWhatABindingNeeds() {
        server.post(table + "/add_columns", "{\"new_columns\":[{\"name\":\"t\",\"computed\":\"id * 2\"}]}")
                .ok();
        fields("{\"path\":\"t\",\"metadata\":{\"mine\":\"1\"}}").ok();
        assertThat(fields("{\"path\":\"t\",\"replace\":true,\"metadata\":{\"x\":\"1\"}}")
                        .ok()
                        .json()
                        .at("/fields/t")
                        .toString())
                .isEqualTo("{\"rask:computed\":\"id * 2\",\"rask:inputs\":\"id\",\"x\":\"1\"}");
    }

    @Test
    void aFieldThatIsNotThereAndAnEntryThatSaysNothingAreRefused() {
        refused(fields("{\"path\":\"absent\",\"metadata\":{\"a\":\"1\"}}"), 404, 12);
        refused(fields("{\"path\":\"s.absent\",\"metadata\":{\"a\":\"1\"}}"), 404, 12);
        refused(fields("{\"path\":\"c\",\"metadata\":{\"a\":\"1\"}}"), 404, 12);
        refused(fields("{\"path\":\"id\"}"), 400, 13);
        refused(fields("{\"metadata\":{\"a\":\"1\"}}"), 400, 13);
        refused(fields("{\"path\":\"s.\",\"metadata\":{\"a\":\"1\"}}"), 400, 13);
        refused(fields("{\"path\":\"id\",\"metadata\":{\"lance-encoding:blob\":\"true\"}}"), 400, 13);
        refused(
                fields("{\"path\":\"id\",\"metadata\":{\"a\":\"1\"}},{\"path\":\"id\",\"metadata\":{\"b\":\"1\"}}"),
                400,
                13);
        refused(fields("null"), 400, 13);
        refused(fields(""), 400, 13);
    }

    @Test
    void writersOfDifferentKeysLoseNone() throws Exception {
        try (Race race = new Race(8)) {
            List<Integer> statuses = race.run(runner -> runner % 2 == 0
                    ? schema("{\"k" + runner + "\":\"v\"}").ok().status()
                    : fields("{\"path\":\"id\",\"metadata\":{\"k" + runner + "\":\"v\"}}")
                            .ok()
                            .status());
            assertThat(statuses).containsOnly(200);
        }
        JsonNode schema = described().path("schema");
        IntStream.of(0, 2, 4, 6)
                .forEach(key ->
                        assertThat(schema.at("/metadata/k" + key).asString()).isEqualTo("v"));
        IntStream.of(1, 3, 5, 7)
                .forEach(key -> assertThat(
                                schema.at("/fields/0/metadata/k" + key).asString())
                        .isEqualTo("v"));
    }
}
