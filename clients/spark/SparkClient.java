import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;

/**
 * Spark SQL through the Lance catalog on a running server, {@code CATALOG_URL}: each statement and what it must leave behind.
 * Argument: where to write what was counted.
 */
class SparkClient {
    private static final String URL = Optional.ofNullable(System.getenv("CATALOG_URL")).orElse("http://127.0.0.1:2333");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final SparkSession spark;
    private final String space;
    private int good;
    private int bad;

    private SparkClient(SparkSession spark, String space) {
        this.spark = spark;
        this.space = space;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        String run = UUID.randomUUID().toString().substring(0, 8);
        post("projects", "{\"id\":\"project-" + run + "\"}");
        post("warehouses", "{\"id\":\"lake-" + run + "\",\"project\":\"project-" + run + "\"}");
        post("warehouses/lake-" + run + "/namespaces", "{\"namespace\":\"spark_" + run + "\"}");
        SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.sql.catalog.lance", "org.lance.spark.LanceNamespaceSparkCatalog")
                .config("spark.sql.catalog.lance.impl", "rest")
                .config("spark.sql.catalog.lance.uri", URL)
                .config("spark.sql.extensions", "org.lance.spark.extensions.LanceSparkSessionExtensions")
                .getOrCreate();
        spark.sparkContext().setLogLevel("ERROR");
        SparkClient client = new SparkClient(spark, "spark_" + run);
        client.statements();
        client.drops();
        Files.writeString(
                Path.of(arguments[0]),
                "# pass %d\n# fail %d\n".formatted(client.good, client.bad));
        spark.stop();
        System.exit(client.bad == 0 ? 0 : 1);
    }

    private void statements() {
        String nested = "lance." + space + ".below";
        String table = "lance." + space + ".cities";
        check("CREATE NAMESPACE " + nested, "SHOW NAMESPACES IN lance." + space, "[" + space + ".below]");
        check("CREATE TABLE " + table + " (id BIGINT, name STRING)", "SELECT count(*) FROM " + table, "[0]");
        check(
                "INSERT INTO " + table + " VALUES (1, 'Lisbon'), (2, 'Oslo'), (3, 'Vienna')",
                "SELECT id, name FROM " + table + " ORDER BY id",
                "[1,Lisbon]", "[2,Oslo]", "[3,Vienna]");
        server("cities", "3");
        check("UPDATE " + table + " SET name = 'Wien' WHERE id = 3", "SELECT name FROM " + table + " WHERE id = 3", "[Wien]");
        check("DELETE FROM " + table + " WHERE id = 1", "SELECT id FROM " + table + " ORDER BY id", "[2]", "[3]");
        check(
                "MERGE INTO " + table + " t USING (SELECT 3L AS id, 'Vienna' AS name UNION ALL SELECT 4L, 'Rome') s ON t.id = s.id"
                        + " WHEN MATCHED THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT *",
                "SELECT id, name FROM " + table + " ORDER BY id",
                "[2,Oslo]", "[3,Vienna]", "[4,Rome]");
        server("cities", "3");
        check(
                "CREATE TABLE " + nested + ".copied AS SELECT * FROM " + table,
                "SELECT count(*) FROM " + nested + ".copied",
                "[3]");
    }

    /** Spark drops a table by deregistering it, and says nothing when that fails. */
    private void drops() {
        String nested = "lance." + space + ".below";
        check("DROP TABLE " + nested + ".copied", "SHOW TABLES IN " + nested);
        check("DROP TABLE lance." + space + ".cities", "SHOW TABLES IN lance." + space);
        check("DROP NAMESPACE " + nested, "SHOW NAMESPACES IN lance." + space);
    }

    /** Runs a statement and compares the rows of a query after it. */
    private void check(String statement, String query, String... rows) {
        try {
            spark.sql(statement);
            List<String> found = spark.sql(query).collectAsList().stream().map(Object::toString).toList();
            say(statement, query, List.of(rows).equals(found), found);
        } catch (Exception e) {
            say(statement, query, false, e);
        }
    }

    /** Compares with what the server itself counts. */
    private void server(String table, String count) {
        try {
            String found = post("table/" + space + "$" + table + "/count_rows", "{}");
            say("count_rows of " + table, "the server", found.equals(count), found);
        } catch (IOException | InterruptedException e) {
            say("count_rows of " + table, "the server", false, e);
        }
    }

    private void say(String statement, String query, boolean isGood, Object found) {
        good += isGood ? 1 : 0;
        bad += isGood ? 0 : 1;
        System.out.println((isGood ? "ok   " : "FAIL ") + statement + (isGood ? "" : " -> " + query + ": " + found));
    }

    private static String post(String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(URL + "/v1/" + path.replace("$", "%24")))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(path + " answered " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }
}
