package io.rask.catalog.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.openfga.language.DslToJsonTransformer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The model that people write and the one the engine is given are the same. {@code mvn test -Dtest=AccessModelTest
 * -Dmodel.write=true} writes the second anew.
 */
class AccessModelTest {
    private static final Path FOLDER = Path.of("src/main/resources/openfga");
    private static final Path JSON_FORM = FOLDER.resolve("model.json");
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
