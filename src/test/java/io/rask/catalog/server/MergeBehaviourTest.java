package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.ArrowStreams.DOUBLE;
import static io.rask.catalog.testing.ArrowStreams.INT32;
import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.UTF8;
import static io.rask.catalog.testing.ArrowStreams.required;
import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.Ref;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.ScalarIndexParams;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a merge makes of a table, with and without an index on its key. */
@ExtendWith(SharedCatalog.Provider.class)
class MergeBehaviourTest {
    private static final String UPSERT = "when_matched_update_all=true&when_not_matched_insert_all=true";
    private static final List<Field> COLUMNS =
            List.of(Field.nullable("id", INT64), Field.nullable("Name", UTF8), Field.nullable("size", INT64));

    private final RunningServer server;
    private final SharedCatalog catalog;
    private final String table;

    MergeBehaviourTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.table = catalog.freshTable();
        server.arrow(
                        table + "/create",
                        ArrowStreams.of(
                                COLUMNS,
                                List.of(row(1, "one", 10), row(2, "two", 20), row(null, "none", 30), row(4, null, 40))))
                .ok();
    }

    private Answer merge(String query, List<Field> columns, List<? extends @Nullable Object>... rows) {
        return server.arrow(table + "/merge_insert?" + query, ArrowStreams.of(columns, Arrays.asList(rows)));
    }

    private Answer upsert(List<? extends @Nullable Object>... rows) {
        return merge("on=id&" + UPSERT, COLUMNS, rows);
    }

    private String count(String predicate) {
        return server.post(
                        table + "/count_rows", JsonMapper.shared().writeValueAsString(Map.of("predicate", predicate)))
                .ok()
                .text();
    }

    private String location() {
        return URI.create(server.post(table + "/describe")
                        .ok()
                        .json()
                        .path("location")
                        .asString())
                .getPath();
    }

    private void indexOn(String column) {
        try (Dataset dataset = Dataset.open(location())) {
            dataset.createIndex(IndexOptions.builder(
                            List.of(column),
                            IndexType.BTREE,
                            IndexParams.builder()
                                    .setScalarIndexParams(ScalarIndexParams.create("btree"))
                                    .build())
                    .withIndexName(column + "_idx")
                    .build());
        }
    }

    private static void assertCounts(Answer answer, long inserted, long updated, long deleted) {
        JsonNode done = answer.ok().json();
        assertThat(List.of(
                        done.path("num_inserted_rows").longValue(),
                        done.path("num_updated_rows").longValue(),
                        done.path("num_deleted_rows").longValue()))
                .as(answer.text())
                .containsExactly(inserted, updated, deleted);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void matchedRowsAreUpdatedAndOthersInserted(boolean indexed) {
        if (indexed) {
            indexOn("id");
            server.arrow(table + "/insert", ArrowStreams.of(COLUMNS, List.of(row(5, "five", 50))))
                    .ok();
        }
        long rows = indexed ? 5 : 4;
        Answer done = upsert(row(1, "ONE", 11), row(9, "nine", 90));
        assertCounts(done, 1, 1, 0);
        assertThat(done.json().path("version").longValue())
                .isEqualTo(
                        server.post(table + "/describe").json().path("version").longValue());
        assertThat(done.json().path("num_rows").longValue()).isEqualTo(2);
        assertThat(done.json().path("num_attempts").longValue()).isEqualTo(1);
        assertThat(count("true")).isEqualTo(String.valueOf(rows + 1));
        assertThat(count("id = 1 and \"Name\" = 'ONE' and size = 11")).isEqualTo("1");
        if (indexed) {
            // The index does not hold this row.
            assertCounts(upsert(row(5, "FIVE", 55)), 0, 1, 0);
            assertThat(count("id = 5")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @CsvSource({"false,true", "true,true", "true,false"})
    void aNullKeyMatchesNothingAsInSql(boolean indexed, boolean useIndex) {
        if (indexed) {
            indexOn("id");
        }
        String query = "on=id&use_index=" + useIndex + "&";
        assertCounts(merge(query + UPSERT, COLUMNS, row(null, "new", 31), row(null, "newer", 32)), 2, 0, 0);
        assertThat(count("id is null")).isEqualTo("3");
        assertCounts(
                merge(query + "when_matched_update_all=true", COLUMNS, row(null, "x", 1), row(1, "uno", 1)), 0, 1, 0);
        assertThat(count("id is null")).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyWhatIsAskedForIsDone(boolean indexed) {
        if (indexed) {
            indexOn("id");
        }
        assertCounts(
                merge("on=id&when_not_matched_insert_all=true", COLUMNS, row(1, "x", 0), row(7, "seven", 70)), 1, 0, 0);
        assertThat(count("id = 1 and size = 10")).isEqualTo("1");
        assertCounts(merge("on=id&when_matched_update_all=true", COLUMNS, row(1, "x", 0), row(8, "x", 0)), 0, 1, 0);
        assertThat(count("id = 8")).isEqualTo("0");
        assertCounts(
                merge("on=id&when_not_matched_by_source_delete=true", COLUMNS, row(1, "y", 1), row(2, "y", 2)),
                0,
                0,
                3);
        assertThat(count("\"Name\" = 'y'")).isEqualTo("0");
        assertThat(count("true")).isEqualTo("2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void conditionsDecideWhatIsUpdatedAndDeleted(boolean indexed) {
        if (indexed) {
            indexOn("id");
        }
        String greater = "on=id&when_matched_update_all_filt=" + id("source.size > target.size") + "&";
        assertCounts(
                merge(greater + UPSERT, COLUMNS, row(1, "less", 5), row(2, "more", 25), row(7, "new", 7)), 1, 1, 0);
        assertThat(count("id = 1 and size = 10 or id = 2 and size = 25")).isEqualTo("2");
        // Columns that are left out keep their values.
        List<Field> some = List.of(COLUMNS.get(2), COLUMNS.get(0));
        assertCounts(merge(greater + UPSERT, some, row(26, 2), row(80, 8)), 1, 1, 0);
        assertThat(count("id = 2 and \"Name\" = 'more' and size = 26")).isEqualTo("1");
        for (String filter : List.of("size >= 40", "target.size >= 20", "target.\"Name\" = 'none'")) {
            merge("on=id&when_not_matched_by_source_delete_filt=" + id(filter), COLUMNS, row(2, "x", 0))
                    .ok();
        }
        assertThat(count("true")).isEqualTo("3");
        assertThat(count("id in (1, 2, 7)")).isEqualTo("3");
    }

    @Test
    void severalKeyColumnsComeInSeveralParameters() {
        assertCounts(
                merge("on=id&on=Name&" + UPSERT, COLUMNS, row(1, "one", 11), row(1, "eins", 12), row(4, null, 44)),
                2,
                1,
                0);
        assertThat(count("id = 1")).isEqualTo("2");
        refused(merge("on=id,Name&" + UPSERT, COLUMNS, row(1, "one", 11)), 404, 12);
        assertCounts(merge("on=" + id("`id`") + "&" + UPSERT, COLUMNS, row(2, "two", 22)), 0, 1, 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKeyThatComesTwiceIsRefusedAndWritesNothing(boolean indexed) {
        if (indexed) {
            indexOn("id");
        }
        long before = version();
        for (long key : new long[] {1, 9}) {
            Answer answer = upsert(row(key, "a", 1), row(key, "b", 2));
            refused(answer, 400, 13);
            assertThat(reason(answer)).contains("id = " + key);
        }
        refused(merge("on=Name&" + UPSERT, COLUMNS, row(1, "same", 1), row(2, "same", 2)), 400, 13);
        assertThat(version()).isEqualTo(before);
    }

    private long version() {
        return server.post(table + "/describe").ok().json().path("version").longValue();
    }

    @Test
    void whatAMergeCannotDoIsSaid() {
        List<Object> one = List.of(1, "x", 1);
        refused(merge(UPSERT, COLUMNS, one), 400, 13);
        refused(merge("on=&" + UPSERT, COLUMNS, one), 400, 13);
        refused(merge("on=nope&" + UPSERT, COLUMNS, one), 404, 12);
        refused(merge("on=" + id("`id") + "&" + UPSERT, COLUMNS, one), 400, 13);
        refused(merge("on=a.b&" + UPSERT, COLUMNS, one), 400, 13);
        refused(merge("on=id", COLUMNS, one), 400, 13);
        refused(merge("on=id&when_matched_update_all=maybe", COLUMNS, one), 400, 13);
        refused(merge("on=id&" + UPSERT, List.of(COLUMNS.get(1)), row("x")), 400, 13);
        refused(merge("on=id&" + UPSERT, List.of(COLUMNS.get(0), Field.nullable("q", INT64)), row(1, 1)), 400, 20);
        refused(server.arrow(table + "/merge_insert?on=id&" + UPSERT, new byte[] {1, 2, 3}), 400, 13);
        refused(server.post(table + "/merge_insert?on=id&" + UPSERT), 400, 13);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "source.nope > 1|404|12",
                "target.nope > 1|404|12",
                "size > 1|400|13",
                "source.size + 1|400|13",
                "source.size > (select 1)|400|13",
                "1 / (source.size - source.size) > 1|400|13",
                "source.size >|400|13"
            })
    void aConditionForUpdatesThatMakesNoSenseIsTheCallersError(String filter, int status, int code) {
        indexOn("id");
        for (List<Field> columns : List.of(COLUMNS, List.of(COLUMNS.get(0), COLUMNS.get(2)))) {
            List<Object> row = columns.size() == 3 ? List.of(1, "x", 1) : List.of(1, 1);
            Answer answer = merge("on=id&when_matched_update_all_filt=" + id(filter) + "&" + UPSERT, columns, row);
            refused(answer, status, code);
            assertThat(answer.text()).doesNotContain("/workspace", "_rowaddr", "sentinel", "LanceError");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"nope > 1|404|12", "source.size > 1|400|13", "size + 1|400|13", "null|400|13", "size; drop|400|13"
            })
    void aConditionForDeletionsThatMakesNoSenseIsTheCallersError(String filter, int status, int code) {
        Answer answer = merge("on=id&when_not_matched_by_source_delete_filt=" + id(filter), COLUMNS, row(1, "x", 1));
        refused(answer, status, code);
        assertThat(count("true")).isEqualTo("4");
    }

    @Test
    void aLongChainOfConditionsIsRefused() {
        String chain = "source.size = 1" + " or source.size = 1".repeat(3_000);
        refused(
                merge("on=id&when_matched_update_all_filt=" + id(chain.substring(0, 20_000)), COLUMNS, row(1, "x", 1)),
                400,
                13);
    }

    @Test
    void aTableThatIsOnlyDeclaredIsMadeOfTheStream() {
        String declared = catalog.freshTable();
        server.post(declared + "/declare").ok();
        refused(server.arrow(declared + "/merge_insert?on=id&" + UPSERT, ArrowStreams.longs("id", 1, 1)), 400, 13);
        refused(server.arrow(declared + "/merge_insert?on=key&" + UPSERT, ArrowStreams.longs("id", 1)), 404, 12);
        Answer made = server.arrow(declared + "/merge_insert?on=id&" + UPSERT, ArrowStreams.longs("id", 1, 2, 3));
        assertCounts(made, 3, 0, 0);
        assertThat(made.json().path("version").longValue()).isEqualTo(1);
        assertCounts(server.arrow(declared + "/merge_insert?on=id&" + UPSERT, ArrowStreams.longs("id", 3, 4)), 1, 1, 0);
    }

    @Test
    void aBranchIsMergedIntoApartFromMain() {
        try (Dataset dataset = Dataset.open(location())) {
            dataset.createBranch("dev/x", Ref.ofMain()).close();
        }
        assertCounts(merge("on=id&branch=dev/x&" + UPSERT, COLUMNS, row(1, "x", 1), row(7, "x", 1)), 1, 1, 0);
        assertThat(count("true")).isEqualTo("4");
        assertThat(server.post(table + "/count_rows", "{\"branch\":\"dev/x\"}")
                        .ok()
                        .text())
                .isEqualTo("5");
        refused(merge("on=id&branch=nope&" + UPSERT, COLUMNS, row(1, "x", 1)), 404, 22);
        refused(merge("on=id&branch=../x&" + UPSERT, COLUMNS, row(1, "x", 1)), 404, 22);
    }

    @Test
    void valuesThatFitAreTakenAndARequiredColumnMustCome() {
        String strict = catalog.freshTable();
        List<Field> columns = List.of(required("id", INT32), required("price", DOUBLE), Field.nullable("note", UTF8));
        server.arrow(strict + "/create", ArrowStreams.of(columns, List.of(row(1, 1.5, "a"))))
                .ok();
        byte[] some = ArrowStreams.of(
                List.of(Field.nullable("note", UTF8), Field.nullable("id", INT64)), List.of(row("b", 1), row("c", 2)));
        refused(server.arrow(strict + "/merge_insert?on=id&" + UPSERT, some), 400, 20);
        assertCounts(server.arrow(strict + "/merge_insert?on=id&when_matched_update_all=true", some), 0, 1, 0);
        assertThat(server.post(strict + "/count_rows", "{\"predicate\":\"note = 'b' and price = 1.5\"}")
                        .ok()
                        .text())
                .isEqualTo("1");
    }

    @Test
    void aStreamWithoutRowsChangesNothingUnlessRowsAreToBeDeleted() {
        long before = version();
        assertCounts(upsert(), 0, 0, 0);
        assertThat(version()).isEqualTo(before);
        assertCounts(merge("on=id&when_not_matched_by_source_delete=true", COLUMNS), 0, 0, 4);
        assertThat(count("true")).isEqualTo("0");
        assertCounts(upsert(row(1, "again", 1)), 1, 0, 0);
    }

    @Test
    void manyRowsGoThroughAFile() {
        long[] keys = LongStream.range(0, 700_000).toArray();
        String many = catalog.freshTable();
        server.arrow(
                        many + "/create",
                        ArrowStreams.longs("id", LongStream.range(0, 1_000).toArray()))
                .ok();
        assertCounts(
                server.arrow(many + "/merge_insert?on=id&" + UPSERT, ArrowStreams.longs("id", keys)),
                699_000,
                1_000,
                0);
        assertThat(server.post(many + "/count_rows").ok().text()).isEqualTo("700000");
    }

    @Test
    void lanceDbsOwnSpellingIsServedToo() {
        Answer done = server.arrow(
                table + "/merge_insert/?on=id&on=Name&when_matched_update_all=true&when_not_matched_insert_all=true"
                        + "&when_not_matched_by_source_delete=false&use_index=false&use_lsm=false&timeout=30s",
                ArrowStreams.of(COLUMNS, List.of(row(1, "one", 11), row(3, "three", 33))));
        assertCounts(done, 1, 1, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "30s,200",
        "500000ms,200",
        "1h,200",
        "1h 30m,200",
        "1.5h,200",
        "PT30S,200",
        "60,200",
        "5x,400",
        "-1s,400",
        "0s,400",
        "s,400",
        "1e9s,400",
        "99999999999d,400",
        "P1Y,400"
    })
    void aTimeoutIsADuration(String timeout, int status) {
        assertThat(merge("on=id&timeout=" + id(timeout) + "&" + UPSERT, COLUMNS, row(1, "x", 1))
                        .status())
                .isEqualTo(status);
    }
}
