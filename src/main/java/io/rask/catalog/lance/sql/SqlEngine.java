package io.rask.catalog.lance.sql;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.apache.arrow.memory.BufferAllocator;
import org.duckdb.DuckDBConnection;
import org.springframework.stereotype.Component;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The embedded engine. Each session is a database of its own in memory, which reaches no file but its own spill, no network and no
 * setting; what it may use is bounded. Its native library is loaded by the first session, never by a server.
 */
@Component
public final class SqlEngine {
    private static final int MOST_THREADS = 4;
    private static final int DEEPEST = 1_000;
    private static final String PARSE = "SELECT json_serialize_sql(?::VARCHAR)";
    private static final String WRITE = "SELECT json_deserialize_sql(?::JSON)";

    private final CatalogProperties.Jobs settings;
    private final JsonMapper json = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .build())
                    .build())
            .build();
    private final Functions functions = Functions.load();

    SqlEngine(CatalogProperties properties) {
        this.settings = properties.jobs();
    }

    /**
     * Reads a query.
     *
     * @throws CatalogException code 13 for what is no query, or one that does what no view may
     */
    public SelectQuery parse(String sql) {
        try (DuckDBConnection connection = connect()) {
            ObjectNode tree = tree(connection, sql);
            QueryTree checked = QueryTree.of(tree, functions);
            String text = one(connection, WRITE, tree.toString());
            if (!withoutPlaces(tree(connection, text)).equals(withoutPlaces(tree))) {
                throw CatalogException.invalid(
                        "The query has a part that the engine reads in two ways; write it otherwise.");
            }
            return checked.query(text);
        } catch (SQLException e) {
            throw new EngineErrors().understood(e);
        }
    }

    private ObjectNode tree(DuckDBConnection connection, String sql) throws SQLException {
        ObjectNode tree = read(one(connection, PARSE, sql));
        if (tree.path("error").asBoolean()) {
            throw CatalogException.invalid("The query is no SELECT that can be read: "
                    + EngineErrors.reason(tree.path("error_message").asString("")));
        }
        return tree;
    }

    private ObjectNode read(String tree) {
        try {
            return (ObjectNode) json.readTree(tree);
        } catch (StreamConstraintsException e) {
            throw QueryTree.tooDeep();
        }
    }

    private static String one(DuckDBConnection connection, String question, String argument) throws SQLException {
        try (PreparedStatement asked = connection.prepareStatement(question)) {
            asked.setString(1, argument);
            try (ResultSet answer = asked.executeQuery()) {
                answer.next();
                return answer.getString(1);
            }
        }
    }

    /** The tree without the places in the text, which are all that may differ. */
    private static JsonNode withoutPlaces(JsonNode tree) {
        JsonNode copy = tree.deepCopy();
        removePlaces(copy);
        return copy;
    }

    private static void removePlaces(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove("query_location");
        }
        node.forEach(SqlEngine::removePlaces);
    }

    /**
     * Opens a session.
     *
     * @param checkpoint called now and then while the engine works; what it throws stops the engine
     */
    public SqlSession open(BufferAllocator allocator, Runnable checkpoint) throws SQLException {
        return new SqlSession(connect(), allocator, checkpoint, settings.viewTimeout());
    }

    private DuckDBConnection connect() throws SQLException {
        Properties streaming = new Properties();
        streaming.setProperty("jdbc_stream_results", "true");
        DuckDBConnection connection = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:", streaming);
        try (Statement statement = connection.createStatement()) {
            for (String setting : bounds()) {
                statement.execute(setting);
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** The lock comes last: nothing can be set after it. */
    private List<String> bounds() {
        long spill = settings.viewSpill().toBytes();
        String folder = spill == 0
                ? ""
                : Path.of(System.getProperty("java.io.tmpdir"), "view-spill").toString();
        return List.of(
                "SET temp_directory = '" + folder.replace("'", "''") + "'",
                "SET max_temp_directory_size = '" + Math.max(spill, 1) + "B'",
                "SET memory_limit = '" + settings.viewMemory().toBytes() + "B'",
                "SET threads = " + Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_THREADS),
                "SET TimeZone = 'UTC'",
                "SET autoinstall_known_extensions = false",
                "SET autoload_known_extensions = false",
                "SET allow_community_extensions = false",
                "SET allow_persistent_secrets = false",
                "SET enable_external_access = false",
                "SET lock_configuration = true");
    }
}
