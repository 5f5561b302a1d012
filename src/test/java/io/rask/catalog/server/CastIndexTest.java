package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.index.BuildIndex;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.lance.ColumnChange;
import io.rask.catalog.lance.LostIndexNotes;
import io.rask.catalog.lance.NewIndex;
import io.rask.catalog.lance.TableColumns;
import io.rask.catalog.record.Records;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Indices whose columns get another type are made anew. */
@ExtendWith(SharedCatalog.Provider.class)
class CastIndexTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final RunningServer server;
    private final SharedCatalog.Home home;
    private final IndexedTable table;

    CastIndexTest(SharedCatalog catalog) {
        this.server = catalog.server();
        this.home = catalog.freshNamespace();
        this.table = IndexedTable.filled(server, home.table("t"));
    }

    private JsonNode cast(String path, String type) {
        return server.post(
                        table.address() + "/alter_columns",
                        "{\"alterations\":[{\"path\":\"" + path + "\",\"data_type\":{\"type\":\"" + type + "\"}}]}")
                .ok()
                .json();
    }

    private JsonNode listing(String body) {
        return server.post(table.address() + "/index/list", body).ok().json();
    }

    private boolean isNoted() {
        return server.post(table.address() + "/describe?load_detailed_metadata=true")
                .ok()
                .text()
                .contains("rask:lost-indices");
    }

    private void awaitNothingLost(String body) {
        await().atMost(PATIENCE).until(() -> {
            JsonNode lost = listing(body).path("lost_indexes");
            assertThat(lost.toString()).doesNotContain("FAILED");
            return lost.isMissingNode();
        });
    }

    @Test
    void theIndexIsThereAgainAndItsNoteIsGone() {
        table.make("{\"column\":\"id\",\"index_type\":\"BTREE\",\"name\":\"by number\"}");
        table.make("{\"column\":\"kind\",\"index_type\":\"BITMAP\"}");

        JsonNode answer = cast("id", "int32");

        assertThat(answer.path("index_job_ids")).hasSize(1);
        awaitNothingLost("{}");
        assertThat(isNoted()).isFalse();
        assertThat(table.names("{}")).containsExactly("by number", "kind_idx");
        assertThat(table.named("by number").path("num_indexed_rows").asLong()).isEqualTo(IndexedTable.ROWS);
        String query = "{\"k\":10,\"vector\":[],\"columns\":[\"id\"],\"filter\":\"id = 17\"}";
        assertThat(table.explained(query)).contains("by number");
        assertThat(table.ids(query)).containsExactly(17);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "place | fixed_size_list:double:16 | \"index_type\":\"IVF_FLAT\",\"distance_type\":\"cosine\",\"num_partitions\":3",
                "place | fixed_size_list:double:16 | \"index_type\":\"IVF_HNSW_SQ\",\"distance_type\":\"dot\",\"m\":7,\"ef_construction\":33",
                "place | fixed_size_list:halffloat:16 | \"index_type\":\"IVF_PQ\",\"num_sub_vectors\":4,\"num_bits\":4",
                "text | large_string | \"index_type\":\"FTS\",\"with_position\":true,\"language\":\"French\",\"stem\":false,\"max_token_length\":9",
                "text | large_string | \"index_type\":\"FTS\",\"base_tokenizer\":\"ngram\",\"min_ngram_length\":2,\"max_ngram_length\":4",
                "kind | large_string | \"index_type\":\"BITMAP\"",
                "id | double | \"index_type\":\"ZONEMAP\""
            })
    void itsKindAndSettingsStay(String column, String type, String settings) {
        table.make("{\"column\":\"" + column + "\",\"name\":\"it\"," + settings + "}");
        JsonNode before = table.named("it");

        cast(column, type);
        awaitNothingLost("{}");

        JsonNode after = table.named("it");
        assertThat(after.path("index_uuid")).isNotEqualTo(before.path("index_uuid"));
        for (String same : List.of("index_type", "columns", "num_indexed_rows")) {
            assertThat(after.path(same)).as(same).isEqualTo(before.path(same));
        }
        assertThat(details(after)).isEqualTo(details(before));
        assertThat(isNoted()).isFalse();
    }

    private static JsonNode details(JsonNode index) {
        return JsonMapper.shared().readTree(index.path("index_details").asString());
    }

    @Test
    void whatTheNewTypeDoesNotAllowIsToldUntilNobodyWantsIt() {
        table.make("{\"column\":\"kind\",\"index_type\":\"NGRAM\",\"name\":\"parts\"}");
        server.post(table.address() + "/update", "{\"updates\":[[\"kind\",\"'7'\"]]}")
                .ok();

        assertThat(cast("kind", "int32").has("index_job_ids")).isFalse();

        JsonNode lost = listing("{}").path("lost_indexes").get(0);
        assertThat(lost.path("index_name").asString()).isEqualTo("parts");
        assertThat(lost.path("index_type").asString()).isEqualTo("NGRAM");
        assertThat(lost.path("columns").toString()).isEqualTo("[\"kind\"]");
        assertThat(lost.path("status").asString()).isEqualTo("FAILED");
        assertThat(lost.path("reason").asString()).contains("'kind'").contains("NGRAM");
        assertThat(table.names("{}")).isEmpty();
        Answer stats = server.post(table.address() + "/index/parts/stats");
        assertThat(reason(refused(stats, 404, 6))).contains("another type").contains("cannot be made anew");
        assertThat(isNoted()).isTrue();
        server.post(table.address() + "/index/parts/drop").ok();
        assertThat(isNoted()).isFalse();
        assertThat(listing("{}").has("lost_indexes")).isFalse();
        refused(server.post(table.address() + "/index/parts/drop"), 404, 6);
    }

    /** The server that cast the column has died before it could ask for the index. */
    @Test
    void whoLooksAtTheIndicesHasThemMadeWhenNobodyElseDid() {
        table.make("{\"column\":\"id\",\"index_type\":\"BTREE\"}");
        server.bean(TableColumns.class)
                .alter(
                        server.bean(Tables.class)
                                .require(new ObjectId(List.of(home.namespace(), "t")))
                                .location(),
                        null,
                        List.of(new ColumnChange("id", Map.of("type", "int32"), null, null, null)));
        assertThat(isNoted()).isTrue();

        JsonNode lost = listing("{}").path("lost_indexes").get(0);

        assertThat(lost.path("status").asString()).isEqualTo("REBUILDING");
        String job = lost.path("job_id").asString();
        assertThat(job).isNotEmpty();
        Answer stats = server.post(table.address() + "/index/id_idx/stats");
        if (stats.status() != 200) {
            assertThat(reason(refused(stats, 404, 6))).contains("being made anew");
        }
        awaitNothingLost("{}");
        assertThat(table.names("{}")).containsExactly("id_idx");
        assertThat(isNoted()).isFalse();
    }

    @Test
    void anIndexMadeByHandTakesThePlaceOfTheLostOne() {
        table.make("{\"column\":\"kind\",\"index_type\":\"NGRAM\",\"name\":\"parts\"}");
        server.post(table.address() + "/update", "{\"updates\":[[\"kind\",\"'7'\"]]}")
                .ok();
        cast("kind", "int32");
        assertThat(isNoted()).isTrue();

        table.make("{\"column\":\"kind\",\"index_type\":\"BTREE\",\"name\":\"parts\"}");

        assertThat(isNoted()).isFalse();
        assertThat(listing("{}").has("lost_indexes")).isFalse();
    }

    @Test
    void onABranchAndInsideAStructToo() {
        server.post(
                        table.address() + "/add_columns",
                        "{\"new_columns\":[{\"name\":\"pair\",\"expression\":\"named_struct('a', id, 'b', kind)\"}]}")
                .ok();
        server.post(table.address() + "/branches/create", "{\"name\":\"dev\"}").ok();
        table.make("{\"column\":\"pair.a\",\"index_type\":\"BTREE\",\"name\":\"inner\",\"branch\":\"dev\"}");

        server.post(
                        table.address() + "/alter_columns",
                        "{\"branch\":\"dev\",\"alterations\":[{\"path\":\"pair.a\",\"rename\":\"x\","
                                + "\"data_type\":{\"type\":\"int32\"}},{\"path\":\"pair\",\"rename\":\"both\"}]}")
                .ok();

        awaitNothingLost("{\"branch\":\"dev\"}");
        JsonNode made = listing("{\"branch\":\"dev\"}").path("indexes").get(0);
        assertThat(made.path("index_name").asString()).isEqualTo("inner");
        assertThat(made.path("columns").toString()).isEqualTo("[\"both.x\"]");
        assertThat(table.names("{}")).isEmpty();
        assertThat(isNoted()).isFalse();
    }

    private int rebuilds() {
        return server.bean(Records.class)
                .all("_rebuilds", Records.Unreadable.FAIL)
                .size();
    }

    /** The job was asked for while the columns had their old names. */
    @Test
    void theColumnIsFoundWhateverItIsCalledWhenTheIndexIsMade() {
        int before = rebuilds();
        server.post(
                        table.address() + "/add_columns",
                        "{\"new_columns\":[{\"name\":\"pair\",\"expression\":\"named_struct('a', id, 'b', id)\"}]}")
                .ok();
        table.make("{\"column\":\"pair.a\",\"index_type\":\"BTREE\",\"name\":\"it\"}");
        PlacedTable placed = server.bean(Tables.class).require(new ObjectId(List.of(home.namespace(), "t")));
        TableColumns columns = server.bean(TableColumns.class);
        columns.alter(
                placed.location(),
                null,
                List.of(new ColumnChange("pair.a", Map.of("type", "int32"), null, null, null)));
        NewIndex asked = server.bean(LostIndexNotes.class)
                .list(placed.location(), null)
                .getFirst()
                .wanted();
        columns.alter(
                placed.location(),
                null,
                List.of(
                        new ColumnChange("pair.a", null, "b", null, null),
                        new ColumnChange("pair.b", null, "a", null, null)));
        assertThat(asked.column()).isEqualTo("pair.a");
        server.bean(JobRegistry.class)
                .submit(new JobSpec(
                        "build_index",
                        placed.id().stored(),
                        null,
                        new BuildIndex.Spec(placed.id().segments(), placed.relativeLocation(), null, asked, true),
                        Duration.ZERO));

        await().atMost(PATIENCE).until(() -> table.names("{}").contains("it"));

        assertThat(table.named("it").path("columns").toString()).isEqualTo("[\"pair.b\"]");
        awaitNothingLost("{}");
        assertThat(isNoted()).isFalse();
        assertThat(rebuilds()).as("records of what is made anew").isEqualTo(before);
    }

    @Test
    void aFieldThatGetsAnotherTypeTwiceKeepsTheNoteOfItsIndex() {
        table.make("{\"column\":\"kind\",\"index_type\":\"NGRAM\",\"name\":\"parts\"}");
        server.post(table.address() + "/update", "{\"updates\":[[\"kind\",\"'7'\"]]}")
                .ok();
        cast("kind", "int32");
        assertThat(listing("{}").at("/lost_indexes/0/status").asString()).isEqualTo("FAILED");

        cast("kind", "string");

        awaitNothingLost("{}");
        assertThat(table.named("parts").path("columns").toString()).isEqualTo("[\"kind\"]");
        assertThat(isNoted()).isFalse();
    }
}
