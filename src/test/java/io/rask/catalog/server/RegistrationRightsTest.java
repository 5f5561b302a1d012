package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lifecycle.DeleteBytes;
import io.rask.catalog.lifecycle.TableRemoval;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.util.FileSystemUtils;

/**
 * Who may give a name to bytes that were a table's: Olga administers all, Walter may make tables in the namespace {@code shop}, and
 * Dora owns what she is given.
 */
class RegistrationRightsTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static GovernedCatalog catalog;

    private final String name = "bytes-" + NAMES.incrementAndGet();
    private final RunningServer olga = catalog.as("olga");
    private final RunningServer walter = catalog.as("walter");

    @BeforeAll
    static void start() {
        catalog = new GovernedCatalog(
                OpenFga.shared(),
                Map.of("lance.fga.cache-ttl", "0s", "lance.jobs.worker", "none", "lance.trash-grace-days", "1"));
        catalog.makeNamespace("olga", "acme", "lake", "shop");
        catalog.as("olga")
                .post("/v1/warehouses/lake/namespaces", "{\"namespace\":\"closed\"}")
                .ok();
        catalog.grant("walter", "writer", GovernedCatalog.namespace("shop"));
        catalog.grant("dora", "writer", GovernedCatalog.namespace("shop"));
    }

    @AfterAll
    static void stop() {
        if (catalog != null) {
            catalog.close();
        }
    }

    private String table(String... namespace) {
        return "/v1/table/" + id(ObjectId.of(namespace).child(name).segments().toArray(String[]::new));
    }

    /** Makes a table of Olga's and gives its folder. */
    private Path make(String table) {
        olga.arrow(table + "/create", Rows.THREE).ok();
        return Clones.folder(olga.post(table + "/describe", "{}")
                .ok()
                .json()
                .path("location")
                .asString());
    }

    private Answer register(RunningServer who, Path bytes, String as) {
        return who.post(
                "/v1/table/" + id("shop", name + as) + "/register", "{\"location\":\"" + bytes.getFileName() + "\"}");
    }

    private static StorageProfile home() {
        return catalog.server()
                .bean(Locator.class)
                .locate(ObjectId.of("closed"))
                .orElseThrow();
    }

    /** A dataset of the warehouse that no row leads to. */
    private Path stray(Path source) throws IOException {
        Path stray = source.resolveSibling("stray-" + name);
        FileSystemUtils.copyRecursively(source, stray);
        return stray;
    }

    @Test
    void whoMayOnlyMakeTablesDoesNotGainTheRowsThatOthersDeregistered() {
        Path bytes = make(table("closed"));
        olga.post(table("closed") + "/deregister", "{}").ok();
        refused(register(walter, bytes, ""), 403, 15);
        refused(walter.post("/v1/table/" + id("shop", name) + "/exists", "{}"), 404, 4);
        register(olga, bytes, "").ok();
        assertThat(olga.post("/v1/table/" + id("shop", name) + "/count_rows", "{}")
                        .text())
                .isEqualTo("3");
    }

    @Test
    void whoTookATableOutMayRegisterItAgainAndWhoOwnsWhatItLayInToo() {
        Path bytes = make(table("closed"));
        catalog.grant("dora", "owner", GovernedCatalog.table("closed", name));
        catalog.as("dora").post(table("closed") + "/deregister", "{}").ok();
        refused(register(walter, bytes, ""), 403, 15);
        register(catalog.as("dora"), bytes, "").ok();
        catalog.as("dora")
                .post(
                        "/v1/table/batch-commit",
                        "{\"operations\":[{\"deregister_table\":{\"id\":[\"shop\",\"" + name + "\"]}}]}")
                .ok();
        refused(register(walter, bytes, "-again"), 403, 15);
        register(catalog.as("dora"), bytes, "-again").ok();
        catalog.as("dora")
                .post("/v1/table/" + id("shop", name + "-again") + "/deregister", "{}")
                .ok();
        catalog.grant("nina", "owner", GovernedCatalog.namespace("shop"));
        register(catalog.as("nina"), bytes, "-nina").ok();
        catalog.revoke("nina", "owner", GovernedCatalog.namespace("shop"));
    }

    @Test
    void whoMakesANamespaceOfAFormerNameGainsNothingThatWasKeptOfIt() {
        String inner = "/v1/namespace/" + id("shop", name);
        olga.post(inner + "/create", "{}").ok();
        Path bytes = make(table("shop", name));
        olga.post(table("shop", name) + "/deregister", "{}").ok();
        olga.post(inner + "/drop", "{}").ok();
        refused(register(walter, bytes, "-again"), 403, 15);
        walter.post(inner + "/create", "{}").ok();
        refused(register(walter, bytes, "-again"), 403, 15);
        register(olga, bytes, "-again").ok();
    }

    @Test
    void bytesThatADropIsStillToDeleteAreNobodysToRegisterButTheOwnersOfWhatTheyLayIn() throws IOException {
        Path bytes = stray(make(table("closed")));
        DeleteBytes.Spec spec = new DeleteBytes.Spec(
                home().place().external(),
                List.of(new DeleteBytes.Dropped("closed$gone", String.valueOf(bytes.getFileName()))),
                List.of());
        catalog.server()
                .bean(JobRegistry.class)
                .submit(new JobSpec("delete_bytes", null, null, spec, Duration.ofHours(1), true));
        refused(register(walter, bytes, ""), 403, 15);
        register(olga, bytes, "").ok();
    }

    @Test
    void bytesThatADropHasLeftBecauseACloneReadsThemAreNobodysToRegisterEither() throws IOException {
        Path bytes = stray(make(table("closed")));
        Clones.make(bytes, bytes.resolveSibling("clone-" + name));
        catalog.server()
                .bean(Manifests.class)
                .commit(
                        home().root(),
                        view -> ManifestChange.Plan.put(
                                ManifestEntry.table("closed$clone-" + name, "clone-" + name, null)));
        assertThat(catalog.server()
                        .bean(TableRemoval.class)
                        .removeBytes(
                                home(),
                                ManifestEntry.table("closed$gone-" + name, String.valueOf(bytes.getFileName()), null)))
                .isPresent();
        refused(register(walter, bytes, ""), 403, 15);
        register(olga, bytes, "").ok();
    }

    @Test
    void whatWasNeverATableIsRegisteredByWhoMayMakeOne() throws IOException {
        register(walter, stray(make(table("closed"))), "").ok();
    }

    @Test
    void anOverwriteLeavesTheBytesOfBeforeToWhoCalledForIt() throws IOException {
        Path bytes = make(table("shop"));
        Path other = stray(bytes);
        olga.post(table("shop") + "/register", "{\"location\":\"" + other.getFileName() + "\",\"mode\":\"overwrite\"}")
                .ok();
        refused(register(walter, bytes, "-left"), 403, 15);
        register(olga, bytes, "-left").ok();
    }
}
