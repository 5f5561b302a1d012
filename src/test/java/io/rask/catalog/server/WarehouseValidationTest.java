package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Catalog;
import io.rask.catalog.testing.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whether a warehouse tells what its storage does and does not do. */
@ExtendWith(SharedCatalog.Provider.class)
class WarehouseValidationTest {
    private static final String VALIDATE = "/v1/warehouses/lake-one/validate";

    @RegisterExtension
    static final S3Catalog S3 = S3Catalog.plain();

    private static String results(Answer answer) {
        return answer.ok()
                .json()
                .path("checks")
                .valueStream()
                .map(check -> check.path("check").asString() + "="
                        + check.path("result").asString())
                .collect(Collectors.joining(" "));
    }

    private static String reason(Answer answer, String name) {
        return answer.json()
                .path("checks")
                .valueStream()
                .filter(check -> check.path("check").asString().equals(name))
                .map(check -> check.path("reason").asString())
                .collect(Collectors.joining());
    }

    private static void keepsSecrets(Answer answer) {
        assertThat(answer.text())
                .doesNotContain(S3Server.ACCESS_KEY, S3Server.SECRET_KEY, "127.0.0.1", "://", "Exception");
    }

    @Test
    void aStoreThatDoesWhatTablesNeedPassesAndNothingIsLeftInIt() {
        FaultRule deleted = S3.store()
                .watch(request ->
                        request.method().equals("DELETE") && request.path().contains("/_probe/"));
        FaultRule written = S3.store()
                .watch(request ->
                        request.method().equals("PUT") && request.path().contains("/_probe/"));
        Answer answer = S3.server().post(VALIDATE);
        assertThat(results(answer))
                .isEqualTo("write=pass read=pass list=pass create_if_absent=pass replace_if_match=pass"
                        + " scoped_credentials=skip cleanup=pass");
        assertThat(answer.json().path("valid").asBoolean()).isTrue();
        assertThat(written.hits()).isEqualTo(5);
        assertThat(deleted.hits()).isEqualTo(2);
        keepsSecrets(answer);
    }

    @Test
    void aStoreThatIgnoresTheConditionOfASecondWriteFails() {
        AtomicInteger once = new AtomicInteger();
        S3.store()
                .always(
                        request -> request.method().equals("PUT")
                                && request.path().endsWith("/once")
                                && once.incrementAndGet() == 2,
                        new Fault.Status(200, "None"));
        Answer answer = S3.server().post(VALIDATE);
        assertThat(results(answer)).contains("create_if_absent=fail", "replace_if_match=pass", "cleanup=pass");
        assertThat(answer.json().path("valid").asBoolean()).isFalse();
        assertThat(reason(answer, "create_if_absent")).contains("overwrite each other");
    }

    @Test
    void aStoreThatIgnoresWhatItIsToReplaceFails() {
        AtomicInteger puts = new AtomicInteger();
        S3.store()
                .always(
                        request -> request.method().equals("PUT")
                                && request.path().endsWith("/object")
                                && puts.incrementAndGet() == 3,
                        new Fault.Status(200, "None"));
        assertThat(results(S3.server().post(VALIDATE))).contains("replace_if_match=fail", "create_if_absent=pass");
    }

    @Test
    void aStoreThatDeniesIsToldWithoutItsAddressAndTheRestIsLeftOut() {
        S3.store().always(request -> request.path().contains("/_probe/"), new Fault.Status(403, "AccessDenied"));
        Answer answer = S3.server().post(VALIDATE);
        assertThat(results(answer))
                .isEqualTo("write=fail read=skip list=skip create_if_absent=skip replace_if_match=skip"
                        + " scoped_credentials=skip cleanup=fail");
        assertThat(reason(answer, "write")).isEqualTo("the store denies it");
        keepsSecrets(answer);
    }

    @Test
    void whatFailsInTheMiddleIsCleanedUpAllTheSame() {
        S3.store()
                .always(
                        request ->
                                request.method().equals("GET") && request.path().contains("/_probe/"),
                        new Fault.Status(403, "AccessDenied"));
        FaultRule deleted = S3.store()
                .watch(request ->
                        request.method().equals("DELETE") && request.path().contains("/_probe/"));
        assertThat(results(S3.server().post(VALIDATE))).contains("read=fail", "cleanup=pass");
        assertThat(deleted.hits()).isEqualTo(2);
    }

    @Test
    void aFolderPassesWithoutTheConditionItHasNot(SharedCatalog catalog) throws IOException {
        RunningServer server = catalog.server();
        String warehouse = catalog.freshWarehouse();
        server.post("/v1/warehouses/" + warehouse + "/deactivate").ok();
        Answer answer = server.post("/v1/warehouses/" + warehouse + "/validate");
        assertThat(results(answer))
                .isEqualTo("write=pass read=pass list=pass create_if_absent=pass replace_if_match=skip"
                        + " scoped_credentials=skip cleanup=pass");
        server.post("/v1/warehouses/" + warehouse + "/activate").ok();
        Path root = ((StoreUri.Folder)
                        server.bean(Locator.class).ofWarehouse(warehouse).place())
                .path();
        // The folder itself stays for those that look at the same time.
        assertThat(root.resolve("_probe")).isEmptyDirectory();
        Files.move(root, root.resolveSibling(warehouse + "-away"));
        Answer lost = server.post("/v1/warehouses/" + warehouse + "/validate");
        assertThat(results(lost)).contains("write=fail", "read=skip");
        assertThat(lost.text()).doesNotContain(root.toString());
        assertThat(root).doesNotExist();
        Files.move(root.resolveSibling(warehouse + "-away"), root);
        refused(server.post("/v1/warehouses/no-such-lake/validate"), 404, 4);
    }
}
