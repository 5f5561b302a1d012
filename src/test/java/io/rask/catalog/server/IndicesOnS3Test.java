package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Catalog;
import io.rask.catalog.testing.Workers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Indices of tables in a bucket, made by workers that are killed and over a store that loses answers. */
class IndicesOnS3Test {
    // Longer than a request that was let go is on its way.
    @RegisterExtension
    static final S3Catalog CATALOG = S3Catalog.with(Map.of(
            "lance.jobs.inline-wait",
            "0s",
            "lance.jobs.poll",
            "200ms",
            "lance.jobs.lease",
            "10s",
            "lance.jobs.backoff",
            "5s"));

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String BTREE = "{\"column\":\"id\",\"index_type\":\"BTREE\"}";

    private static IndexedTable table(String name) {
        return IndexedTable.filled(CATALOG.server(), "/v1/table/" + id("sales", name));
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
        assertThat(CATALOG.server()
                        .post(table.address() + "/describe")
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
        CATALOG.server().post(table.address() + "/index/id_idx/drop").ok();
        assertThat(table.names("{}")).containsExactly("place_idx");
    }

    /** The files of the index are under way, or its commit, which the store carries out though the worker is dead. */
    @ParameterizedTest
    @ValueSource(strings = {"_indices", "_versions"})
    void anIndexWhoseWorkerIsKilledIsMadeOnce(String step) {
        String name = "killed" + step;
        IndexedTable table = table(name);
        FaultRule under = CATALOG.store()
                .next(
                        1,
                        request -> request.isWrite()
                                && request.path().contains(name)
                                && request.path().contains(step),
                        new Fault.Delay(PATIENCE));
        Answer asked = table.ask(BTREE);
        await().atMost(PATIENCE).until(() -> under.hits() == 1);
        assertThat(table.listed("{}")).isEmpty();
        refused(CATALOG.server().post(table.address() + "/index/id_idx/stats"), 404, 6);
        Workers.kill();
        under.close();
        JsonNode job = table.done(asked);
        assertThat(job.path("attempts").asInt()).isEqualTo(2);
        requireMadeOnce(table);
    }

    /** The files of the index are under way, or its commit, or the one that takes the note away; the first is that of the cast. */
    @ParameterizedTest
    @CsvSource({"_indices/,1", "_versions/1,2", "_versions/1,3"})
    void theIndexOfACastColumnIsMadeAnewOnceThoughItsWorkerIsKilled(String step, int number) {
        String name = "cast" + step.charAt(1) + number;
        IndexedTable table = table(name);
        table.make(BTREE);
        AtomicInteger left = new AtomicInteger(number);
        FaultRule under = CATALOG.store()
                .next(
                        1,
                        request -> request.isWrite()
                                && request.path().contains(name)
                                && request.path().contains(step)
                                && left.decrementAndGet() == 0,
                        new Fault.Delay(PATIENCE));
        JsonNode cast = CATALOG.server()
                .post(
                        table.address() + "/alter_columns",
                        "{\"alterations\":[{\"path\":\"id\",\"data_type\":{\"type\":\"int32\"}}]}")
                .ok()
                .json();
        assertThat(cast.path("index_job_ids")).hasSize(1);
        await().atMost(PATIENCE).until(() -> under.hits() == 1);
        Workers.kill();
        under.close();
        await().atMost(PATIENCE)
                .until(() -> !CATALOG.server()
                        .post(table.address() + "/index/list", "{}")
                        .ok()
                        .json()
                        .has("lost_indexes"));
        JsonNode listed = table.named("id_idx");
        assertThat(listed.path("num_segments").asInt()).isEqualTo(1);
        assertThat(listed.path("num_indexed_rows").asLong()).isEqualTo(IndexedTable.ROWS);
        assertThat(table.ids(filtered())).containsExactly(17);
        // The table, its index, the cast, its index anew, and its note taken away: each once.
        assertThat(CATALOG.server()
                        .post(table.address() + "/describe")
                        .ok()
                        .json()
                        .path("version")
                        .asLong())
                .isEqualTo(5);
    }

    @Test
    void anIndexWhoseCommitIsNotConfirmedIsMadeOnce() {
        IndexedTable table = table("unconfirmed");
        FaultRule lost = CATALOG.store()
                .next(
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
        CATALOG.store()
                .next(
                        1,
                        request -> request.isWrite()
                                && request.path().contains("forgotten")
                                && request.path().contains("_versions"),
                        new Fault.DropReply());
        CATALOG.server().post(table.address() + "/index/id_idx/drop").ok();
        assertThat(table.listed("{}")).isEmpty();
    }
}
