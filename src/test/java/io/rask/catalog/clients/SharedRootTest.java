package io.rask.catalog.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.S3Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lance.namespace.DirectoryNamespace;
import org.lance.namespace.LanceNamespace;
import org.lance.namespace.RestNamespace;
import org.lance.namespace.errors.LanceNamespaceException;
import org.lance.namespace.errors.TableNotFoundException;
import org.lance.namespace.model.CreateNamespaceRequest;
import org.lance.namespace.model.CreateTableRequest;
import org.lance.namespace.model.DeclareTableRequest;
import org.lance.namespace.model.DescribeNamespaceRequest;
import org.lance.namespace.model.DescribeTableRequest;
import org.lance.namespace.model.DropNamespaceRequest;
import org.lance.namespace.model.DropTableRequest;
import org.lance.namespace.model.InsertIntoTableRequest;
import org.lance.namespace.model.ListNamespacesRequest;
import org.lance.namespace.model.ListTablesRequest;
import org.lance.namespace.model.QueryTableRequest;
import org.lance.namespace.model.QueryTableRequestVector;

/** One root with two kinds of writers: this server in single-root mode, and lance-core's own directory catalog. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedRootTest {
    private static final String BUCKET = "shared-roots";
    private static final Map<String, String> MANIFEST_ALONE =
            Map.of("manifest_enabled", "true", "dir_listing_enabled", "false");

    @TempDir
    static Path folder;

    private final AtomicInteger roots = new AtomicInteger();
    private final BufferAllocator allocator = new RootAllocator();

    @SuppressWarnings("NullAway.Init")
    private S3Server s3;

    @BeforeAll
    void startStore() {
        s3 = S3Server.inMemory().withBucket(BUCKET);
    }

    @AfterAll
    void stopStore() {
        s3.close();
        allocator.close();
    }

    /**
     * A way to share a root.
     *
     * @param library the settings of the library's catalog
     */
    record Sharing(String name, boolean onS3, Map<String, String> library) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Sharing> sharings() {
        return Stream.of(
                new Sharing("a folder, by the manifest alone", false, MANIFEST_ALONE),
                new Sharing("a folder, with the library's defaults", false, Map.of()),
                new Sharing("S3, by the manifest alone", true, MANIFEST_ALONE),
                new Sharing("S3, with the library's defaults", true, Map.of()));
    }

    @ParameterizedTest
    @MethodSource("sharings")
    void aRootThatTheLibraryMadeOpensHereWithAllThatIsInIt(Sharing sharing) throws Exception {
        String root = newRoot(sharing);
        Map<String, String> wanted = new TreeMap<>();
        try (DirectoryNamespace theirs = library(sharing, root)) {
            fill(theirs, "theirs", wanted);
            create(theirs, List.of("at-the-root"), Map.of("p", "q"), 9);
        }
        try (RunningServer server = RunningServer.with(settings(sharing, root));
                RestNamespace ours = client(server);
                DirectoryNamespace theirs = library(sharing, root)) {
            wanted.put("at-the-root", "table {p=q} [9]");
            assertThat(contents(ours)).isEqualTo(wanted);
            fill(ours, "ours", wanted);
            insert(ours, List.of("at-the-root"), 10);
            wanted.put("at-the-root", "table {p=q} [9, 10]");
            assertThat(contents(ours)).isEqualTo(wanted);
            if (sharing.library().isEmpty()) {
                // With its defaults the library does not tell the properties of a table at the root, though it keeps
                // them.
                wanted.put("at-the-root", "table {} [9, 10]");
            }
            assertThat(contents(theirs)).isEqualTo(wanted);
        }
    }

    @ParameterizedTest
    @MethodSource("sharings")
    void whatBothWriteInTurnAndAtTheSameTimeIsAllThere(Sharing sharing) throws Exception {
        String root = newRoot(sharing);
        try (RunningServer server = RunningServer.with(settings(sharing, root));
                RestNamespace ours = client(server);
                DirectoryNamespace theirs = library(sharing, root);
                DirectoryNamespace third = library(sharing, root)) {
            ours.createNamespace(new CreateNamespaceRequest().id(List.of("top")));
            Map<String, String> wanted = new TreeMap<>(Map.of("top", "namespace {}"));
            inTurn(ours, theirs, third, wanted);
            atTheSameTime(List.of(ours, ours, theirs, third), wanted);
            assertThat(contents(ours)).isEqualTo(wanted);
            assertThat(contents(theirs)).isEqualTo(wanted);
            assertThat(contents(third)).isEqualTo(wanted);
        }
    }

    /** Namespaces, nested too, tables, a declared one, properties, and a table that was dropped and made again. */
    private void fill(LanceNamespace writer, String top, Map<String, String> wanted) {
        writer.createNamespace(
                new CreateNamespaceRequest().id(List.of(top)).properties(Map.of("owner", "Jürgen", "quote", "it's")));
        writer.createNamespace(new CreateNamespaceRequest().id(List.of(top, "a")));
        writer.createNamespace(
                new CreateNamespaceRequest().id(List.of(top, "a", "deep one")).properties(Map.of("level", "3")));
        create(writer, List.of(top, "made"), Map.of("k", "v"), 1, 2);
        create(writer, List.of(top, "a", "deep one", "table 1"), Map.of(), 3);
        writer.declareTable(
                new DeclareTableRequest().id(List.of(top, "a", "declared")).properties(Map.of("d", "e")));
        create(writer, List.of(top, "again"), Map.of("first", "yes"), 4);
        writer.dropTable(new DropTableRequest().id(List.of(top, "again")));
        create(writer, List.of(top, "again"), Map.of(), 5);
        insert(writer, List.of(top, "again"), 6);
        wanted.put(top, "namespace {owner=Jürgen, quote=it's}");
        wanted.put(top + "/a", "namespace {}");
        wanted.put(top + "/a/deep one", "namespace {level=3}");
        wanted.put(top + "/a/deep one/table 1", "table {} [3]");
        wanted.put(top + "/a/declared", "table {d=e} only declared");
        wanted.put(top + "/made", "table {k=v} [1, 2]");
        wanted.put(top + "/again", "table {} [5, 6]");
    }

    private void inTurn(LanceNamespace ours, LanceNamespace theirs, LanceNamespace third, Map<String, String> wanted) {
        for (int turn = 0; turn < 2; turn++) {
            LanceNamespace writer = turn % 2 == 0 ? ours : theirs;
            LanceNamespace other = turn % 2 == 0 ? theirs : ours;
            String space = "space" + turn;
            List<String> table = List.of("top", "table" + turn);
            writer.createNamespace(
                    new CreateNamespaceRequest().id(List.of("top", space)).properties(Map.of("turn", "" + turn)));
            wanted.put("top/" + space, "namespace {turn=" + turn + "}");
            create(writer, table, Map.of("turn", "" + turn), turn);
            insert(other, table, 100 + turn);
            wanted.put("top/table" + turn, "table {turn=%d} [%d, %d]".formatted(turn, turn, 100 + turn));
            writer.declareTable(new DeclareTableRequest().id(List.of("top", space, "declared")));
            insert(other, List.of("top", space, "declared"), 200);
            wanted.put("top/" + space + "/declared", "table {} [200]");
            assertThatThrownBy(() -> create(other, table, Map.of(), 0)).isInstanceOf(LanceNamespaceException.class);
            assertThat(contents(third)).isEqualTo(wanted);
            other.dropTable(new DropTableRequest().id(List.of("top", space, "declared")));
            writer.dropNamespace(new DropNamespaceRequest().id(List.of("top", space)));
            wanted.keySet().removeIf(name -> name.startsWith("top/" + space));
            assertThatThrownBy(() -> describe(other, List.of("top", space, "declared")))
                    .isInstanceOf(TableNotFoundException.class);
        }
    }

    private void atTheSameTime(List<LanceNamespace> writers, Map<String, String> wanted) throws Exception {
        int each = 4;
        List<String> shared = List.of("top", "shared");
        create(writers.getFirst(), shared, Map.of(), -1);
        try (Race race = new Race(writers.size())) {
            race.run(number -> {
                LanceNamespace writer = writers.get(number);
                for (int step = 0; step < each; step++) {
                    String name = number + "-" + step;
                    create(writer, List.of("top", "raced-" + name), Map.of("by", "" + number), number);
                    writer.createNamespace(new CreateNamespaceRequest().id(List.of("top", "space-" + name)));
                    insert(writer, shared, number * each + step);
                    if (step % 2 == 1) {
                        writer.dropTable(new DropTableRequest().id(List.of("top", "raced-" + name)));
                    }
                }
                return true;
            });
        }
        for (int number = 0; number < writers.size(); number++) {
            for (int step = 0; step < each; step++) {
                wanted.put("top/space-" + number + "-" + step, "namespace {}");
                if (step % 2 == 0) {
                    wanted.put("top/raced-" + number + "-" + step, "table {by=%d} [%d]".formatted(number, number));
                }
            }
        }
        wanted.put(
                "top/shared",
                "table {} "
                        + LongStream.range(-1, (long) writers.size() * each)
                                .boxed()
                                .toList());
    }

    /** All that a catalog tells of its root and what is below it, by path. */
    private Map<String, String> contents(LanceNamespace namespace) {
        Map<String, String> found = new TreeMap<>();
        collect(namespace, List.of(), found);
        return found;
    }

    private void collect(LanceNamespace namespace, List<String> id, Map<String, String> found) {
        for (String name :
                namespace.listNamespaces(new ListNamespacesRequest().id(id)).getNamespaces()) {
            List<String> below = below(id, name);
            Map<String, String> properties = namespace
                    .describeNamespace(new DescribeNamespaceRequest().id(below))
                    .getProperties();
            found.put(String.join("/", below), "namespace " + sorted(properties));
            collect(namespace, below, found);
        }
        for (String name : namespace.listTables(new ListTablesRequest().id(id)).getTables()) {
            List<String> table = below(id, name);
            found.put(
                    String.join("/", table),
                    "table " + sorted(describe(namespace, table)) + " " + rows(namespace, table));
        }
    }

    private static List<String> below(List<String> id, String name) {
        List<String> below = new ArrayList<>(id);
        below.add(name);
        return below;
    }

    private static Map<String, String> sorted(@Nullable Map<String, String> properties) {
        return properties == null ? Map.of() : new TreeMap<>(properties);
    }

    private static @Nullable Map<String, String> describe(LanceNamespace namespace, List<String> table) {
        return namespace.describeTable(new DescribeTableRequest().id(table)).getProperties();
    }

    /** The rows in order, or that there are none because the table is only declared. */
    private static String rows(LanceNamespace namespace, List<String> table) {
        byte[] file;
        try {
            file = namespace.queryTable(
                    new QueryTableRequest().id(table).k(1000).vector(new QueryTableRequestVector()));
        } catch (RuntimeException e) {
            // The library has a failure of its own for each store; a table with rows is expected to show them.
            return "only declared";
        }
        return ArrowStreams.read(file).stream()
                .map(row -> (Long) row.get("id"))
                .sorted()
                .toList()
                .toString();
    }

    private static void create(LanceNamespace writer, List<String> id, Map<String, String> properties, long... ids) {
        writer.createTable(new CreateTableRequest().id(id).properties(properties), ArrowStreams.longs("id", ids));
    }

    private static void insert(LanceNamespace writer, List<String> id, long... ids) {
        writer.insertIntoTable(new InsertIntoTableRequest().id(id), ArrowStreams.longs("id", ids));
    }

    private String newRoot(Sharing sharing) {
        String name = "root-" + roots.incrementAndGet();
        return sharing.onS3()
                ? "s3://" + BUCKET + "/" + name
                : folder.resolve(name).toString();
    }

    private Map<String, String> settings(Sharing sharing, String root) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "lance.warehouses-enabled",
                "false",
                "lance.rest.root",
                root,
                "lance.control.root",
                root.replace("root-", "control-"),
                "lance.storage.allowed-roots",
                folder.toString()));
        if (sharing.onS3()) {
            settings.putAll(s3.settings());
        }
        return settings;
    }

    private DirectoryNamespace library(Sharing sharing, String root) {
        Map<String, String> settings = new HashMap<>(sharing.library());
        settings.put("root", root);
        if (sharing.onS3()) {
            settings.putAll(Map.of(
                    "storage.endpoint",
                    s3.endpoint().toString(),
                    "storage.allow_http",
                    "true",
                    "storage.access_key_id",
                    S3Server.ACCESS_KEY,
                    "storage.secret_access_key",
                    S3Server.SECRET_KEY,
                    "storage.region",
                    S3Server.REGION,
                    "storage.virtual_hosted_style_request",
                    "false"));
        }
        DirectoryNamespace library = new DirectoryNamespace();
        library.initialize(settings, allocator);
        return library;
    }

    private RestNamespace client(RunningServer server) {
        RestNamespace client = new RestNamespace();
        client.initialize(Map.of("uri", "http://127.0.0.1:" + server.port()), allocator);
        return client;
    }
}
