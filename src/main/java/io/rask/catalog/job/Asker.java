package io.rask.catalog.job;

import io.rask.catalog.access.Principal;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Who asked for a job, as its record has it: what rights are asked by, and nothing personal. */
final class Asker {
    private static final String SUBJECT = "subject";
    private static final String MEANS = "means";
    private static final String TEAMS = "teams";

    private Asker() {}

    static ObjectNode write(Principal asker) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put(SUBJECT, asker.subject()).put(MEANS, asker.means().name());
        asker.teams().forEach(node.putArray(TEAMS)::add);
        return node;
    }

    /** Empty also for what a newer server has noted and this one does not know. */
    static Optional<Principal> read(JsonNode node) {
        String means = node.path(MEANS).asString("");
        return Arrays.stream(Principal.Means.values())
                .filter(known -> known.name().equals(means))
                .findFirst()
                .map(known -> new Principal(node.path(SUBJECT).asString(), known, teams(node), null, null));
    }

    private static Set<String> teams(JsonNode node) {
        return node.path(TEAMS).valueStream().map(JsonNode::asString).collect(Collectors.toSet());
    }
}
