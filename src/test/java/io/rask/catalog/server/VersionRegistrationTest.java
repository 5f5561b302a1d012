package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.lance.Dataset;
import org.lance.Ref;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;

/** Versions whose manifests clients have written themselves, and that the catalog makes the table's. */
@ExtendWith(SharedCatalog.Provider.class)
class VersionRegistrationTest {
    private final SharedCatalog catalog;
    private final RunningServer server;
    private final String table;

    @TempDir
    Path elsewhere;

    private Path folder = Path.of("none");

    VersionRegistrationTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.table = catalog.freshTable();
    }

    @BeforeEach
    void twoVersionsAndABranch() {
        server.arrow(table + "/create", Rows.THREE).ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        server.post(table + "/branches/create", "{\"name\":\"dev\",\"from_version\":1}")
                .ok();
        folder = Clones.folder(
                server.post(table + "/describe").ok().json().path("location").asString());
    }

    private static String name(long version) {
        return Long.toUnsignedString(-1L - version) + ".manifest";
    }

    /** Writes the next version as a client does: everything but the final name of its manifest. Tells where that lies. */
    private String stage(String branch, String predicate) throws IOException {
        Path copy = elsewhere.resolve(UUID.randomUUID().toString());
        FileSystemUtils.copyRecursively(folder, copy);
        long version;
        try (Dataset main = Dataset.open(copy.toString());
                Dataset dataset =
                        branch.isEmpty() ? main.checkoutVersion(main.version()) : main.checkout(Ref.ofBranch(branch))) {
            dataset.delete(predicate);
            version = dataset.version();
        }
        String sub = branch.isEmpty() ? "" : "tree/" + branch + "/";
        for (String kept : List.of("_deletions", "_transactions", "data")) {
            Path from = copy.resolve(sub + kept);
            if (Files.isDirectory(from)) {
                FileSystemUtils.copyRecursively(from, folder.resolve(sub + kept));
            }
        }
        String staged = sub + "_versions/" + name(version) + "-" + UUID.randomUUID();
        Files.copy(copy.resolve(sub + "_versions").resolve(name(version)), folder.resolve(staged));
        return staged;
    }

    private Answer create(long version, String path, String more) {
        return server.post(
                table + "/version/create",
                "{\"version\":" + version + ",\"manifest_path\":\"" + path + "\"" + more + "}");
    }

    private String count(String body) {
        return server.post(table + "/count_rows", body).ok().text();
    }

    @Test
    void aManifestThatLiesReadyBecomesTheNextVersion() throws IOException {
        String staged = stage("", "id = 1");
        long size = Files.size(folder.resolve(staged));
        assertThat(count("{}")).isEqualTo("4");
        JsonNode made = create(3, staged, ",\"manifest_size\":" + size + ",\"naming_scheme\":\"V2\",\"e_tag\":\"x\"")
                .ok()
                .json()
                .path("version");
        assertThat(made.path("version").longValue()).isEqualTo(3);
        assertThat(made.path("manifest_path").asString()).isEqualTo("_versions/" + name(3));
        assertThat(made.path("manifest_size").longValue()).isEqualTo(size);
        assertThat(made.path("timestamp_millis").longValue()).isPositive();
        assertThat(count("{}")).isEqualTo("3");
        assertThat(count("{\"version\":2}")).isEqualTo("4");
        assertThat(folder.resolve(staged)).doesNotExist();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 5)).ok();
        assertThat(count("{}")).isEqualTo("4");
    }

    @Test
    void everySpellingOfThePlaceIsTheSamePlace() throws IOException {
        String root = folder.toString();
        for (String prefix : List.of("", root.substring(1) + "/", root + "/", "file://" + root + "/")) {
            long next =
                    server.post(table + "/describe").ok().json().path("version").longValue() + 1;
            create(next, prefix + stage("", "id = " + next), "").ok();
        }
    }

    @Test
    void aBranchGetsVersionsOfItsOwn() throws IOException {
        String staged = stage("dev", "id = 2");
        refused(create(2, staged, ""), 400, 13);
        refused(create(3, staged, ""), 400, 13);
        create(2, staged, ",\"branch\":\"dev\"").ok();
        assertThat(count("{\"branch\":\"dev\"}")).isEqualTo("2");
        assertThat(count("{}")).isEqualTo("4");
        create(3, stage("dev", "id = 3").substring("tree/dev/".length()), ",\"branch\":\"dev\"")
                .ok();
        assertThat(count("{\"branch\":\"dev\"}")).isEqualTo("1");
        refused(create(3, stage("", "id = 1"), ",\"branch\":\"none\""), 404, 22);
    }

    @Test
    void aNumberThatIsOrWasTakenIsAConflictAndOneThatSkipsSomeIsNone() throws IOException {
        String staged = stage("", "id = 1");
        refused(create(1, staged, ""), 409, 14);
        refused(create(2, staged, ""), 409, 14);
        refused(create(4, staged, ""), 400, 13);
        refused(create(0, staged, ""), 400, 13);
        refused(create(-1, staged, ""), 400, 13);
        server.arrow(table + "/insert", ArrowStreams.longs("id", 5)).ok();
        refused(create(3, staged, ""), 409, 14);
        server.arrow(table + "/insert", ArrowStreams.longs("id", 6)).ok();
        server.post(table + "/version/delete", "{\"ranges\":[{\"start_version\":3,\"end_version\":4}]}")
                .ok();
        refused(create(3, staged, ""), 409, 14);
        assertThat(count("{}")).isEqualTo("6");
    }

    @Test
    void ofSeveralForOneNumberOneWinsAgainstRowsToo() throws Exception {
        try (Race race = new Race(4)) {
            for (int round = 0; round < 30; round++) {
                long before = server.post(table + "/describe")
                        .ok()
                        .json()
                        .path("version")
                        .longValue();
                String one = stage("", "id = " + round);
                String two = stage("", "id = " + (round + 100));
                List<Answer> answers = race.run(runner -> switch (runner) {
                    case 0 -> create(before + 1, one, "");
                    case 1 -> create(before + 1, two, "");
                    case 2 -> create(before + 1, one, "");
                    default -> server.arrow(table + "/insert", ArrowStreams.longs("id", 1000));
                });
                assertThat(answers.get(3).status()).isEqualTo(200);
                List<Answer> registered = answers.subList(0, 3);
                long won = registered.stream()
                        .filter(answer -> answer.status() == 200)
                        .count();
                assertThat(won).isLessThanOrEqualTo(1);
                registered.stream()
                        .filter(answer -> answer.status() != 200)
                        .forEach(answer -> assertThat(answer.code())
                                .as(answer.text())
                                // The third finds the file of the first gone when that was faster.
                                .isIn(14, 13));
                assertThat(server.post(table + "/describe")
                                .ok()
                                .json()
                                .path("version")
                                .longValue())
                        .isEqualTo(before + 1 + won);
            }
        }
        assertThat(count("{\"predicate\":\"id = 1000\"}")).isEqualTo("30");
    }

    @Test
    void noManifestButTheTablesOwnOfThatNumberIsTakenOver() throws IOException {
        String other = catalog.freshTable();
        server.arrow(other + "/create", ArrowStreams.longs("id", 1)).ok();
        server.arrow(other + "/insert", ArrowStreams.longs("id", 2)).ok();
        server.arrow(other + "/insert", ArrowStreams.longs("id", 3)).ok();
        Path others = Clones.folder(
                server.post(other + "/describe").ok().json().path("location").asString());
        String foreign = others.resolve("_versions").resolve(name(3)).toString();
        String staged = others.resolve("_versions/staged-1").toString();
        Files.copy(Path.of(foreign), Path.of(staged));
        // It lies with the other table, and then here: but its rows are not here.
        refused(create(3, foreign, ""), 400, 13);
        refused(create(3, staged, ""), 400, 13);
        Files.copy(Path.of(staged), folder.resolve("_versions/staged-1"));
        refused(create(3, "_versions/staged-1", ""), 400, 13);
        // The table's own of another number, under its own name and under another.
        refused(create(3, "_versions/" + name(2), ""), 400, 13);
        Files.copy(folder.resolve("_versions").resolve(name(2)), folder.resolve("_versions/staged-2"));
        refused(create(3, "_versions/staged-2", ""), 400, 13);
        for (String path : List.of(
                "",
                "/",
                "x",
                "_versions",
                "_versions/",
                "_versions/none",
                "_versions/../_versions/staged-2",
                "../x",
                "_versions/.",
                "_versions/a b",
                "s3://bucket/x",
                "file:///etc/passwd",
                "/etc/passwd",
                "data/x")) {
            refused(create(3, path, ""), 400, 13);
        }
        assertThat(server.post(table + "/version/list").ok().json().path("versions"))
                .hasSize(2);
        assertThat(server.post(other + "/count_rows").ok().text()).isEqualTo("3");
    }

    @Test
    void whatIsNoManifestOrNotTheOneThatIsMeantIsRefusedAndTheTableStaysReadable() throws IOException {
        String staged = stage("", "id = 1");
        byte[] good = Files.readAllBytes(folder.resolve(staged));
        refused(create(3, staged, ",\"manifest_size\":" + (good.length + 1)), 400, 13);
        refused(create(3, staged, ",\"naming_scheme\":\"V1\""), 400, 13);
        refused(create(3, staged, ",\"naming_scheme\":\"V9\""), 400, 13);
        Path bad = folder.resolve("_versions/bad");
        for (int cut : new int[] {0, 1, 15, 16, 17, good.length / 2, good.length - 1}) {
            Files.write(bad, java.util.Arrays.copyOf(good, cut));
            refused(create(3, "_versions/bad", ""), 400, 13);
        }
        Files.writeString(bad, "no manifest at all, but long enough to be one");
        refused(create(3, "_versions/bad", ""), 400, 13);
        refused(server.post(table + "/version/create", "{\"version\":3}"), 400, 13);
        refused(server.post(table + "/version/create", "{\"manifest_path\":\"x\"}"), 400, 13);
        try (Stream<Path> data = Files.list(folder.resolve("_deletions"))) {
            for (Path file : data.toList()) {
                Files.move(file, elsewhere.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        refused(create(3, staged, ""), 400, 13);
        assertThat(count("{}")).isEqualTo("4");
        FileSystemUtils.copyRecursively(elsewhere, folder.resolve("_deletions"));
        create(3, staged, "").ok();
        assertThat(count("{}")).isEqualTo("3");
    }

    @Test
    void theFirstVersionOfADeclaredTableIsOne() throws IOException {
        String declared = catalog.freshTable();
        String location =
                server.post(declared + "/declare").ok().json().path("location").asString();
        Path place = Clones.folder(location);
        FileSystemUtils.copyRecursively(folder.resolve("data"), place.resolve("data"));
        Files.createDirectories(place.resolve("_versions"));
        Files.copy(folder.resolve("_versions").resolve(name(1)), place.resolve("_versions/first"));
        String body = "{\"version\":%d,\"manifest_path\":\"_versions/first\"}";
        refused(server.post(declared + "/version/create", body.formatted(2)), 400, 13);
        server.post(declared + "/version/create", body.formatted(1)).ok();
        assertThat(server.post(declared + "/count_rows").ok().text()).isEqualTo("3");
        refused(server.post(declared + "/version/create", body.formatted(1)), 409, 14);
        refused(server.post(catalog.freshTable() + "/version/create", body.formatted(1)), 404, 4);
    }
}
