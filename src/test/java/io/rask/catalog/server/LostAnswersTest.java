package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Catalog;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits that the object store carries out without saying so: told as what they are, and never done twice. */
class LostAnswersTest {
    @RegisterExtension
    static final S3Catalog CATALOG = S3Catalog.plain();

    /** The ways in which an answer is lost after the write, and those in which the write never was. */
    enum Loss {
        REPLY_DROPPED(new Fault.DropReply(), true),
        GATEWAY_TIMES_OUT(Fault.FailReply.gatewayTimeout(), true),
        REQUEST_DROPPED(new Fault.DropRequest(), false),
        SLOW_DOWN(Fault.Status.slowDown(), false);

        private final Fault fault;
        private final boolean written;

        Loss(Fault fault, boolean written) {
            this.fault = fault;
            this.written = written;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCreationIsDoneOnceAndKeepsItsRows(Loss loss) {
        String table = table("made", loss);
        Answer answer =
                during(loss, true, () -> CATALOG.server().arrow(table + "/create", ArrowStreams.longs("id", 1, 2, 3)));
        answer.ok();
        assertThat(count(table, "true")).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void aDeclarationANamespaceAndTheirDropsAreDoneOnce(Loss loss) {
        String table = table("declared", loss);
        String namespace = "/v1/namespace/" + id("sales", "in-" + loss.name());
        during(loss, true, () -> CATALOG.server().post(table + "/declare", "{}"))
                .ok();
        during(loss, true, () -> CATALOG.server().post(namespace + "/create", "{}"))
                .ok();
        assertThat(CATALOG.server().post(table + "/exists", "{}").status()).isEqualTo(200);
        during(loss, true, () -> CATALOG.server().post(table + "/drop", "{}")).ok();
        during(loss, true, () -> CATALOG.server().post(namespace + "/drop", "{}"))
                .ok();
        assertThat(CATALOG.server().post(table + "/exists", "{}").status()).isEqualTo(404);
        assertThat(CATALOG.server().post(namespace + "/exists", "{}").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void anInsertIsDoneOnce(Loss loss) {
        String table = filled("inserted", loss);
        Answer answer =
                during(loss, false, () -> CATALOG.server().arrow(table + "/insert", ArrowStreams.longs("id", 9)));
        assertToldAsItIs(answer, loss, count(table, "id = 9") == 1);
        assertThat(count(table, "true")).isEqualTo(loss.written ? 4 : 3);
    }

    @ParameterizedTest
    @EnumSource
    void anOverwriteIsDoneOnce(Loss loss) {
        String table = filled("replaced", loss);
        Answer answer = during(
                loss,
                false,
                () -> CATALOG.server().arrow(table + "/insert?mode=overwrite", ArrowStreams.longs("id", 9)));
        assertToldAsItIs(answer, loss, count(table, "id = 9") == 1);
        assertThat(count(table, "true")).isEqualTo(loss.written ? 1 : 3);
    }

    @ParameterizedTest
    @EnumSource
    void anOverwriteOfRowsAndPropertiesIsDoneOnceAndWhole(Loss loss) {
        for (boolean catalog : new boolean[] {false, true}) {
            String table = filled("both-" + catalog, loss);
            String properties = id("{\"a\":\"new\"}");
            Answer answer = during(
                    loss,
                    catalog,
                    () -> CATALOG.server()
                            .arrow(
                                    table + "/create?mode=overwrite&properties=" + properties,
                                    ArrowStreams.longs("id", 9)));
            boolean happened = count(table, "id = 9") == 1;
            if (catalog) {
                answer.ok();
                assertThat(happened).isTrue();
            } else {
                assertToldAsItIs(answer, loss, happened);
            }
            assertThat(count(table, "true")).isEqualTo(happened ? 1 : 3);
            assertThat(CATALOG.server()
                            .post(table + "/describe")
                            .ok()
                            .json()
                            .at("/properties/a")
                            .isString())
                    .isEqualTo(happened);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUpdateIsDoneOnce(Loss loss) {
        String table = filled("updated", loss);
        Answer answer = during(
                loss, false, () -> CATALOG.server().post(table + "/update", "{\"updates\":[[\"id\",\"id + 10\"]]}"));
        assertToldAsItIs(answer, loss, count(table, "id > 10") == 3);
        assertThat(count(table, "id > 20")).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aDeleteSaysThatItsOutcomeIsNotKnown(Loss loss) {
        String table = filled("deleted", loss);
        Answer answer =
                during(loss, false, () -> CATALOG.server().post(table + "/delete", "{\"predicate\":\"id = 1\"}"));
        assertNotKnown(answer);
        assertThat(count(table, "true")).isEqualTo(loss.written ? 2 : 3);
    }

    @ParameterizedTest
    @EnumSource
    void aMergeIsDoneAtMostOnceAndSaysThatItsOutcomeIsNotKnown(Loss loss) {
        String table = filled("merged", loss);
        String upsert = "/merge_insert?on=id&when_matched_update_all=true&when_not_matched_insert_all=true";
        Answer answer =
                during(loss, false, () -> CATALOG.server().arrow(table + upsert, ArrowStreams.longs("id", 3, 9)));
        assertNotKnown(answer);
        assertThat(count(table, "true")).isEqualTo(loss.written ? 4 : 3);
        CATALOG.server().arrow(table + upsert, ArrowStreams.longs("id", 3, 9)).ok();
        assertThat(count(table, "true")).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void anUploadRepeatsARequestThatFailed(Loss loss) {
        String table = filled("uploaded", loss);
        FaultRule rule = CATALOG.store()
                .next(1, request -> request.isWrite() && request.path().contains("/data/"), loss.fault);
        CATALOG.server().arrow(table + "/insert", ArrowStreams.longs("id", 9)).ok();
        assertThat(rule.hits()).isEqualTo(1);
        assertThat(count(table, "true")).isEqualTo(4);
    }

    private static void assertToldAsItIs(Answer answer, Loss loss, boolean happened) {
        assertThat(happened).isEqualTo(loss.written);
        if (happened) {
            answer.ok();
        } else {
            assertNotKnown(answer);
        }
    }

    private static void assertNotKnown(Answer answer) {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo(17);
        assertThat(answer.text()).contains("its outcome is not known");
    }

    /** Runs a request while the store loses the answer to the next commit of a catalog manifest, or of a table. */
    private static Answer during(Loss loss, boolean catalog, Supplier<Answer> request) {
        FaultRule rule = CATALOG.store()
                .next(
                        1,
                        seen -> seen.method().equals("PUT")
                                && seen.path().contains("/_versions/")
                                && seen.path().contains("/__manifest/") == catalog,
                        loss.fault);
        Answer answer = request.get();
        assertThat(rule.hits()).isEqualTo(1);
        return answer;
    }

    private static String table(String what, Loss loss) {
        return "/v1/table/" + id("sales", what + "-" + loss.name());
    }

    private static String filled(String what, Loss loss) {
        String table = table(what, loss);
        CATALOG.server()
                .arrow(table + "/create", ArrowStreams.longs("id", 1, 2, 3))
                .ok();
        return table;
    }

    private static long count(String table, String filter) {
        return Long.parseLong(CATALOG.server()
                .post(table + "/count_rows", "{\"predicate\":\"" + filter + "\"}")
                .ok()
                .text());
    }

    @Test
    void aRegistrationThatCannotLookOnceMoreIsTakenBackSoThatItsRepeatSucceeds() {
        String table = CATALOG.table("taken-out");
        CATALOG.server()
                .arrow(table + "/create", ArrowStreams.longs("id", 1, 2, 3))
                .ok();
        String location = CATALOG.server()
                .post(table + "/describe")
                .ok()
                .json()
                .path("location")
                .asString();
        String body = "{\"location\":\"" + location.substring(location.lastIndexOf('/') + 1) + "\"}";
        CATALOG.server().post(table + "/deregister", "{}").ok();
        String again = CATALOG.table("registered-again");
        AtomicBoolean committed = new AtomicBoolean();
        try (FaultRule rule = CATALOG.store()
                .always(
                        request -> {
                            committed.compareAndSet(
                                    false, request.isWrite() && request.path().contains("__manifest"));
                            return committed.get() && request.path().contains("_kept");
                        },
                        new Fault.Status(403, "AccessDenied"))) {
            Answer answer = CATALOG.server().post(again + "/register", body);
            assertThat(answer.code()).as(answer.text()).isEqualTo(17);
            assertThat(rule.hits()).isPositive();
        }
        assertThat(CATALOG.server().post(again + "/exists", "{}").status()).isEqualTo(404);
        CATALOG.server().post(again + "/register", body).ok();
        assertThat(count(again, "true")).isEqualTo(3);
    }
}
