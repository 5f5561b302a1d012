package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.ArrowStreams.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What LanceDB's own clients send to a table of their database, and the answers they read. */
@ExtendWith(SharedCatalog.Provider.class)
class LanceDbDialectTest {
    private final FruitTable fruits;
    private final RunningServer database;
    private final String table;

    LanceDbDialectTest(SharedCatalog catalog) {
        fruits = FruitTable.made(catalog);
        database = fruits.database();
        table = fruits.address();
    }

    @Test
    void everyAnswerTellsTheFeaturesThatClientsMayUse() {
        assertThat(database.post(table + "/describe/").header("phalanx-version"))
                .isEqualTo("0.3.0");
        assertThat(database.arrow("/v1/table/other/create/", FruitTable.FOUR).header("phalanx-version"))
                .isEqualTo("0.3.0");
        assertThat(database.post(table + "/describe").header("phalanx-version")).isEmpty();
    }

    @Test
    void creatingATableThatIsThereIsABadRequestThatSaysSo() {
        Answer again = refused(database.arrow(table + "/create/?mode=create", Rows.THREE), 400, 5);
        assertThat(reason(again)).contains("already exists");
        JsonNode about = again.json().path("resource");
        assertThat(about.path("kind").asString()).isEqualTo("table");
        assertThat(about.path("name").asString()).isEqualTo("fruits");
        assertThat(again.json().path("error_code").asString()).isEqualTo("table_already_exists");
        refused(database.arrow(table + "/create?mode=create", Rows.THREE), 409, 5);
        database.arrow("/v1/table/other/create/", FruitTable.FOUR).ok();
        refused(database.post(table + "/rename/", "{\"new_table_name\":\"other\"}"), 400, 5);
        assertThat(fruits.json("/count_rows/", "{}").intValue()).isEqualTo(4);
    }

    @Test
    void theModesOfCreationKeepAndReplace() {
        database.arrow(table + "/create/?mode=exist_ok", Rows.THREE).ok();
        assertThat(fruits.json("/count_rows/", "{\"predicate\":null,\"version\":null}")
                        .intValue())
                .isEqualTo(4);
        database.arrow(table + "/create/?mode=overwrite", Rows.THREE).ok();
        assertThat(fruits.json("/count_rows/", "{}").intValue()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "x-lancedb-min-version,1",
        "x-lancedb-min-read-version,1",
        "x-lancedb-min-timestamp,2026-01-01T00:00:00.000000001Z",
        "x-request-timeout-ms,60000"
    })
    void aReadThatAsksForFreshRowsGetsTheLatest(String header, String value) {
        RunningServer asking = database.asking(header, value);
        asking.arrow(table + "/insert/", FruitTable.FOUR).ok();
        assertThat(asking.post(table + "/count_rows/", "{}").ok().text()).isEqualTo("8");
    }

    @Test
    void writesTellWhatTheyDidInTheWordsOfTheClient() {
        JsonNode updated = fruits.json("/update/", "{\"updates\":[[\"price\",\"9.5\"]],\"predicate\":\"id > 2\"}");
        assertThat(updated.path("rows_updated").intValue()).isEqualTo(2);
        assertThat(updated.path("version").intValue()).isEqualTo(2);
        assertThat(fruits.values("price", "{\"k\":9,\"vector\":[],\"order_by\":[{\"column_name\":\"id\"}]}"))
                .containsExactly(1.5, 2.5, 9.5, 9.5);
        JsonNode deleted = fruits.json("/delete/", "{\"predicate\":\"id = 1\"}");
        assertThat(deleted.path("num_deleted_rows").intValue()).isEqualTo(1);
        assertThat(deleted.path("version").intValue()).isEqualTo(3);
        JsonNode added = database.arrow(table + "/insert/?mode=overwrite", FruitTable.FOUR)
                .ok()
                .json();
        assertThat(added.path("version").intValue()).isEqualTo(4);
        assertThat(fruits.json("/count_rows/", "{}").intValue()).isEqualTo(4);
    }

    @Test
    void aMergeHasAKeyOfSeveralColumns() {
        byte[] source = ArrowStreams.of(
                FruitTable.COLUMNS,
                List.of(row(1L, "red apple", 7.0, List.of(0f, 0f)), row(1L, "blue apple", 8.0, List.of(0f, 0f))));
        JsonNode merged = database.arrow(
                        table + "/merge_insert/?on=id&on=Name&when_matched_update_all=true"
                                + "&when_not_matched_insert_all=true&when_not_matched_by_source_delete=false&use_lsm=false",
                        source)
                .ok()
                .json();
        assertThat(merged.path("num_updated_rows").intValue()).isEqualTo(1);
        assertThat(merged.path("num_inserted_rows").intValue()).isEqualTo(1);
        assertThat(merged.path("num_deleted_rows").intValue()).isZero();
        assertThat(fruits.values("price", "{\"k\":9,\"vector\":[],\"filter\":\"id = 1\"}"))
                .containsExactlyInAnyOrder(7.0, 8.0);
    }

    @Test
    void tagsAreABareMapAndTheirVersionsAreRead() {
        fruits.json("/tags/create/", "{\"tag\":\"first\",\"version\":1}");
        database.arrow(table + "/insert/", FruitTable.FOUR).ok();
        JsonNode tags = database.post(table + "/tags/list/").ok().json();
        assertThat(tags.at("/first/version").intValue()).isEqualTo(1);
        assertThat(tags.at("/first/manifestSize").isIntegralNumber()).isTrue();
        assertThat(fruits.json("/tags/version/", "{\"tag\":\"first\"}")
                        .path("version")
                        .intValue())
                .isEqualTo(1);
        fruits.json("/tags/update/", "{\"tag\":\"first\",\"version\":2}");
        assertThat(fruits.json("/tags/version/", "{\"tag\":\"first\"}")
                        .path("version")
                        .intValue())
                .isEqualTo(2);
        fruits.json("/tags/delete/", "{\"tag\":\"first\"}");
        assertThat(database.post(table + "/tags/list/").ok().text()).isEqualTo("{}");
    }

    @Test
    void branchesAreReadAndWrittenByName() {
        fruits.json("/branches/create/", "{\"name\":\"trial\",\"from_branch\":null,\"from_version\":1}");
        refused(database.post(table + "/branches/create/", "{\"name\":\"trial\"}"), 409, 23);
        refused(database.post(table + "/branches/create/", "{\"name\":\"b\",\"from_branch\":\"none\"}"), 404, 22);
        database.arrow(table + "/insert/?branch=trial", FruitTable.FOUR).ok();
        assertThat(fruits.json("/count_rows/", "{\"branch\":\"trial\"}").intValue())
                .isEqualTo(8);
        assertThat(fruits.json("/count_rows/", "{}").intValue()).isEqualTo(4);
        assertThat(fruits.query("{\"k\":99,\"vector\":[],\"branch\":\"trial\"}"))
                .hasSize(8);
        assertThat(database.post(table + "/branches/list/")
                        .ok()
                        .json()
                        .at("/branches/trial/parentVersion")
                        .intValue())
                .isEqualTo(1);
        fruits.json("/branches/delete/", "{\"name\":\"trial\"}");
        assertThat(database.post(table + "/branches/list/")
                        .ok()
                        .json()
                        .path("branches")
                        .isEmpty())
                .isTrue();
    }

    @Test
    void anOlderVersionIsDescribedAndReturnedTo() {
        database.arrow(table + "/insert/", FruitTable.FOUR).ok();
        JsonNode versions = database.post(table + "/version/list/").ok().json().path("versions");
        assertThat(versions).hasSize(2);
        assertThat(versions.get(0).path("timestamp_millis").isIntegralNumber()).isTrue();
        assertThat(Instant.parse(versions.get(0).path("timestamp").asString()).toEpochMilli())
                .isEqualTo(versions.get(0).path("timestamp_millis").longValue());
        assertThat(versions.get(0).path("metadata").isObject()).isTrue();
        assertThat(fruits.json("/describe/", "{\"version\":1}").path("version").intValue())
                .isEqualTo(1);
        fruits.json("/restore/", "{\"version\":1}");
        assertThat(fruits.json("/count_rows/", "{}").intValue()).isEqualTo(4);
        assertThat(fruits.json("/describe/", "{\"version\":null}")
                        .path("version")
                        .intValue())
                .isEqualTo(3);
        fruits.json("/restore/", "{\"version\":null}");
        assertThat(fruits.json("/describe/", "{\"version\":null}")
                        .path("version")
                        .intValue())
                .isEqualTo(3);
    }

    @Test
    void columnsComeGoAndChangeByTheTypeNamesOfTheClient() {
        fruits.json("/add_columns/", "{\"new_columns\":[{\"name\":\"twice\",\"expression\":\"id * 2\"}]}");
        fruits.json("/alter_columns/", "{\"alterations\":[{\"path\":\"twice\",\"data_type\":{\"type\":\"float\"}}]}");
        assertThat(database.post(table + "/describe/")
                        .ok()
                        .json()
                        .at("/schema/fields/4/type/type")
                        .asString())
                .isEqualTo("float");
        assertThat(fruits.values("twice", "{\"k\":9,\"vector\":[],\"order_by\":[{\"column_name\":\"id\"}]}"))
                .containsExactly(2f, 4f, 6f, 8f);
        fruits.json("/alter_columns/", "{\"alterations\":[{\"path\":\"twice\",\"data_type\":{\"type\":\"string\"}}]}");
        assertThat(fruits.values("twice", "{\"k\":1,\"vector\":[],\"filter\":\"id = 4\"}"))
                .containsExactly("8.0");
        fruits.json("/drop_columns/", "{\"columns\":[\"twice\"]}");
        assertThat(database.post(table + "/describe/").ok().json().at("/schema/fields"))
                .hasSize(4);
    }

    @Test
    void indicesAreAskedForByTheClientsNamesAndListedByThoseItKnows() {
        IndexedTable indexed = IndexedTable.filled(database, "/v1/table/wide");
        indexed.done(database.post(
                "/v1/table/wide/create_index/",
                "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"metric_type\":\"cosine\",\"num_partitions\":2}"));
        indexed.done(database.post("/v1/table/wide/create_index/", "{\"column\":\"id\",\"index_type\":\"BTREE\"}"));
        indexed.done(
                database.post("/v1/table/wide/create_index/", "{\"column\":\"price\",\"index_type\":\"ZONEMAP\"}"));
        JsonNode listed = database.post("/v1/table/wide/index/list/", "{\"version\":null}")
                .ok()
                .json()
                .path("indexes");
        assertThat(listed.valueStream()
                        .map(index -> index.path("index_name").asString() + " "
                                + index.path("index_type").asString()))
                .containsExactlyInAnyOrder("place_idx IVF_FLAT", "id_idx BTREE", "price_idx Unknown");
        JsonNode stats =
                database.post("/v1/table/wide/index/place_idx/stats/").ok().json();
        assertThat(stats.path("num_indexed_rows").intValue()).isEqualTo(IndexedTable.ROWS);
        assertThat(stats.path("num_unindexed_rows").intValue()).isZero();
        assertThat(stats.path("distance_type").asString()).isEqualTo("cosine");
        refused(database.post("/v1/table/wide/index/none/stats/"), 404, 6);
        database.post("/v1/table/wide/index/id_idx/drop/").ok();
        refused(database.post("/v1/table/wide/index/id_idx/drop/"), 404, 6);
    }

    @Test
    void aClientThatFailsOnTypesItDoesNotKnowIsNotToldOfThem() {
        IndexedTable indexed = IndexedTable.filled(database, "/v1/table/wide");
        indexed.make("{\"column\":\"id\",\"index_type\":\"BTREE\"}");
        indexed.make("{\"column\":\"price\",\"index_type\":\"ZONEMAP\"}");
        String list = "/v1/table/wide/index/list/";
        RunningServer old = database.asking("User-Agent", "LanceDB-Node-Client/0.31.0");
        assertThat(old.post(list)
                        .ok()
                        .json()
                        .path("indexes")
                        .valueStream()
                        .map(index -> index.path("index_name").asString()))
                .containsExactly("id_idx");
        RunningServer newer = database.asking("User-Agent", "LanceDB-Node-Client/0.39.0");
        assertThat(newer.post(list).ok().json().path("indexes")).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "split_identifiers,true",
        "split_on_numerics,true",
        "index_operators,true",
        "lance_tokenizer,'\"json\"'",
        "block_size,77",
        "base_tokenizer,'\"icu\"'",
        "min_ngram_length,2",
        "prefix_only,true"
    })
    void aSettingOfWordsThatCannotBeHonouredIsRefusedAndNamed(String setting, String value) {
        Answer refusal = refused(
                database.post(
                        table + "/create_index/",
                        "{\"column\":\"Name\",\"index_type\":\"FTS\",\"" + setting + "\":" + value + "}"),
                400,
                13);
        assertThat(reason(refusal)).contains(setting);
    }

    @Test
    void settingsOfWordsThatAreTheCaseAnywayAreTaken() {
        new IndexedTable(database, table)
                .make(
                        "{\"column\":\"Name\",\"index_type\":\"FTS\",\"ascii_folding\":true,\"base_tokenizer\":\"simple\","
                                + "\"block_size\":128,\"custom_stop_words\":null,\"index_operators\":false,\"lance_tokenizer\":\"text\","
                                + "\"max_ngram_length\":3,\"min_ngram_length\":3,\"prefix_only\":false,\"preserve_original\":false,"
                                + "\"replace\":false,\"split_identifiers\":false,\"split_on_numerics\":false,\"with_position\":true}");
        assertThat(fruits.values(
                        "id",
                        "{\"k\":9,\"vector\":[],\"full_text_query\":{\"query\":{\"phrase\":"
                                + "{\"column\":\"Name\",\"terms\":\"red pear\",\"slop\":0}}}}"))
                .containsExactly(3L);
        assertThat(fruits.values(
                        "id",
                        "{\"k\":9,\"vector\":[],\"full_text_query\":{\"query\":{\"multi_match\":"
                                + "{\"boost\":[1.0],\"columns\":[\"Name\"],\"query\":\"plum\"}}}}"))
                .containsExactly(4L);
    }

    @Test
    void whatIsToBeReadAheadMustBeThere() {
        new IndexedTable(database, table).make("{\"column\":\"id\",\"index_type\":\"BTREE\"}");
        database.post(table + "/index/id_idx/prewarm/").ok();
        refused(database.post(table + "/index/none/prewarm/"), 404, 6);
        refused(database.post("/v1/table/none/index/id_idx/prewarm/"), 404, 4);
        database.post(table + "/page_cache/prewarm/", "{\"columns\":[]}").ok();
        refused(database.post("/v1/table/none/page_cache/prewarm/", "{\"columns\":[]}"), 404, 4);
    }

    @Test
    void listsForAClientThatReadsOnePageHoldAll() {
        for (int i = 0; i < 3; i++) {
            fruits.json("/branches/create/", "{\"name\":\"b" + i + "\"}");
        }
        assertThat(database.post(table + "/branches/list/").ok().json().path("branches"))
                .hasSize(3);
        assertThat(database.post(table + "/branches/list/?limit=2").ok().json().path("branches"))
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/multipart_write/create",
                "/branches/diff/",
                "/branches/cherry_pick/",
                "/fetch_blobs/",
                "/set_lsm_write_spec/",
                "/flush_lsm/",
                "/get_lsm_stats/"
            })
    void whatIsNotServedIsAProblemWithACode(String operation) {
        refused(database.post(table + operation, "{}"), 404, 0);
    }
}
