package io.rask.catalog.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.openfga.language.DslToJsonTransformer;
import dev.openfga.sdk.api.model.AuthorizationModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The model that people write and the one the engine is given are the same. {@code mvn test -Dtest=AccessModelTest
 * -Dmodel.write=true} writes the second anew.
 */
class AccessModelTest {
    private static final Path FOLDER = Path.of("src/main/resources/openfga");
    private static final Path JSON_FORM = FOLDER.resolve("model.json");
    /** What each version of the model says: a line for each, the last of which is that in use. */
    private static final Path VERSIONS = Path.of("src/test/resources/openfga/versions.txt");

    private static final JsonMapper JSON = JsonMapper.shared();

    private static JsonNode written() throws Exception {
        return JSON.readTree(new DslToJsonTransformer().transform(Files.readString(FOLDER.resolve("model.fga"))));
    }

    @Test
    void theJsonInUseEqualsTheModelThatPeopleWrite() throws Exception {
        if (Boolean.getBoolean("model.write")) {
            Files.writeString(JSON_FORM, JSON.writeValueAsString(written()) + "\n");
        }
        assertThat(JSON.readTree(Files.readString(JSON_FORM))).isEqualTo(written());
    }

    @Test
    void aDefinitionChangesWithTheVersionOfTheModel() throws Exception {
        String model = Files.readString(FOLDER.resolve("model.fga"));
        long version =
                model.lines().filter(line -> line.matches(" +define v\\d+: .*")).count();
        String rules = model.lines()
                .filter(line -> !line.isBlank() && !line.stripLeading().startsWith("#"))
                .reduce("", (all, line) -> all + line + "\n");
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(rules.getBytes(StandardCharsets.UTF_8));
        String line = "v" + version + " " + HexFormat.of().formatHex(digest);
        List<String> known = Files.readAllLines(VERSIONS);
        if (Boolean.getBoolean("model.write")) {
            known = new ArrayList<>(known);
            known.removeIf(each -> each.startsWith("v" + version + " "));
            known.add(line);
            Files.write(VERSIONS, known);
        }
        assertThat(known.getLast())
                .as(
                        "A model that was released gets another version with another definition; one that was not is written anew"
                                + " with -Dmodel.write=true")
                .isEqualTo(line);
    }

    private static JsonNode type(JsonNode model, String name) {
        for (JsonNode type : model.path("type_definitions")) {
            if (type.path("type").asString().equals(name)) {
                return type;
            }
        }
        throw new AssertionError(name);
    }

    private static AccessModel.Comparison compared(JsonNode model) throws Exception {
        return new AccessModel()
                .compare(com.fasterxml.jackson.databind.json.JsonMapper.builder()
                        .findAndAddModules()
                        .build()
                        .readValue(model.toString(), AuthorizationModel.class));
    }

    /** A model that gives a right to others than ours, under the same name. */
    private static JsonNode otherwise() throws Exception {
        JsonNode model = written();
        ObjectNode relations = (ObjectNode) type(model, "table").path("relations");
        relations.set("can_drop", relations.get("can_restore").deepCopy());
        ((ObjectNode) relations.path("can_drop").path("computedUserset")).put("relation", "writes");
        return model;
    }

    private static JsonNode withNextVersion(JsonNode model) {
        ObjectNode versions = (ObjectNode) type(model, "model_version").path("relations");
        versions.set("v" + (versions.size() + 1), versions.get("v1").deepCopy());
        return model;
    }

    private static JsonNode withoutVersion(JsonNode model) {
        ((ObjectNode) type(model, "model_version")).put("type", "team");
        ((ObjectNode) type(model, "team").path("relations")).remove("v1");
        return model;
    }

    @Test
    void aModelIsReplacedByOneThatHasAllOfItAndMoreAndByNoOther() throws Exception {
        assertThat(compared(written())).isEqualTo(AccessModel.Comparison.SAME);
        assertThat(compared(otherwise())).isEqualTo(AccessModel.Comparison.FOREIGN);
        assertThat(compared(withNextVersion(written()))).isEqualTo(AccessModel.Comparison.WIDER);
        assertThat(compared(withNextVersion(otherwise()))).isEqualTo(AccessModel.Comparison.WIDER);
        assertThat(compared(withoutVersion(written()))).isEqualTo(AccessModel.Comparison.OLDER);
        assertThat(compared(withoutVersion(otherwise()))).isEqualTo(AccessModel.Comparison.OLDER);
        JsonNode both = withNextVersion(written());
        ((ObjectNode) type(both, "table").path("relations")).remove("can_drop");
        assertThat(compared(both)).isEqualTo(AccessModel.Comparison.FOREIGN);
    }

    @Test
    void everyActionThatADoorAsksIsAnActionOfTheModel() {
        AccessModel model = new AccessModel();
        for (Relation relation : Relation.values()) {
            // Which right to grant is asked for is said by the body of a grant.
            boolean known = relation == Relation.CAN_GRANT
                    || model.relations().values().stream().anyMatch(all -> all.contains(relation.wireName()));
            assertThat(known).as(relation.wireName()).isTrue();
        }
    }
}
