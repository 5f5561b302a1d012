package io.rask.catalog.server;

import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import tools.jackson.databind.JsonNode;

/** A table with a column {@code twice} that is declared to be twice the {@code id}. */
record Backfilled(RunningServer server, String address) {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** One fragment for each insertion. */
    static Backfilled made(RunningServer server, String address, long[]... insertions) {
        server.arrow(address + "/create", rows(insertions[0])).ok();
        for (long[] more : Arrays.asList(insertions).subList(1, insertions.length)) {
            server.arrow(address + "/insert", rows(more)).ok();
        }
        Backfilled table = new Backfilled(server, address);
        table.declare("twice", "id * 2");
        return table;
    }

    private static byte[] rows(long... ids) {
        return ArrowStreams.of(
                List.of(Field.nullable("id", INT64), Field.nullable("n", INT64)),
                Arrays.stream(ids).mapToObj(id -> row(id, id)).toList());
    }

    void declare(String column, String expression) {
        server.post(
                        address + "/add_columns",
                        "{\"new_columns\":[{\"name\":\"" + column + "\",\"computed\":\"" + expression + "\"}]}")
                .ok();
    }

    Answer insert(long... ids) {
        return server.arrow(address + "/insert", rows(ids));
    }

    Answer ask(String body) {
        return server.post(address + "/backfill_column", body);
    }

    /** Has the column filled; the result. */
    JsonNode fill(String body) {
        JsonNode job = ended(ask(body));
        assertThat(job.path("job_state").asString()).as(job.toString()).isEqualTo("DONE");
        return job.path("result");
    }

    JsonNode ended(Answer asked) {
        assertThat(asked.status()).as(asked.text()).isEqualTo(202);
        String id = asked.json().path("job_id").asString();
        await().atMost(PATIENCE)
                .until(() -> !job(id).path("job_state").asString().equals("IN_PROGRESS"));
        return job(id);
    }

    JsonNode job(String id) {
        return server.post("/v1/jobs/describe", "{\"job_id\":\"" + id + "\"}")
                .ok()
                .json();
    }

    long count(String predicate) {
        return count(predicate, "main");
    }

    long count(String predicate, String branch) {
        String body = "{\"predicate\":\"" + predicate + "\",\"branch\":\"" + branch + "\"}";
        return Long.parseLong(server.post(address + "/count_rows", body).ok().text());
    }

    long version() {
        return server.post(address + "/describe").ok().json().path("version").longValue();
    }
}
