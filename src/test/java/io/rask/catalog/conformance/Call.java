package io.rask.catalog.conformance;

import io.rask.catalog.testing.Register.Operation;
import io.rask.catalog.testing.RunningServer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request for an operation, which can be changed in one thing at a time.
 *
 * @param id the segments of the object's id; empty where the path names none
 * @param tail what stands in the path for the name of an index
 * @param query what follows the question mark; may be empty
 * @param json the JSON body; null for none
 * @param arrow the Arrow body; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody changes or compares a body.
record Call(
        Operation operation,
        List<String> id,
        String tail,
        String query,
        @Nullable JsonNode json,
        byte @Nullable [] arrow) {
    private static final JsonMapper JSON = JsonMapper.shared();

    static Call of(Operation operation, List<String> id, String json) {
        JsonNode body = operation.body().equals("none") || json.isEmpty() ? null : JSON.readTree(json);
        return new Call(operation, id, "id_idx", "", body, null);
    }

    static Call arrow(Operation operation, List<String> id, String query, byte[] stream) {
        return new Call(operation, id, "", query, null, stream);
    }

    String method() {
        return operation.method();
    }

    String path() {
        return operation
                .path()
                .replace("{id}", RunningServer.id(id.toArray(String[]::new)))
                .replace("{index_name}", tail);
    }

    String target() {
        return path() + (query.isEmpty() ? "" : "?" + query);
    }

    byte[] body() {
        if (arrow != null) {
            return arrow;
        }
        return json == null ? new byte[0] : json.toString().getBytes(StandardCharsets.UTF_8);
    }

    Call on(String... segments) {
        return new Call(operation, Arrays.asList(segments), tail, query, json, arrow);
    }

    Call index(String name) {
        return new Call(operation, id, name, query, json, arrow);
    }

    /** With one more thing in the query. */
    Call asking(String parameter) {
        return new Call(operation, id, tail, query.isEmpty() ? parameter : query + "&" + parameter, json, arrow);
    }

    Call saying(String body) {
        return new Call(operation, id, tail, query, JSON.readTree(body), arrow);
    }

    Call carrying(byte[] stream) {
        return new Call(operation, id, tail, query, json, stream);
    }

    /** With a body that is changed; an operation without one gets an empty object. */
    Call changed(Consumer<ObjectNode> change) {
        ObjectNode body = json == null ? JSON.createObjectNode() : (ObjectNode) json.deepCopy();
        change.accept(body);
        return new Call(operation, id, tail, query, body, arrow);
    }

    /** Naming a branch where the operation takes one: in the body, or where that cannot, in the query. */
    Call onBranch(String branch) {
        List<String> fields = operation.fields();
        return fields != null && fields.contains("branch")
                ? changed(body -> body.put("branch", branch))
                : asking("branch=" + branch);
    }

    @Override
    public String toString() {
        return method() + " " + target() + " " + (arrow == null ? String.valueOf(json) : "(Arrow)");
    }
}
