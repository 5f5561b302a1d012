package io.rask.catalog.view;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.SchemaDialect;
import io.rask.catalog.lance.TableFacts;
import io.rask.catalog.lance.TableInspector;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.lance.ViewKeys;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.wire.WireJson;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What the tables of views say of themselves. */
@Component
final class ViewRecords {
    private static final JsonMapper JSON = WireJson.mapper();

    private final TableInspector inspector;

    ViewRecords(TableInspector inspector) {
        this.inspector = inspector;
    }

    /**
     * A view as its table has it.
     *
     * @param refresh null before the first
     */
    record Found(
            TableFacts facts,
            ViewDefinition definition,
            @Nullable ViewRefresh refresh) {}

    /** The properties of the table of a new view. */
    static Map<String, String> properties() {
        return Map.of(ViewKeys.KIND, ViewDefinition.QUERY);
    }

    /** What the schema of the view's table is to say. */
    static Map<String, String> metadata(ViewDefinition definition, @Nullable ViewRefresh refresh) {
        Map<String, String> metadata = new HashMap<>();
        metadata.put(ViewKeys.DEFINITION, JSON.writeValueAsString(definition));
        if (refresh != null) {
            metadata.putAll(metadata(refresh));
        }
        return metadata;
    }

    /** The part of it that a refresh writes anew. */
    static Map<String, String> metadata(ViewRefresh refresh) {
        return Map.of(ViewKeys.REFRESH, JSON.writeValueAsString(refresh));
    }

    /**
     * What the table says.
     *
     * @throws CatalogException code 4 when it is no view, or none any more
     */
    Found require(ObjectId id, TableLocation location, SchemaDialect dialect) {
        return find(location, dialect).orElseThrow(() -> absent(id));
    }

    /** What the table says, if it holds data and is a view's. */
    Optional<Found> find(TableLocation location, SchemaDialect dialect) {
        return inspector.inspect(location, TableVersion.LATEST, dialect).flatMap(ViewRecords::read);
    }

    static Optional<Found> read(TableFacts facts) {
        String definition = facts.metadata().get(ViewKeys.DEFINITION);
        if (definition == null) {
            return Optional.empty();
        }
        String refresh = facts.metadata().get(ViewKeys.REFRESH);
        try {
            Found found = new Found(
                    facts,
                    JSON.readValue(definition, ViewDefinition.class),
                    refresh == null ? null : JSON.readValue(refresh, ViewRefresh.class));
            requireWhole(found);
            return Optional.of(found);
        } catch (JacksonException | NullPointerException | IllegalArgumentException e) {
            throw CatalogException.of(
                    ErrorCode.INVALID_TABLE_STATE,
                    "What the table says of the view it holds cannot be read; drop the view and make it anew.",
                    e);
        }
    }

    /** Whoever can write to the storage can write anything here. */
    private static void requireWhole(Found found) {
        int sources = found.definition().sources().size();
        ViewRefresh refresh = found.refresh();
        if (sources == 0 || refresh != null && refresh.sources().size() != sources) {
            throw new IllegalArgumentException("the view and its refresh have different sources");
        }
    }

    /** Code 4: there is no view of the id. */
    static CatalogException absent(ObjectId id) {
        return Absence.view(id);
    }
}
