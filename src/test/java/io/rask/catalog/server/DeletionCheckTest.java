package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lifecycle.DeletionAnswer;
import io.rask.catalog.lifecycle.DeletionAnswer.Reason;
import io.rask.catalog.lifecycle.DeletionCheck;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.Ref;

/** The question before anything is deleted. */
@ExtendWith(SharedCatalog.Provider.class)
class DeletionCheckTest {
    private final SharedCatalog catalog;
    private final RunningServer server;
    private final SharedCatalog.Home home;
    private final String table;
    private final Path root;
    private final DeletionCheck check;
    private final StorageProfile storage;

    DeletionCheckTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.home = catalog.freshNamespace();
        this.table = home.table("t");
        this.root = catalog.root(home.warehouse());
        this.check = server.bean(DeletionCheck.class);
        this.storage =
                server.bean(Locator.class).locate(ObjectId.of(home.namespace())).orElseThrow();
    }

    private static Reason reason(DeletionAnswer answer) {
        assertThat(answer).isInstanceOf(DeletionAnswer.Refused.class);
        return ((DeletionAnswer.Refused) answer).reason();
    }

    private String create(String address) {
        server.arrow(address + "/create", Rows.THREE).ok();
        Path folder = Clones.folder(
                server.post(address + "/describe").ok().json().path("location").asString());
        return String.valueOf(folder.getFileName());
    }

    private DeletionAnswer versions(String location, @Nullable String branch, long version) {
        ManifestEntry entry = ManifestEntry.table(home.namespace() + "$t", location, null);
        return check.versions(storage, entry, branch, doomed -> doomed == version, false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "/",
                "__manifest",
                "__manifest/data",
                "_control",
                "a/../b",
                "a//b",
                "a\\b",
                "s3://b/x"
            })
    void noPlaceButATablesIsEverDeleted(String location) {
        assertThat(reason(check.bytes(storage, location))).isEqualTo(Reason.OUT_OF_BOUNDS);
        assertThat(reason(check.ownBytes(storage, location))).isEqualTo(Reason.OUT_OF_BOUNDS);
    }

    @Test
    void aPlaceATableUsesInOrAroundItStays() {
        String location = create(table);
        for (String place : new String[] {location, location + "/data"}) {
            assertThat(reason(check.bytes(storage, place))).isEqualTo(Reason.REGISTERED);
            assertThat(reason(check.ownBytes(storage, place))).isEqualTo(Reason.REGISTERED);
        }
        assertThat(check.bytes(storage, location + "-beside")).isEqualTo(DeletionAnswer.ALLOWED);
    }

    @Test
    void whatADeregistrationLeftStaysForGood() {
        String location = create(table);
        server.post(table + "/deregister").ok();
        assertThat(reason(check.bytes(storage, location))).isEqualTo(Reason.KEPT);
    }

    @Test
    void theBaseOfACloneStays() {
        String location = create(table);
        Clones.make(root.resolve(location), root.resolve("clone"));
        server.post(table + "/deregister").ok();
        server.post(table + "/register", "{\"location\":\"" + location + "\"}").ok();
        ManifestEntry entry = ManifestEntry.table(home.namespace() + "$t", location, null);
        assertThat(reason(check.drop(storage, List.of(entry), true))).isEqualTo(Reason.BASE_OF_ANOTHER);
        assertThat(reason(versions(location, null, 1))).isEqualTo(Reason.BASE_OF_ANOTHER);
    }

    @Test
    void aVersionThatATagOrABranchHoldsStays() {
        String location = create(table);
        server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 5)).ok();
        try (Dataset dataset = Dataset.open(root.resolve(location).toString())) {
            dataset.tags().create("gold", Ref.ofMain(1));
            dataset.createBranch("dev", Ref.ofMain(2)).close();
            dataset.tags().create("on-dev", Ref.ofBranch("dev", 2));
        }
        DeletionAnswer held = versions(location, null, 1);
        assertThat(reason(held)).isEqualTo(Reason.PINNED);
        CatalogException problem = ((DeletionAnswer.Refused) held).problem();
        assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_TABLE_STATE);
        assertThat(problem.text()).contains("tag 'gold'");
        assertThat(reason(versions(location, null, 2))).isEqualTo(Reason.PINNED);
        assertThat(reason(versions(location, "dev", 2))).isEqualTo(Reason.PINNED);
        assertThat(versions(location, null, 3)).isEqualTo(DeletionAnswer.ALLOWED);
        assertThat(versions(location, "dev", 1)).isEqualTo(DeletionAnswer.ALLOWED);
    }

    @Test
    void whatCannotBeReadIsNotAllowed() throws IOException {
        String location = create(table);
        server.post(table + "/deregister").ok();
        Path record = catalog.record("_warehouses/" + home.warehouse() + ".json");
        String beside = location + "-beside";
        try (Tampered corrupt = Tampered.corrupt(record)) {
            DeletionAnswer answer = check.bytes(storage, beside);
            assertThat(reason(answer)).isEqualTo(Reason.UNKNOWN);
            assertThat(((DeletionAnswer.Refused) answer).problem().code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
        }
        assertThat(check.bytes(storage, beside)).isEqualTo(DeletionAnswer.ALLOWED);
    }
}
