package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The tables of one namespace and the views over them. */
record ViewedTables(RunningServer server, String namespace) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    String table(String name) {
        return "/v1/table/" + RunningServer.id(namespace, name);
    }

    String view(String name) {
        return "/v1/materialized_view/" + RunningServer.id(namespace, name);
    }

    /** Makes a table of orders with the columns id, item and price. */
    void orders(String name, Object... idItemPrice) {
        server.arrow(table(name) + "/create", orderRows(idItemPrice)).ok();
    }

    void addOrders(String name, Object... idItemPrice) {
        server.arrow(table(name) + "/insert", orderRows(idItemPrice)).ok();
    }

    private static byte[] orderRows(Object... values) {
        List<List<@Nullable Object>> rows = new java.util.ArrayList<>();
        for (int i = 0; i < values.length; i += 3) {
            rows.add(ArrowStreams.row(values[i], values[i + 1], values[i + 2]));
        }
        return ArrowStreams.of(
                List.of(
                        Field.nullable("id", ArrowStreams.INT64),
                        Field.nullable("item", ArrowStreams.UTF8),
                        Field.nullable("price", ArrowStreams.DOUBLE)),
                rows);
    }

    /** Asks for a view in the form of the specification. */
    Answer create(String name, String sql, boolean withNoData, Field... columns) {
        ObjectNode body = JsonMapper.shared().createObjectNode();
        body.put("kind", "query");
        body.put("source_query", sql);
        body.put("output_schema", schema(columns));
        body.put("with_no_data", withNoData);
        return server.post(view(name) + "/create", body.toString());
    }

    /** Makes a view in LanceDB's form, with its rows; the result of its job. */
    JsonNode made(String name, String sql) {
        return done(begin(name, sql));
    }

    /** Asks for a view in LanceDB's form; the id of its job. */
    String begin(String name, String sql) {
        ObjectNode body = JsonMapper.shared().createObjectNode();
        body.put("query", sql);
        body.put("with_no_data", false);
        return job(server.post(view(name) + "/create", body.toString()));
    }

    static String job(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        return answer.json().path("job_id").asString();
    }

    /** Refreshes a view; the result of the job. */
    JsonNode refreshed(String name) {
        return done(job(server.post(view(name) + "/refresh", "{}")));
    }

    /** The result of a job that succeeds. */
    JsonNode done(String job) {
        JsonNode ended = ended(job);
        assertThat(ended.path("job_state").asString()).as(ended.toString()).isEqualToIgnoringCase("done");
        return ended.path("result");
    }

    /** The failure of a job that fails. */
    JsonNode failed(String job) {
        JsonNode ended = ended(job);
        assertThat(ended.path("failure").isObject()).as(ended.toString()).isTrue();
        return ended.path("failure");
    }

    JsonNode ended(String job) {
        AtomicReference<JsonNode> seen = new AtomicReference<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(() -> {
            JsonNode now = server.post("/v1/jobs/describe", "{\"job_id\":\"" + job + "\"}")
                    .ok()
                    .json();
            seen.set(now);
            return now.path("finished_ms").isNumber();
        });
        return seen.get();
    }

    JsonNode described(String name) {
        return server.post(view(name) + "/describe").ok().json();
    }

    /** All rows of a table or view. */
    List<Map<String, @Nullable Object>> rows(String name) {
        return ArrowStreams.read(server.post(table(name) + "/query", "{\"k\":100000,\"vector\":{}}")
                .ok()
                .bytes());
    }

    /** The values of a column, in order. */
    List<Object> values(String name, String column) {
        return rows(name).stream()
                .map(row -> row.get(column))
                .sorted()
                .map(Object.class::cast)
                .toList();
    }

    /** A schema as clients send it. */
    static String schema(Field... columns) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            MessageSerializer.serialize(new WriteChannel(Channels.newChannel(bytes)), new Schema(List.of(columns)));
            return Base64.getEncoder().encodeToString(bytes.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
