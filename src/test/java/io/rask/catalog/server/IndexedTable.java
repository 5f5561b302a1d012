package io.rask.catalog.server;

import static io.rask.catalog.testing.ArrowStreams.BOOL;
import static io.rask.catalog.testing.ArrowStreams.DOUBLE;
import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.UTF8;
import static io.rask.catalog.testing.ArrowStreams.list;
import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.ArrowStreams.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.arrow.vector.types.pojo.Field;
import tools.jackson.databind.JsonNode;

/** A table with a column for every kind of index. */
record IndexedTable(RunningServer server, String address) {
    static final int DIMENSIONS = 16;
    static final int ROWS = 300;

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final List<Field> COLUMNS = List.of(
            Field.nullable("id", INT64),
            Field.nullable("kind", UTF8),
            Field.nullable("text", UTF8),
            Field.nullable("price", DOUBLE),
            Field.nullable("open", BOOL),
            list("labels", UTF8),
            vector("place", DIMENSIONS));

    static IndexedTable filled(RunningServer server, String address) {
        server.arrow(address + "/create", rows(0, ROWS)).ok();
        return new IndexedTable(server, address);
    }

    static byte[] rows(long from, long to) {
        return ArrowStreams.of(
                COLUMNS,
                LongStream.range(from, to)
                        .mapToObj(i -> row(
                                i,
                                "kind" + i % 7,
                                i % 10 == 0 ? "the Runner was running to a café " + i : "an elephant sleeps " + i,
                                i / 4.0,
                                i % 2 == 0,
                                List.of("a" + i % 5, "b" + i % 3),
                                place(i)))
                        .toList());
    }

    /** Far from those of all other rows. */
    static List<Long> place(long i) {
        List<Long> place = new ArrayList<>();
        for (int d = 0; d < DIMENSIONS; d++) {
            place.add((i * (d + 3) + d) % 101);
        }
        return place;
    }

    Answer ask(String body) {
        return server.post(address + "/create_index", body);
    }

    /** Has an index made and waits for it. */
    void make(String body) {
        done(ask(body));
    }

    /** Waits for what was asked for. */
    JsonNode done(Answer asked) {
        JsonNode job = ended(asked);
        assertThat(job.path("job_state").asString()).as(job.toString()).isEqualTo("DONE");
        return job;
    }

    /** Waits until what was asked for has ended in some way. */
    JsonNode ended(Answer asked) {
        String id = asked.ok().json().path("job_id").asString();
        await().atMost(PATIENCE)
                .until(() -> !job(id).path("job_state").asString().equals("IN_PROGRESS"));
        return job(id);
    }

    private JsonNode job(String id) {
        return server.post("/v1/jobs/describe", "{\"job_id\":\"" + id + "\"}")
                .ok()
                .json();
    }

    List<JsonNode> listed(String body) {
        List<JsonNode> indexes = new ArrayList<>();
        server.post(address + "/index/list", body).ok().json().path("indexes").forEach(indexes::add);
        return indexes;
    }

    List<String> names(String body) {
        return listed(body).stream()
                .map(index -> index.path("index_name").asString())
                .toList();
    }

    JsonNode named(String name) {
        return listed("{}").stream()
                .filter(index -> index.path("index_name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    String explained(String query) {
        return server.post(address + "/explain_plan", "{\"query\":" + query + "}")
                .ok()
                .json()
                .asString();
    }

    List<Object> ids(String query) {
        return ArrowStreams.read(server.post(address + "/query", query).ok().bytes()).stream()
                .map(found -> found.get("id"))
                .toList();
    }
}
