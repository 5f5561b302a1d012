package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Race;
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

/** Indices, made by real workers, listed, used and dropped. */
@ExtendWith(SharedCatalog.Provider.class)
class IndexBehaviourTest {
    private static final String BTREE = "{\"column\":\"id\",\"index_type\":\"BTREE\"}";

    private final RunningServer server;
    private final IndexedTable table;

    IndexBehaviourTest(SharedCatalog catalog) {
        this.server = catalog.server();
        this.table = IndexedTable.filled(server, catalog.freshTable());
    }

    private static String near(long row) {
        return "{\"k\":3,\"nprobes\":4,\"columns\":[\"id\"],\"vector_column\":\"place\",\"vector\":"
                + IndexedTable.place(row) + "}";
    }

    private static String filtered(String filter) {
        return "{\"k\":1000,\"vector\":[],\"columns\":[\"id\"],\"filter\":\"" + filter + "\"}";
    }

    private static String words(String words) {
        return "{\"k\":1000,\"vector\":[],\"columns\":[\"id\"],\"full_text_query\":{\"string_query\":{\"query\":\""
                + words + "\",\"columns\":[\"text\"]}}}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "IVF_FLAT | \"num_partitions\":4,\"sample_rate\":64,\"max_iterations\":20",
                "IVF_SQ | \"target_partition_size\":100,\"num_bits\":8",
                "IVF_PQ | \"num_partitions\":2,\"num_sub_vectors\":8,\"num_bits\":8",
                "ivf_pq | \"num_partitions\":1,\"num_sub_vectors\":4,\"num_bits\":4",
                "IvfRq | \"num_partitions\":2,\"num_bits\":1",
                "IVF_HNSW_FLAT | \"num_partitions\":1,\"m\":16,\"ef_construction\":100",
                "IVF_HNSW_SQ | \"num_partitions\":2,\"m\":8,\"ef_construction\":60",
                "IVF_HNSW_PQ | \"num_partitions\":1,\"num_sub_vectors\":8",
                "VECTOR | \"distance_type\":\"cosine\"",
                "IVF_FLAT | \"distance_type\":\"dot\"",
            })
    void anIndexOfVectorsOfEveryKindIsMadeAndUsed(String kind, String settings) {
        table.make("{\"column\":\"place\",\"index_type\":\"" + kind + "\"," + settings + "}");
        JsonNode listed = table.named("place_idx");
        String wanted = kind.equals("VECTOR") ? "IVF_PQ" : kind.equals("IvfRq") ? "IVF_RQ" : kind.toUpperCase();
        assertThat(listed.path("index_type").asString()).isEqualTo(wanted);
        assertThat(listed.path("num_indexed_rows").asLong()).isEqualTo(IndexedTable.ROWS);
        String metric = settings.contains("cosine") ? "cosine" : settings.contains("dot") ? "dot" : "l2";
        JsonNode stats =
                server.post(table.address() + "/index/place_idx/stats").ok().json();
        assertThat(stats.path("distance_type").asString()).isEqualTo(metric);
        assertThat(table.explained(near(40))).contains("place_idx");
        if (metric.equals("l2")) {
            assertThat(table.ids(near(40).replace("\"k\":3", "\"k\":3,\"refine_factor\":50")))
                    .contains(40L);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "BTREE | id | id = 17 | 1",
                "BTREE | kind | kind = 'kind3' | 43",
                "BTREE | price | price < 5.0 | 20",
                "BTREE | open | open = true | 150",
                "SCALAR | id | id = 17 | 1",
                "BITMAP | kind | kind = 'kind3' | 43",
                "BITMAP | id | id in (3, 4) | 2",
                "LABEL_LIST | labels | array_has_any(labels, ['a3']) | 60",
                "LabelList | labels | array_has_all(labels, ['a3', 'b1']) | 20",
                "NGRAM | text | contains(text, 'elephant sleeps 27') | 10",
                "ZONEMAP | id | id < 20 | 20",
                "ZONEMAP | kind | kind = 'kind3' | 43",
                "BLOOM_FILTER | id | id = 17 | 1",
                "BLOOMFILTER | kind | kind = 'kind3' | 43",
            })
    void anIndexOfValuesOfEveryKindIsMadeAndUsed(String kind, String column, String filter, int rows) {
        String query = filtered(filter);
        assertThat(table.ids(query)).hasSize(rows);
        table.done(server.post(
                table.address() + "/create_scalar_index",
                "{\"column\":\"" + column + "\",\"index_type\":\"" + kind + "\"}"));
        assertThat(table.explained(query)).contains(column + "_idx");
        assertThat(table.ids(query)).hasSize(rows);
    }

    @Test
    void anIndexOfWordsIsMadeAndUsed() {
        table.make("{\"column\":\"text\",\"index_type\":\"FTS\"}");
        assertThat(table.named("text_idx").path("index_type").asString()).isEqualTo("FTS");
        assertThat(table.explained(words("elephant"))).contains("indices=[text_idx]");
        assertThat(table.ids(words("elephant"))).hasSize(270);
        refused(table.ask("{\"column\":\"text\",\"index_type\":\"INVERTED\"}"), 409, 7);
    }

    /** With each setting, what is found by a word; without any, 30 rows by {@code run} and {@code cafe}, none by {@code the}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"language\":\"english\" | run | 30",
                "\"stem\":false | run | 0",
                "\"stem\":false | running | 30",
                "\"lower_case\":true | CAFE | 30",
                "\"lower_case\":false,\"stem\":false | runner | 0",
                "\"lower_case\":false,\"stem\":false | Runner | 30",
                "\"ascii_folding\":false | cafe | 0",
                "\"ascii_folding\":false | café | 30",
                "\"remove_stop_words\":true | the | 0",
                "\"remove_stop_words\":false | the | 30",
                "\"custom_stop_words\":[\"elephant\"],\"stem\":false | elephant | 0",
                "\"max_token_length\":5,\"stem\":false | elephant | 0",
                "\"base_tokenizer\":\"whitespace\" | elephant | 270",
                "\"base_tokenizer\":\"ngram\",\"min_ngram_length\":3,\"max_ngram_length\":4 | leph | 270",
                "\"base_tokenizer\":\"raw\",\"stem\":false | elephant | 0",
                "\"language\":\"French\" | cafe | 30",
            })
    void everySettingOfAnIndexOfWordsCounts(String settings, String word, int rows) {
        table.make("{\"column\":\"text\",\"index_type\":\"INVERTED\"," + settings + "}");
        assertThat(table.ids(words(word))).hasSize(rows);
    }

    @Test
    void phrasesAreFoundWherePositionsAreKept() {
        table.make("{\"column\":\"text\",\"index_type\":\"FTS\",\"with_position\":true,\"name\":\"phrases\"}");
        String phrase = "{\"k\":1000,\"vector\":[],\"columns\":[\"id\"],\"full_text_query\":{\"structured_query\":{"
                + "\"query\":{\"phrase\":{\"column\":\"text\",\"terms\":\"elephant sleeps\"}}}}}";
        assertThat(table.ids(phrase)).hasSize(270);
        assertThat(table.explained(phrase)).contains("phrases");
    }

    @Test
    void aListingTellsAllThatThereIsToKnow() {
        table.make("{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"num_partitions\":2}");
        server.arrow(table.address() + "/insert", IndexedTable.rows(1000, 1007)).ok();
        server.post(table.address() + "/delete", "{\"predicate\":\"id < 10\"}").ok();
        JsonNode listed = table.named("place_idx");
        assertThat(listed.path("index_uuid").asString()).hasSize(36);
        assertThat(listed.path("columns")).hasToString("[\"place\"]");
        assertThat(listed.path("status").asString()).isEqualTo("SUCCEEDED");
        assertThat(listed.path("type_url").asString()).contains("Vector");
        assertThat(listed.path("num_indexed_rows").asLong()).isEqualTo(IndexedTable.ROWS - 10);
        assertThat(listed.path("num_unindexed_rows").asLong()).isEqualTo(7);
        assertThat(listed.path("size_bytes").asLong())
                .isGreaterThan((long) IndexedTable.ROWS * IndexedTable.DIMENSIONS * Float.BYTES);
        assertThat(listed.path("num_segments").asInt()).isEqualTo(1);
        assertThat(Instant.parse(listed.path("created_at").asString()))
                .isAfter(Instant.now().minusSeconds(600));
        assertThat(listed.path("index_version").isInt()).isTrue();
        assertThat(listed.path("index_details").asString()).contains("metric_type");
        JsonNode stats = server.post(table.address() + "/index/place_idx/stats", "{\"index_name\":\"place_idx\"}")
                .ok()
                .json();
        assertThat(stats.path("num_indexed_rows").asLong()).isEqualTo(IndexedTable.ROWS - 10);
        assertThat(stats.path("num_unindexed_rows").asLong()).isEqualTo(7);
        assertThat(stats.path("num_indices").asInt()).isEqualTo(1);
        assertThat(stats.path("index_type").asString()).isEqualTo("IVF_FLAT");
    }

    @Test
    void listingsArePagedByNameAndTellAnOlderVersion() {
        assertThat(table.listed("{}")).isEmpty();
        table.make("{\"column\":\"id\",\"index_type\":\"BTREE\",\"name\":\"b\"}");
        table.make("{\"column\":\"kind\",\"index_type\":\"BITMAP\",\"name\":\"a\"}");
        JsonNode first = server.post(table.address() + "/index/list", "{\"limit\":1}")
                .ok()
                .json();
        assertThat(first.at("/indexes/0/index_name").asString()).isEqualTo("a");
        String token = first.path("page_token").asString();
        assertThat(table.names("{\"limit\":1,\"page_token\":\"" + token + "\"}"))
                .containsExactly("b");
        assertThat(table.names("{\"version\":1}")).isEmpty();
        assertThat(table.names("{\"version\":2}")).containsExactly("b");
        refused(server.post(table.address() + "/index/list", "{\"version\":99}"), 404, 11);
        refused(server.post(table.address() + "/index/a/stats", "{\"version\":2}"), 404, 6);
    }

    @Test
    void aDroppedIndexIsGoneAndItsNameIsFree() {
        table.make(BTREE);
        JsonNode dropped =
                server.post(table.address() + "/index/id_idx/drop").ok().json();
        assertThat(dropped.path("transaction_id").asString()).hasSize(36);
        assertThat(table.listed("{}")).isEmpty();
        refused(server.post(table.address() + "/index/id_idx/drop"), 404, 6);
        refused(server.post(table.address() + "/index/id_idx/stats"), 404, 6);
        assertThat(table.explained(filtered("id = 17"))).doesNotContain("id_idx");
        table.make(BTREE);
        assertThat(table.ids(filtered("id = 17"))).containsExactly(17L);
    }

    @Test
    void namesOfEveryKindLeadToTheirIndex() {
        for (String name : List.of("a b", "a/b", "50%", "größe", "a.b", "x$y")) {
            table.make("{\"column\":\"id\",\"index_type\":\"BTREE\",\"name\":\"" + name + "\"}");
            String address = table.address() + "/index/" + RunningServer.id(name);
            assertThat(server.post(address + "/stats")
                            .ok()
                            .json()
                            .path("num_indexed_rows")
                            .asLong())
                    .isEqualTo(IndexedTable.ROWS);
            refused(server.post(address + "/drop", "{\"index_name\":\"other\"}"), 400, 13);
            server.post(address + "/drop").ok();
            assertThat(table.listed("{}")).isEmpty();
        }
    }

    @Test
    void aNameOfTheCatalogsChoiceIsFreeAndOneThatIsTakenIsRefused() {
        table.make("{\"column\":\"text\",\"index_type\":\"BTREE\"}");
        table.make("{\"column\":\"text\",\"index_type\":\"NGRAM\"}");
        assertThat(table.names("{}")).containsExactly("text_idx", "text_idx_2");
        refused(table.ask("{\"column\":\"text\",\"index_type\":\"BTREE\"}"), 409, 7);
        refused(table.ask("{\"column\":\"id\",\"index_type\":\"BTREE\",\"name\":\"text_idx\"}"), 409, 7);
        table.make("{\"column\":\"id\",\"index_type\":\"BTREE\",\"name\":\"\"}");
        assertThat(table.names("{}")).contains("id_idx");
    }

    @Test
    void aFieldInsideAStructIsIndexedByItsPath() {
        server.post(
                        table.address() + "/add_columns",
                        "{\"new_columns\":[{\"name\":\"s\",\"expression\":\"named_struct('a', id, 'b.c', kind)\"}]}")
                .ok();
        table.make("{\"column\":\"s.a\",\"index_type\":\"BTREE\"}");
        table.make("{\"column\":\"s.`b.c`\",\"index_type\":\"BITMAP\",\"name\":\"dotted\"}");
        assertThat(table.named("s.a_idx").path("columns")).hasToString("[\"s.a\"]");
        assertThat(table.named("dotted").path("columns")).hasToString("[\"s.`b.c`\"]");
        assertThat(table.ids(filtered("s.a = 17"))).containsExactly(17L);
        assertThat(table.ids(filtered("s.`b.c` = 'kind3'"))).hasSize(43);
        refused(table.ask("{\"column\":\"s\",\"index_type\":\"BTREE\"}"), 400, 13);
        refused(table.ask("{\"column\":\"s.x\",\"index_type\":\"BTREE\"}"), 404, 12);
        refused(table.ask("{\"column\":\"labels.item\",\"index_type\":\"BTREE\"}"), 400, 13);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"index_type\":\"BTREE\"} | 400 | 13",
                "{\"column\":\"id\"} | 400 | 13",
                "{\"column\":\"\",\"index_type\":\"BTREE\"} | 400 | 13",
                "{\"column\":\"id\",\"index_type\":\"HASH\"} | 400 | 13",
                "{\"column\":\"id\",\"index_type\":\"FM\"} | 400 | 13",
                "{\"column\":\"absent\",\"index_type\":\"BTREE\"} | 404 | 12",
                "{\"column\":\"ID\",\"index_type\":\"BTREE\"} | 404 | 12",
                "{\"column\":\"`id\",\"index_type\":\"BTREE\"} | 400 | 13",
                "{\"column\":\"id\",\"index_type\":\"BTREE\",\"name\":\"__lance_x\"} | 400 | 13",
                "{\"column\":\"id\",\"index_type\":\"BTREE\",\"name\":\"a\\nb\"} | 400 | 13",
                "{\"column\":\"id\",\"index_type\":\"FTS\"} | 400 | 13",
                "{\"column\":\"id\",\"index_type\":\"NGRAM\"} | 400 | 13",
                "{\"column\":\"id\",\"index_type\":\"LABEL_LIST\"} | 400 | 13",
                "{\"column\":\"labels\",\"index_type\":\"BTREE\"} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"BITMAP\"} | 400 | 13",
                "{\"column\":\"text\",\"index_type\":\"IVF_PQ\"} | 400 | 13",
                "{\"column\":\"id\",\"index_type\":\"BTREE\",\"num_partitions\":2} | 400 | 13",
                "{\"column\":\"id\",\"index_type\":\"BTREE\",\"stem\":true} | 400 | 13",
                "{\"column\":\"id\",\"index_type\":\"BTREE\",\"distance_type\":\"l2\"} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"num_partitions\":0} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"num_partitions\":301} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"num_partitions\":99999999999} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"num_partitions\":2.5} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"num_partitions\":2,\"target_partition_size\":9} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"sample_rate\":0} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"distance_type\":\"hamming\"} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"metric_type\":\"near\"} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"num_sub_vectors\":2} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"m\":20} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_PQ\",\"max_iterations\":0} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_PQ\",\"num_sub_vectors\":3} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_PQ\",\"num_bits\":5} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_PQ\",\"num_bits\":4,\"num_sub_vectors\":1} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_SQ\",\"num_bits\":4} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_RQ\",\"num_bits\":5} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_HNSW_SQ\",\"m\":0} | 400 | 13",
                "{\"column\":\"place\",\"index_type\":\"IVF_HNSW_SQ\",\"ef_construction\":0} | 400 | 13",
                "{\"column\":\"text\",\"index_type\":\"FTS\",\"language\":\"Klingon\"} | 400 | 13",
                "{\"column\":\"text\",\"index_type\":\"FTS\",\"base_tokenizer\":\"jieba\"} | 400 | 13",
                "{\"column\":\"text\",\"index_type\":\"FTS\",\"max_token_length\":0} | 400 | 13",
                "{\"column\":\"text\",\"index_type\":\"FTS\",\"min_ngram_length\":2} | 400 | 13",
                "{\"column\":\"text\",\"index_type\":\"FTS\",\"m\":2} | 400 | 13",
                "{\"column\":\"id\",\"index_type\":\"BTREE\",\"branch\":\"nope\"} | 404 | 22",
            })
    void whatCannotBeIsRefusedBeforeAWorkerSeesIt(String body, int status, int code) {
        refused(table.ask(body), status, code);
        assertThat(table.listed("{}")).isEmpty();
    }

    @Test
    void anIndexOfVectorsIsNoneOfSingleValues() {
        String vectors = "{\"column\":\"place\",\"index_type\":\"IVF_FLAT\"}";
        refused(server.post(table.address() + "/create_scalar_index", vectors), 400, 13);
    }

    @Test
    void thereMustBeEnoughVectorsToLearnFrom() {
        server.post(table.address() + "/delete", "{\"predicate\":\"id >= 200\"}")
                .ok();
        refused(table.ask("{\"column\":\"place\",\"index_type\":\"IVF_PQ\"}"), 400, 13);
        table.make("{\"column\":\"place\",\"index_type\":\"IVF_PQ\",\"num_bits\":4,\"num_sub_vectors\":4}");
        server.post(table.address() + "/delete", "{\"predicate\":\"true\"}").ok();
        refused(table.ask("{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"name\":\"none\"}"), 400, 13);
    }

    @ParameterizedTest
    @ValueSource(strings = {"BTREE", "BITMAP", "FTS", "NGRAM", "ZONEMAP", "BLOOM_FILTER"})
    void anIndexOfAnEmptyTableServesTheRowsThatComeLater(String kind) {
        server.post(table.address() + "/delete", "{\"predicate\":\"true\"}").ok();
        table.make("{\"column\":\"text\",\"index_type\":\"" + kind + "\"}");
        server.arrow(table.address() + "/insert", IndexedTable.rows(0, 10)).ok();
        assertThat(table.named("text_idx").path("num_unindexed_rows").asLong()).isEqualTo(10);
        String query = kind.equals("FTS") ? words("elephant") : filtered("text = 'an elephant sleeps 3'");
        assertThat(table.ids(query)).hasSize(kind.equals("FTS") ? 9 : 1);
    }

    @Test
    void aTableThatIsOnlyDeclaredHasNoIndices(SharedCatalog catalog) {
        String declared = catalog.freshTable();
        server.post(declared + "/declare", "{}").ok();
        assertThat(server.post(declared + "/index/list").ok().json().path("indexes"))
                .isEmpty();
        refused(server.post(declared + "/create_index", BTREE), 409, 19);
        refused(server.post(declared + "/index/x/stats"), 404, 6);
        refused(server.post(declared + "/index/x/drop"), 404, 6);
        refused(server.post(declared + "/index/x/drop?branch=dev"), 404, 22);
        refused(server.post(declared + "/index/list", "{\"branch\":\"dev\"}"), 404, 22);
        refused(server.post(declared + "/index/list", "{\"version\":1}"), 404, 11);
        String absent = catalog.freshTable();
        for (String operation : List.of("/create_index", "/create_scalar_index", "/index/list")) {
            refused(server.post(absent + operation, BTREE), 404, 4);
        }
    }

    @Test
    void anIndexOnABranchIsOnThatBranchAlone() {
        server.post(table.address() + "/branches/create", "{\"name\":\"dev\"}").ok();
        table.make("{\"column\":\"id\",\"index_type\":\"BTREE\",\"branch\":\"dev\"}");
        assertThat(table.listed("{}")).isEmpty();
        assertThat(table.names("{\"branch\":\"dev\"}")).containsExactly("id_idx");
        table.done(server.post(
                table.address() + "/create_scalar_index?branch=dev",
                "{\"column\":\"kind\",\"index_type\":\"BITMAP\"}"));
        assertThat(table.listed("{}")).isEmpty();
        JsonNode stats = server.post(table.address() + "/index/kind_idx/stats?branch=dev")
                .ok()
                .json();
        assertThat(stats.path("num_indexed_rows").asLong()).isEqualTo(IndexedTable.ROWS);
        assertThat(table.explained(filtered("id = 17").replace("{", "{\"branch\":\"dev\",")))
                .contains("id_idx");
        refused(server.post(table.address() + "/index/id_idx/drop"), 404, 6);
        refused(server.post(table.address() + "/index/id_idx/drop?branch=nope"), 404, 22);
        refused(server.post(table.address() + "/index/list", "{\"branch\":\"nope\"}"), 404, 22);
        refused(server.post(table.address() + "/index/id_idx/stats", "{\"branch\":\"nope\"}"), 404, 22);
        table.make(BTREE);
        server.post(table.address() + "/index/id_idx/drop?branch=dev").ok();
        assertThat(table.names("{\"branch\":\"dev\"}")).containsExactly("kind_idx");
        assertThat(table.names("{}")).containsExactly("id_idx");
    }

    @Test
    void aBranchKeepsTheIndicesOfWhereItBegan() {
        table.make(BTREE);
        server.post(table.address() + "/branches/create", "{\"name\":\"dev\"}").ok();
        assertThat(table.names("{\"branch\":\"dev\"}")).containsExactly("id_idx");
        server.post(table.address() + "/index/id_idx/drop?branch=dev").ok();
        assertThat(table.names("{\"branch\":\"dev\"}")).isEmpty();
        assertThat(table.names("{}")).containsExactly("id_idx");
        assertThat(table.ids(filtered("id = 17"))).containsExactly(17L);
    }

    @Test
    void ofSeveralCreatorsOfOneNameOneWins() throws Exception {
        List<Answer> answers;
        try (Race race = new Race(4)) {
            answers = race.run(runner -> table.ask("{\"name\":\"raced\",\"index_type\":\"BTREE\",\"column\":\""
                    + (runner % 2 == 0 ? "id" : "kind") + "\"}"));
        }
        int won = 0;
        for (Answer answer : answers) {
            JsonNode job = answer.status() == 200 ? table.ended(answer) : null;
            if (job != null && job.path("job_state").asString().equals("DONE")) {
                won++;
            } else {
                int code = job == null ? answer.code() : job.at("/failure/code").asInt();
                assertThat(code).as(answer.text()).isEqualTo(7);
            }
        }
        assertThat(won).isEqualTo(1);
        assertThat(table.named("raced").path("num_segments").asInt()).isEqualTo(1);
        assertThat(table.listed("{}")).hasSize(1);
    }

    @Test
    void writersAndAnIndexDoNotLoseEachOther() throws Exception {
        try (Race race = new Race(3)) {
            race.run(runner -> {
                switch (runner) {
                    case 0 -> table.make(BTREE);
                    case 1 ->
                        server.arrow(table.address() + "/insert", IndexedTable.rows(1000, 1010))
                                .ok();
                    default ->
                        server.post(table.address() + "/delete", "{\"predicate\":\"id < 10\"}")
                                .ok();
                }
                return runner;
            });
        }
        assertThat(table.ids(filtered("id >= 0"))).hasSize(IndexedTable.ROWS);
        assertThat(table.ids(filtered("id = 1005"))).hasSize(1);
        assertThat(table.ids(filtered("id = 5"))).isEmpty();
        assertThat(table.names("{}")).containsExactly("id_idx");
    }

    @Test
    void clientsOfLanceDbReadEveryListing() {
        table.make("{\"column\":\"place\",\"index_type\":\"IVF_FLAT\",\"metric_type\":\"cosine\",\"name\":null,"
                + "\"num_partitions\":null}");
        table.make("{\"column\":\"text\",\"index_type\":\"NGRAM\"}");
        JsonNode indexes = server.post(table.address() + "/index/list/", "{\"version\":null}")
                .ok()
                .json()
                .path("indexes");
        assertThat(indexes.findValuesAsString("index_type")).containsExactly("IVF_FLAT", "Unknown");
        JsonNode stats =
                server.post(table.address() + "/index/place_idx/stats/").ok().json();
        assertThat(stats.path("distance_type").asString()).isEqualTo("cosine");
        server.post(table.address() + "/index/place_idx/drop/").ok();
        assertThat(table.named("text_idx").path("index_type").asString()).isEqualTo("NGRAM");
    }
}
