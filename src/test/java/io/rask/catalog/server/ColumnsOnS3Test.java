package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Catalog;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Changes of columns in a bucket, where each step is a request that can fail. */
class ColumnsOnS3Test {
    @RegisterExtension
    static final S3Catalog CATALOG = S3Catalog.plain();

    private static final String CAST =
            "{\"alterations\":[{\"path\":\"id\",\"data_type\":{\"type\":\"utf8\"},\"rename\":\"key\"}]}";
    private static final AtomicInteger NAMES = new AtomicInteger();

    private static String filled() {
        String table = "/v1/table/" + id("sales", "t" + NAMES.incrementAndGet());
        CATALOG.server()
                .arrow(table + "/create", ArrowStreams.longs("id", 1, 2, 3))
                .ok();
        CATALOG.server().post(table + "/delete", "{\"predicate\":\"id = 2\"}").ok();
        return table;
    }

    private static JsonNode described(String table) {
        return CATALOG.server()
                .post(table + "/describe?load_detailed_metadata=true")
                .ok()
                .json();
    }

    private static String count(String table, String filter) {
        return CATALOG.server()
                .post(table + "/count_rows", "{\"predicate\":\"" + filter + "\"}")
                .ok()
                .text();
    }

    @Test
    void columnsChangeInABucketAsInAFolder() {
        String table = filled();
        CATALOG.server()
                .post(table + "/add_columns", "{\"new_columns\":[{\"name\":\"x\",\"expression\":\"id * 2\"}]}")
                .ok();
        CATALOG.server().post(table + "/alter_columns", CAST).ok();
        CATALOG.server()
                .post(table + "/update_field_metadata", "{\"updates\":[{\"path\":\"key\",\"metadata\":{\"a\":\"b\"}}]}")
                .ok();
        CATALOG.server()
                .post(table + "/schema_metadata/update", "{\"a\":\"b\"}")
                .ok();
        assertThat(count(table, "key = '3' and x = 6")).isEqualTo("1");
        CATALOG.server().post(table + "/drop_columns", "{\"columns\":[\"x\"]}").ok();
        assertThat(described(table).at("/schema/fields")).hasSize(1);
        assertThat(count(table, "true")).isEqualTo("2");
    }

    /** Nothing that the server writes from some step on arrives, as if it had died there. */
    @Test
    void aCastThatBreaksOffAtAnyStepDidNotHappenOrDidAndCanBeRepeated() {
        boolean whole = false;
        for (int steps = 0; !whole; steps++) {
            assertThat(steps).isLessThan(40);
            String table = filled();
            long before = described(table).path("version").longValue();
            AtomicInteger left = new AtomicInteger(steps);
            FaultRule dead = CATALOG.store()
                    .always(
                            request -> request.isWrite()
                                    && !request.path().contains("/__manifest/")
                                    && left.decrementAndGet() < 0,
                            new Fault.DropRequest());
            Answer answer = CATALOG.server().post(table + "/alter_columns", CAST);
            whole = dead.hits() == 0;
            dead.close();
            JsonNode after = described(table);
            boolean happened = after.path("version").longValue() == before + 1;
            if (answer.status() == 200) {
                assertThat(happened).isTrue();
            } else {
                assertThat(answer.code()).as(answer.text()).isEqualTo(17);
                assertThat(happened).isFalse();
                assertThat(after.at("/schema/fields/0/name").asString()).isEqualTo("id");
                assertThat(after.at("/schema/fields/0/type/type").asString()).isEqualTo("int64");
                assertThat(count(table, "id = 1 or id = 3")).isEqualTo("2");
                CATALOG.server().post(table + "/alter_columns", CAST).ok();
            }
            assertThat(described(table).at("/schema/fields/0/type/type").asString())
                    .isEqualTo("utf8");
            assertThat(count(table, "key = '1' or key = '3'")).isEqualTo("2");
        }
    }

    @ParameterizedTest
    @CsvSource({"DROPPED_REPLY,true", "GATEWAY,true", "DROPPED_REQUEST,false"})
    void aCommitWhoseAnswerIsLostIsToldAsItIs(String loss, boolean written) {
        Fault fault = switch (loss) {
            case "DROPPED_REPLY" -> new Fault.DropReply();
            case "GATEWAY" -> Fault.FailReply.gatewayTimeout();
            default -> new Fault.DropRequest();
        };
        String table = filled();
        for (String[] change : new String[][] {
            {"/alter_columns", CAST},
            {"/add_columns", "{\"new_columns\":[{\"name\":\"x\",\"computed\":\"upper(key)\"}]}"},
            {"/update_field_metadata", "{\"updates\":[{\"path\":\"x\",\"metadata\":{\"a\":\"b\"}}]}"},
            {"/schema_metadata/update", "{\"a\":\"b\"}"},
            {"/drop_columns", "{\"columns\":[\"x\"]}"}
        }) {
            long before = described(table).path("version").longValue();
            FaultRule rule = CATALOG.store()
                    .next(
                            1,
                            seen -> seen.method().equals("PUT")
                                    && seen.path().contains("/_versions/1")
                                    && !seen.path().contains("/__manifest/"),
                            fault);
            Answer answer = CATALOG.server().post(table + change[0], change[1]);
            assertThat(rule.hits()).isEqualTo(1);
            long after = described(table).path("version").longValue();
            if (answer.status() == 200) {
                assertThat(after).isEqualTo(before + 1);
            } else {
                assertThat(answer.code()).as(answer.text()).isEqualTo(17);
                assertThat(written).isFalse();
                assertThat(after).isEqualTo(before);
                CATALOG.server().post(table + change[0], change[1]).ok();
            }
        }
        assertThat(described(table).at("/schema/fields")).hasSize(1);
        assertThat(described(table).at("/schema/metadata/a").asString()).isEqualTo("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/_versions/d", "/_transactions/", "/data/"})
    void aStoreThatRefusesAStepLeavesTheTableAsItWas(String step) {
        String table = filled();
        long before = described(table).path("version").longValue();
        CATALOG.store()
                .always(
                        seen -> seen.isWrite()
                                && seen.path().contains(step)
                                && !seen.path().contains("/__manifest/"),
                        Fault.Status.slowDown());
        Answer answer = CATALOG.server().post(table + "/alter_columns", CAST);
        CATALOG.store().heal();
        assertThat(answer.code()).as(answer.text()).isEqualTo(17);
        assertThat(described(table).path("version").longValue()).isEqualTo(before);
        CATALOG.server().post(table + "/alter_columns", CAST).ok();
        assertThat(count(table, "key = '1'")).isEqualTo("1");
    }
}
