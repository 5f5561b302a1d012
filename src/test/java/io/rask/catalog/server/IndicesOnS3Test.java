package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Server;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Indices of tables in a bucket, made by workers that are killed and over a store that loses answers. */
class IndicesOnS3Test {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String BTREE = "{\"column\":\"id\",\"index_type\":\"BTREE\"}";

    private static S3Server store;
    private static RunningServer server;

    @BeforeAll
    static void start() {
        store = S3Server.inMemory().withBucket("lance-catalog");
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        settings.put("lance.jobs.inline-wait", "0s");
        settings.put("lance.jobs.poll", "200ms");
        settings.put("lance.jobs.lease", "10s");
        // Longer than a request that was let go is on its way.
        settings.put("lance.jobs.backoff", "5s");
        server = RunningServer.with(settings);
        server.makeNamespace("acme", "lake-one", "sales");
    }

    @AfterEach
    void heal() {
        store.heal();
    }

    @AfterAll
    static void stop() {
        server.close();
        store.close();
    }

    private static IndexedTable table(String name) {
        return IndexedTable.filled(server, "/v1/table/" + id("sales", name));
    }

    private static String filtered() {
        return "{\"k\":10,\"vector\":[],\"columns\":[\"id\"],\"filter\":\"id = 17\"}";
    }

    private static void requireMadeOnce(IndexedTable table) {
        JsonNode listed = table.named("id_idx");
        assertThat(listed.path("num_segments").asInt()).isEqualTo(1);
        assertThat(listed.path("num_indexed_rows").asLong()).isEqualTo(IndexedTable.ROWS);
        assertThat(table.explained(filtered())).contains("id_idx");
        assertThat(table.ids(filtered())).containsExactly(17L);
        assertThat(server.post(table.address() + "/describe")
                        .ok()
                        .json()
                        .path("version")
                        .asLong())
                .isEqualTo(2);
    }

    @Test
    void anIndexInABucketIsMadeListedUsedAndDropped() {
        IndexedTable table = table("plain");
        Answer asked = table.ask(BTREE);
        assertThat(asked.ok().json().has("transaction_id")).isFalse();
        JsonNode job = table.done(asked);
        assertThat(job.path("job_type").asString()).isEqualTo("build_index");
        assertThat(job.at("/result/version").asLong()).isEqualTo(2);
        requireMadeOnce(table);
        assertThat(table.named("id_idx").path("size_bytes").asLong()).isPositive();
        table.make("{\"column\":\"place\",\"index_type\":\"IVF_PQ\",\"num_partitions\":1,\"num_sub_vectors\":4}");
        assertThat(table.explained("{\"k\":3,\"vector_column\":\"place\",\"vector\":" + IndexedTable.place(3) + "}"))
                .contains("place_idx");
        server.post(table.address() + "/index/id_idx/drop").ok();
        assertThat(table.names("{}")).containsExactly("place_idx");
    }

    /** The files of the index are under way, or its commit, which the store carries out though the worker is dead. */
    @ParameterizedTest
    @ValueSource(strings = {"_indices", "_versions"})
    void anIndexWhoseWorkerIsKilledIsMadeOnce(String step) {
        String name = "killed" + step;
        IndexedTable table = table(name);
        FaultRule under = store.next(
                1,
                request -> request.isWrite()
                        && request.path().contains(name)
                        && request.path().contains(step),
                new Fault.Delay(PATIENCE));
        Answer asked = table.ask(BTREE);
        await().atMost(PATIENCE).until(() -> under.hits() == 1);
        assertThat(table.listed("{}")).isEmpty();
        refused(server.post(table.address() + "/index/id_idx/stats"), 404, 6);
        ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
        under.close();
        JsonNode job = table.done(asked);
        assertThat(job.path("attempts").asInt()).isEqualTo(2);
        requireMadeOnce(table);
    }

    @Test
    void anIndexWhoseCommitIsNotConfirmedIsMadeOnce() {
        IndexedTable table = table("unconfirmed");
        FaultRule lost = store.next(
                1,
                request -> request.isWrite()
                        && request.path().contains("unconfirmed")
                        && request.path().contains("_versions"),
                new Fault.DropReply());
        table.make(BTREE);
        assertThat(lost.hits()).isEqualTo(1);
        requireMadeOnce(table);
    }

    @Test
    void aDropWhoseCommitIsNotConfirmedHasHappened() {
        IndexedTable table = table("forgotten");
        table.make(BTREE);
        store.next(
                1,
                request -> request.isWrite()
                        && request.path().contains("forgotten")
                        && request.path().contains("_versions"),
                new Fault.DropReply());
        server.post(table.address() + "/index/id_idx/drop").ok();
        assertThat(table.listed("{}")).isEmpty();
    }
}
